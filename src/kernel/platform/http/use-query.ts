import { useCallback, useEffect, useState } from 'react';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Http } from './http.ts';

/** State of a query: pending, answered or failed. The last reply stays while it reloads. */
export interface QueryState<Reply> {
  readonly reply: Reply | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

/** Sends a query once, and again on `reload`. Later changes of the input are ignored. */
export function useQuery<C extends Call>(call: C, input: InputOf<C>): QueryState<ReplyOf<C>> {
  const http = useService(Http);
  const [given] = useState(input);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ reply: ReplyOf<C> | undefined; hasFailed: boolean }>({ reply: undefined, hasFailed: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again
  useEffect(() => {
    const leaving = new AbortController();
    http
      .send(call, given, { quiet: true, signal: leaving.signal })
      .catch(() => undefined)
      .then((answer) => {
        if (leaving.signal.aborted) return;
        setState((before) => (answer?.success ? { reply: answer.data, hasFailed: false } : { ...before, hasFailed: before.reply === undefined }));
      });
    return () => leaving.abort();
  }, [http, call, given, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, reload };
}
