import { Observable } from 'rxjs';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import type { Answer, Http, SendOptions } from './http.ts';
import { TransportError } from './transport-error.ts';

/** A request without an answer: whether the server executed it is unknown. */
export interface NetworkError {
  readonly success: false;
  readonly code: 0;
  readonly localizedMessage: LocalizedText;
}

/** Result of a request. */
export type RequestResult<Data = unknown> = Answer<Data> | NetworkError;

/** Wraps a call in a stream of one result: it never errors, and unsubscribing cancels the request. */
export function observeRequest<C extends Call>(
  http: Http,
  call: C,
  input: InputOf<C>,
  options: Omit<SendOptions, 'signal'> = {},
): Observable<RequestResult<ReplyOf<C>>> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    http
      .send(call, input, { ...options, signal: controller.signal })
      .catch(networkError)
      .then((answer) => {
        subscriber.next(answer);
        subscriber.complete();
      });
    return () => controller.abort();
  });
}

function networkError(error: unknown): NetworkError {
  const transportError = error instanceof TransportError ? error : new TransportError('unreachable', { cause: error });
  return { success: false, code: 0, localizedMessage: transportError.localizedMessage };
}

/** Result of a write; `localizedMessage` is set when there was no answer, because no toast has been shown then. */
export interface MutationResult {
  readonly success: boolean;
  readonly localizedMessage?: LocalizedText;
  readonly data?: unknown;
  /** Code and message of a failed answer. */
  readonly code?: number;
  readonly msg?: string;
  /** `data` of a failed answer. */
  readonly details?: unknown;
}

/** Converts an answer to the result of a write. */
export const mutationResultOf = (answer: RequestResult): MutationResult =>
  'localizedMessage' in answer ? { success: false, localizedMessage: answer.localizedMessage } : answer;
