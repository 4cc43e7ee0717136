import type { Readable } from 'node:stream';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { Language } from '#shared/text';
import type { Principal } from '../principal/principal.ts';

/** A file being uploaded; it can be read once, and only before the call is answered. */
export interface Upload {
  /** File name chosen by the user. */
  readonly name: string;
  readonly content: Readable;
}

/** One request as a handler sees it: identified, authorized, validated and inside its tenant. */
export interface CallRequest<C extends Call = Call> {
  readonly input: InputOf<C>;
  readonly principal: Principal;
  readonly language: Language;
  /** Present if the call takes a file. */
  readonly upload?: Upload | undefined;
  /** Returns a header's text, '' when absent; present if the call takes its raw body. */
  readonly header?: ((name: string) => string) | undefined;
}

/** Result that `prepare` computed for a request before its transaction began. */
export interface Prepared<Value> {
  readonly prepared: Value;
}

/** Returns the reply that the contract declares, or throws a `Refusal`. GET runs in `read`, POST in `write`. */
export type Handler<C extends Call> = (request: CallRequest<C>) => Promise<ReplyOf<C>> | ReplyOf<C>;

/** Options of a handler that differs from the default. */
export interface ServeOptions<C extends Call = Call, Value = undefined> {
  /** Runs before the transaction begins, for slow work such as hashing a password. The handler receives the result. */
  readonly prepare?: (request: CallRequest<C>) => Promise<Value>;
  /** True if the reply contains a secret and must not be stored; a repeated request only learns that it was already done. */
  readonly noStore?: boolean;
  /**
   * True if the handler opens its own transactions, because it waits for the network or computes at length between them. Its writes are then neither logged with their
   * changes nor protected by an idempotency key.
   */
  readonly manualTransactions?: boolean;
  /** Further paths of the call, used by BladeX-compatible clients. */
  readonly aliases?: readonly string[];
}
