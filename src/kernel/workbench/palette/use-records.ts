import { useEffect, useState } from 'react';
import { type FoundRecords, searchRecords } from '#shared/record-uses';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';

/** Milliseconds without typing before the server is asked. */
const debounceMs = 100;

interface SearchResult {
  readonly query: string;
  readonly groups: readonly FoundRecords[];
  readonly hasFailed: boolean;
}

/** Records that the server has found. */
export interface RecordSearch extends Pick<SearchResult, 'groups' | 'hasFailed'> {
  readonly isSearching: boolean;
  readonly retry: () => void;
}

const noResult: SearchResult = { query: '', groups: [], hasFailed: false };

/** Searches records on the server. Further typing cancels the request; the records found so far stay until the next answer, so that the list does not jump. */
export function useRecords(query: string): RecordSearch {
  const http = useService(Http);
  const [result, setResult] = useState(noResult);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt sends the query again.
  useEffect(() => {
    if (query === '') return setResult(noResult);
    const controller = new AbortController();
    const finish = (found: Omit<SearchResult, 'query'>) => controller.signal.aborted || setResult({ query, ...found });
    const timer = window.setTimeout(() => {
      http.send(searchRecords, { q: query }, { signal: controller.signal, quiet: true }).then(
        ({ success, data }) => finish({ groups: success ? data : [], hasFailed: !success }),
        () => finish({ groups: [], hasFailed: true }),
      );
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [http, query, attempt]);

  const isCurrent = result.query === query;
  return {
    groups: query === '' ? [] : result.groups,
    isSearching: !isCurrent,
    hasFailed: isCurrent && result.hasFailed,
    retry: () => {
      setResult(noResult);
      setAttempt((count) => count + 1);
    },
  };
}
