import { useEffect, useMemo, useState } from 'react';
import { AnswerFailure } from '../errors/answer-failure.ts';
import { TransportError } from '../errors/transport-error.ts';
import { Permission } from '../permission/permission.ts';
import type { Found } from '../plugin.ts';
import type { ClaimedSearch } from '../plugin-host/claimed-pages.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';

/** How long somebody must have stopped typing before servers are asked. */
const pause = 250;

/** What one search has answered so far. */
export interface Answered {
  readonly search: ClaimedSearch;
  readonly found: readonly Found[] | undefined;
  readonly hasFailed: boolean;
}

const nothing: readonly Answered[] = [];

/** Records of running plugins that fit what was typed, of the pages this user has; typing on drops what is under way. */
export function useRecords(typed: string): { readonly answers: readonly Answered[]; readonly isSearching: boolean } {
  const host = useService(PluginHost);
  const permission = useService(Permission);
  const query = typed.trim();
  const [answers, setAnswers] = useState<{ readonly query: string; readonly list: readonly Answered[] }>({ query: '', list: nothing });
  const searches = useMemo(() => host.searches.filter(({ menu }) => permission.may(menu.code)), [host, permission]);

  useEffect(() => {
    if (query === '' || searches.length === 0) return;
    const asking = new AbortController();
    const settle = (search: ClaimedSearch, outcome: Partial<Answered>) => {
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
    }, pause);
    return () => {
      window.clearTimeout(timer);
      asking.abort();
    };
  }, [query, searches, host]);

  const list = answers.query === query ? answers.list : nothing;
  const isSearching = query !== '' && searches.length > 0 && (answers.query !== query || list.some(({ found }) => !found));
  return { answers: list, isSearching };
}

/** The server or the way to it said no: nobody's fault here. */
const isRefused = (error: unknown) => error instanceof TransportError || error instanceof AnswerFailure;

async function ask({ load, services }: ClaimedSearch, query: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { default: find } = await load();
  return signal.aborted ? [] : find(query, { get: (service) => services.get(service) }, signal);
}
