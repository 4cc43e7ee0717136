import { useCallback, useRef, useState } from 'react';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../feedback/toasts.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Http, type SendOptions } from './http.ts';
import { TransportError } from './transport-error.ts';

/** Result of an action that is more than one call; `message` says why it failed. An action can also resolve with whether it succeeded, or with nothing. */
export interface ActionResult<Data = unknown> {
  readonly success: boolean;
  readonly data?: Data;
  readonly message?: string;
}

/** Options of `useMutation`. With `quiet`, a failure shows no toast, because the component shows the error itself. */
export interface MutationOptions<Data, Input> extends Pick<SendOptions, 'quiet'> {
  readonly onSuccess?: (data: Data, input: Input) => void;
}

/** State of a user's action. */
export interface Mutation<Input> {
  readonly isPending: boolean;
  /** Message of the last attempt if it failed. */
  readonly error: string | undefined;
  /** Starts the action and resolves true on success; does nothing while it is pending. */
  readonly mutate: (input: Input) => Promise<boolean>;
}

/** Returns a handler of rejected requests: it shows one without an answer as a toast, and throws any other error. */
export function useTransportErrorToast(): (error: unknown) => undefined {
  const toasts = useService(Toasts);
  const t = useTranslation();
  return useCallback(
    (error) => {
      if (!(error instanceof TransportError)) throw error;
      if (error.fault !== 'cancelled') toasts.error(t(error.localizedMessage));
    },
    [toasts, t],
  );
}

/** Runs a user's action, which is a call or a function, once at a time. A failure is shown as a toast or, with `quiet`, by the component. */
export function useMutation<C extends Call>(call: C, options?: MutationOptions<ReplyOf<C>, InputOf<C>>): Mutation<InputOf<C>>;
export function useMutation<Data, Input = void>(
  action: (input: Input) => Promise<ActionResult<Data> | boolean> | Promise<void>,
  options?: MutationOptions<Data | undefined, Input>,
): Mutation<Input>;
export function useMutation(
  action: Call | ((input: unknown) => Promise<ActionResult | boolean> | Promise<void>),
  { onSuccess, quiet = false }: MutationOptions<unknown, unknown> = {},
): Mutation<unknown> {
  const http = useService(Http);
  const t = useTranslation();
  const showError = useTransportErrorToast();
  const isBusy = useRef(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const run = async (input: unknown): Promise<ActionResult> => {
    if (typeof action === 'function') {
      const result = await action(input);
      return typeof result === 'object' ? result : { success: result !== false };
    }
    const { success, data, msg } = await http.send(action, input, { quiet });
    return { success, data, message: msg };
  };
  const resultOfError = (reason: unknown): ActionResult => {
    if (!(reason instanceof TransportError)) throw reason;
    if (!quiet) showError(reason);
    return { success: false, message: t(reason.localizedMessage) };
  };
  const mutate = async (input: unknown): Promise<boolean> => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setIsPending(true);
    setError(undefined);
    try {
      const { success, data, message } = await run(input).catch(resultOfError);
      if (!success) setError(message);
      else onSuccess?.(data, input);
      return success;
    } finally {
      isBusy.current = false;
      setIsPending(false);
    }
  };
  return { isPending, error, mutate };
}
