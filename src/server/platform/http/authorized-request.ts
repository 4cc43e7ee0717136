import type { ApiError } from '#shared/errors';
import type { Principal } from '../principal/principal.ts';
import type { KernelRequest, Origin, Route, SentFile } from './route.ts';

/** A request that has passed every stage of the pipeline before *handle*. */
export interface AuthorizedRequest {
  readonly route: Route;
  readonly request: KernelRequest;
  milliseconds(): number;
  /** Serializes the handler's result; a download stays a file. */
  body(data: unknown): string | SentFile;
}

/** A request rejected in some stage. */
export interface RejectedRequest {
  readonly route: Route;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly input: unknown;
  readonly milliseconds: number;
  readonly error: ApiError;
}

/** Response of a handled request. */
export interface HandledResponse {
  readonly body: string | SentFile;
  /** True if it repeats the response of an earlier request with the same key. */
  readonly replayed: boolean;
}
