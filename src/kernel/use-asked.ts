import { useCallback, useEffect, useState } from 'react';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { Http } from './http/http.ts';
import { useService } from './services.tsx';

/** What was asked for: nothing yet, the answer, or that there is none. What was known stays while it is asked for again. */
export interface Asked<Reply> {
  readonly reply: Reply | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

/** Asks once, and again on `reload`. The input is taken as it is at first. */
export function useAsked<C extends Call>(call: C, input: InputOf<C>): Asked<ReplyOf<C>> {
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
