import { type Call, event, type InputOf, type ReplyOf } from '#shared/contract';

/** Result of a call: `data` when the body's code (else the HTTP status) is 200, otherwise the server's message, with the field at fault where it names one. */
export type Answer<Data> =
  | { readonly success: true; readonly code: 200; readonly data: Data; readonly msg: string }
  | {
      readonly success: false;
      readonly code: number;
      readonly data: null;
      readonly msg: string;
      readonly field?: string;
      /** `data` of the error, where the server explains it further. */
      readonly details?: unknown;
      /** The whole error body of a call without an envelope. */
      readonly body?: unknown;
    };

/** Options of one request beyond its input. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** True when the caller shows the failure itself, without a toast. */
  readonly quiet?: boolean;
  /** Selects failures that the caller shows itself; the others show a toast. */
  readonly isHandled?: (answer: Answer<unknown>) => boolean;
  /** Identifies a write, so that a repeated request is executed once; generated for writes unless set. */
  readonly idempotencyKey?: string;
  /** True for a short write that the browser completes even if its page is closed meanwhile. Its body may have up to 60 kB. */
  readonly keepAlive?: boolean;
  /** File of a call that takes one. */
  readonly file?: File;
  /** Receives the fraction of the file that has been sent, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Headers of this one request (captcha key and code, department and role of a switch). */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends every call to the server. A code other than 200 shows its message as a toast and is still returned (`success: false`); 401 also ends the
 * session; 428 asks the user to confirm their identity and sends the call again; whitelisted codes and transport errors reject with a `TransportError`.
 */
export abstract class Http {
  abstract send<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Answer<ReplyOf<C>>>;
}

/** Emitted when the server answered 423: this session is locked. The lock page unlocks it; no toast is shown. */
export const SessionLocked = event<{ path: string }>('http:session-locked');
