import type { Refusal } from '#shared/errors';
import type { Principal } from '../auth/principal.ts';
import type { KernelRequest, Origin, Route, SentFile } from './route.ts';

/** A request that has passed every room before *handle*. */
export interface Admitted {
  readonly route: Route;
  readonly request: KernelRequest;
  milliseconds(): number;
  /** The reply's text for what the handler gave; a file where the call answers with one. */
  body(data: unknown): string | SentFile;
}

/** A request that was refused in some room. */
export interface Refused {
  readonly route: Route;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly entered: unknown;
  readonly milliseconds: number;
  readonly refusal: Refusal;
}

/** What a handled request is told. */
export interface Answer {
  readonly body: string | SentFile;
  /** True: told again what an earlier request with the same key was told. */
  readonly replayed: boolean;
}
