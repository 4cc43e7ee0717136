import { useEffect, useMemo, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import type { SearchResult } from '../../host/plugin/plugin.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import type { RegisteredSearch } from '../../host/plugin-host/registered-pages.ts';
import { ResponseError } from '../../platform/http/response-error.ts';
import { TransportError } from '../../platform/http/transport-error.ts';
import { Permission } from '../../platform/permission/permission.ts';

/** Milliseconds without typing before the server is asked. */
const debounceMs = 250;

/** Results of one search so far. */
export interface SearchProgress {
  readonly search: RegisteredSearch;
  readonly found: readonly SearchResult[] | undefined;
  readonly hasFailed: boolean;
}

const nothing: readonly SearchProgress[] = [];

/** Searches the records of running plugins on the pages this user has; further typing cancels the requests. */
export function useRecords(typed: string): { readonly answers: readonly SearchProgress[]; readonly isSearching: boolean } {
  const host = useService(PluginHost);
  const permission = useService(Permission);
  const query = typed.trim();
  const [answers, setAnswers] = useState<{ readonly query: string; readonly list: readonly SearchProgress[] }>({ query: '', list: nothing });
  const searches = useMemo(() => host.searches.filter(({ menu }) => permission.may(menu.code)), [host, permission]);

  useEffect(() => {
    if (query === '' || searches.length === 0) return;
    const asking = new AbortController();
    const settle = (search: RegisteredSearch, outcome: Partial<SearchProgress>) => {
      if (asking.signal.aborted) return;
      setAnswers(({ list }) => ({ query, list: list.map((answer) => (answer.search === search ? { ...answer, ...outcome } : answer)) }));
    };
    const timer = window.setTimeout(() => {
      setAnswers({ query, list: searches.map((search) => ({ search, found: undefined, hasFailed: false })) });
      for (const search of searches)
        ask(search, query, asking.signal).then(
          (found) => settle(search, { found }),
          (error: unknown) => {
            settle(search, { found: [], hasFailed: true });
            if (!isRefused(error) && !asking.signal.aborted) host.report(search.pluginId, error);
          },
        );
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      asking.abort();
    };
  }, [query, searches, host]);

  const list = answers.query === query ? answers.list : nothing;
  const isSearching = query !== '' && searches.length > 0 && (answers.query !== query || list.some(({ found }) => !found));
  return { answers: list, isSearching };
}

/** The server refused or was unreachable, which is no fault of the plugin. */
const isRefused = (error: unknown) => error instanceof TransportError || error instanceof ResponseError;

async function ask({ load, services }: RegisteredSearch, query: string, signal: AbortSignal): Promise<readonly SearchResult[]> {
  const { default: find } = await load();
  return signal.aborted ? [] : find(query, { get: (service) => services.get(service) }, signal);
}
