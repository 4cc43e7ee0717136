import type { Call, InputOf, ReplyOf } from '#shared/contract';

/** The envelope: `data` when the body's code (else the HTTP status) is 200, the server's words otherwise, with the field at fault where it is one's. */
export type Answer<Data> =
  | { readonly success: true; readonly code: 200; readonly data: Data; readonly msg: string }
  | {
      readonly success: false;
      readonly code: number;
      readonly data: null;
      readonly msg: string;
      readonly field?: string;
      /** The whole refusal of a bare call, which has no envelope. */
      readonly body?: unknown;
    };

/** What one request may ask for beyond its input. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** True: the caller shows the failure itself, no toast. */
  readonly quiet?: boolean;
  /** Names a write so that sending it again does it once; writes get one of their own unless given. */
  readonly idempotencyKey?: string;
  /** What a call that takes a file is sent. */
  readonly file?: File;
  /** Told which part of the file has left, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Headers of this one request (captcha key and code, department and role of a switch). */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The one way to the server. Any code other than 200 toasts its words and is still answered (`success: false`);
 * 401 also ends the session; whitelisted codes and transport errors reject with a `TransportError`.
 */
export abstract class Http {
  abstract send<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Answer<ReplyOf<C>>>;
}
