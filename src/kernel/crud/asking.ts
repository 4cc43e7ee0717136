import { Observable } from 'rxjs';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { Words } from '#shared/text';
import { TransportError } from '../errors/transport-error.ts';
import type { Answer, Http, SendOptions } from '../http/http.ts';

/** No answer came; nobody knows whether the server did what it was asked. */
export interface Unanswered {
  readonly success: false;
  readonly code: 0;
  readonly words: Words;
}

/** What became of a request. */
export type Asked<Data = unknown> = Answer<Data> | Unanswered;

/** A call as a stream of one answer: it never errors, and is cancelled when nobody listens any more. */
export function asking<C extends Call>(http: Http, call: C, input: InputOf<C>, options: Omit<SendOptions, 'signal'> = {}): Observable<Asked<ReplyOf<C>>> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    http
      .send(call, input, { ...options, signal: controller.signal })
      .catch(unanswered)
      .then((answer) => {
        subscriber.next(answer);
        subscriber.complete();
      });
    return () => controller.abort();
  });
}

function unanswered(error: unknown): Unanswered {
  const fault = error instanceof TransportError ? error : new TransportError('unreachable', { cause: error });
  return { success: false, code: 0, words: fault.words };
}

/** How a write ended; `words` when no answer came, since nobody has told the operator yet. */
export interface Outcome {
  readonly success: boolean;
  readonly words?: Words;
  readonly data?: unknown;
}

/** What became of a write. */
export const outcomeOf = (answer: Asked): Outcome => ('words' in answer ? { success: false, words: answer.words } : answer);
