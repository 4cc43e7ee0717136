import { useEffect, useState } from 'react';
import { type FoundRecords, searchRecords } from '#shared/record-uses';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';

/** Milliseconds without typing before the server is asked. */
const debounceMs = 100;

interface Answer {
  readonly query: string;
  readonly groups: readonly FoundRecords[];
  readonly hasFailed: boolean;
}

/** Records that the server has found. */
export interface RecordSearch extends Pick<Answer, 'groups' | 'hasFailed'> {
  readonly isSearching: boolean;
  readonly retry: () => void;
}

const noAnswer: Answer = { query: '', groups: [], hasFailed: false };

/** Searches records on the server. Further typing cancels the request; the records found so far stay until the next answer, so that the list does not jump. */
export function useRecords(query: string): RecordSearch {
  const http = useService(Http);
  const [answer, setAnswer] = useState(noAnswer);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt asks again.
  useEffect(() => {
    if (query === '') return setAnswer(noAnswer);
    const asking = new AbortController();
    const settle = (outcome: Omit<Answer, 'query'>) => asking.signal.aborted || setAnswer({ query, ...outcome });
    const timer = window.setTimeout(() => {
      http.send(searchRecords, { q: query }, { signal: asking.signal, quiet: true }).then(
        ({ success, data }) => settle({ groups: success ? data : [], hasFailed: !success }),
        () => settle({ groups: [], hasFailed: true }),
      );
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      asking.abort();
    };
  }, [http, query, attempt]);

  const isAnswered = answer.query === query;
  return {
    groups: query === '' ? [] : answer.groups,
    isSearching: !isAnswered,
    hasFailed: isAnswered && answer.hasFailed,
    retry: () => {
      setAnswer(noAnswer);
      setAttempt((count) => count + 1);
    },
  };
}
