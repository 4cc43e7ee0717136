import { useCallback, useEffect, useState } from 'react';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Http, type SendOptions } from './http.ts';
import { ResponseError } from './response-error.ts';

/** Options of `useQuery`. With `quiet`, a refused request shows no toast, because the component shows the error itself. */
export interface QueryOptions<Data> extends Pick<SendOptions, 'quiet'> {
  /** False sends nothing, for an input that is not complete yet. */
  readonly enabled?: boolean;
  /** True keeps the data of the previous input until the answer to the next one arrives. */
  readonly keepPreviousData?: boolean;
  /** Milliseconds the input must rest before it is sent. */
  readonly debounceMs?: number;
  /** Sends the same input again each time this key changes, for example a counter of edits. */
  readonly refetchKey?: string | number;
  /** Returns the milliseconds until the next request, or `undefined` to stop polling. */
  readonly refetchIntervalMs?: (data: Data) => number | undefined;
  /** False keeps the existing answer when a hidden tab is shown again, instead of requesting it again. */
  readonly refetchOnMount?: boolean;
}

/** State of a query. */
export interface QueryState<Data> {
  /** Last answer; it stays while the same input is sent again. */
  readonly data: Data | undefined;
  /** Failure of the last request for this input. */
  readonly error: Error | undefined;
  /** True while there is neither an answer nor a failure. */
  readonly isPending: boolean;
  /** True while a new input or a `refetch` waits for its answer. */
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

interface SettledQuery<Data> {
  readonly key: string;
  readonly round: string;
  readonly data: Data | undefined;
  readonly error: Error | undefined;
}

/**
 * Reads data while a component is shown. The request is cancelled when the input changes or the component disappears, and sent again when its tab is
 * shown again; a late answer never replaces a newer one.
 */
export function useQuery<C extends Call>(call: C, input: InputOf<C>, options: QueryOptions<ReplyOf<C>> = {}): QueryState<ReplyOf<C>> {
  const { enabled = true, quiet = false, keepPreviousData = false, debounceMs = 0, refetchKey = '', refetchIntervalMs, refetchOnMount = true } = options;
  const http = useService(Http);
  const key = `${call.path} ${JSON.stringify(input)}`;
  const [count, setCount] = useState(0);
  const round = `${count} ${refetchKey}`;
  const [settled, setSettled] = useState<SettledQuery<ReplyOf<C>>>({ key: '', round, data: undefined, error: undefined });
  const isSameInput = settled.key === key;
  const isSettled = isSameInput && settled.round === round;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for call and input; a change of another option sends no request
  useEffect(() => {
    if (!enabled || (isSettled && !refetchOnMount)) return;
    const controller = new AbortController();
    const update = (next: (before: SettledQuery<ReplyOf<C>>) => SettledQuery<ReplyOf<C>>) => controller.signal.aborted || setSettled(next);
    const fail = (error: Error) => update((before) => ({ key, round, error, data: before.key === key || keepPreviousData ? before.data : undefined }));
    const send = () =>
      http.send(call, input, { quiet, signal: controller.signal }).then((answer) => {
        if (answer.success) update(() => ({ key, round, data: answer.data, error: undefined }));
        else fail(new ResponseError(answer.code, answer.msg));
      }, fail);
    const timer = debounceMs > 0 ? setTimeout(send, debounceMs) : void send();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [http, key, round, enabled]);

  const refetch = useCallback(() => setCount((before) => before + 1), []);
  const data = isSameInput || keepPreviousData ? settled.data : undefined;
  const error = isSameInput ? settled.error : undefined;
  const intervalMs = enabled && isSettled && data !== undefined ? refetchIntervalMs?.(data) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer starts the interval again
  useEffect(() => {
    if (intervalMs === undefined) return;
    const timer = setTimeout(refetch, intervalMs);
    return () => clearTimeout(timer);
  }, [settled, intervalMs, refetch]);
  return { data, error, isPending: data === undefined && error === undefined, isFetching: enabled && !isSettled, refetch };
}
