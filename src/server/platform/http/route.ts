import type { Readable } from 'node:stream';
import type { BatchResult, Call, Entity, InputOf, ReplyOf } from '#shared/contract';
import type { ApiError } from '#shared/errors';
import type { Language } from '#shared/text';
import type { LimitKind } from '../../base/rate-limits.ts';
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

// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement has this type.
type NoReply = null | void;

/** Reply of a handler: the data that the contract declares, or a file if its reply has no JSON type. Calls without data return nothing, and so do batches that leave nothing out. */
export type HandlerReply<C extends Call> = [ReplyOf<C>] extends [never]
  ? SentFile
  : ReplyOf<C> extends null
    ? NoReply
    : [ReplyOf<C>] extends [BatchResult | null]
      ? ReplyOf<C> | NoReply
      : ReplyOf<C>;

/** Origin of a request; says nothing about its user. */
export interface Origin {
  readonly address: string;
  /** Host the browser requested, as far as proxies are trusted: `console.company.cn`. */
  readonly host: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** Returns a header's text, '' when absent. */
  header(name: string): string;
}

/** A file sent as it is, without an envelope. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
  /** True if clients and proxies may cache it. */
  readonly isPublic: boolean;
  /** Byte range to send, if not the whole. */
  readonly part?: { readonly start: number; readonly end: number } | undefined;
  readonly content: Readable;
}

/** A request with its origin, and with headers of its reply. */
export interface KernelRequest<C extends Call = Call> extends CallRequest<C> {
  readonly origin: Origin;
  /** Adds a cookie to the reply, in the format of `Set-Cookie`. */
  setCookie(cookie: string): void;
}

/** A call with its handler. */
export interface Route<C extends Call = Call> {
  readonly call: C;
  /** Id of the plugin that serves it, or `kernel`. */
  readonly plugin: string;
  readonly handler: (request: KernelRequest<C>) => Promise<HandlerReply<C>> | HandlerReply<C>;
  /** Throws if the plugin is disabled for the caller. */
  readonly assertPluginEnabled?: (principal: Principal | undefined) => void;
  /** Entity whose rows a call of a generic screen returns or saves; other plugins may have added fields to them. */
  readonly rows?: { readonly entity: Entity; readonly saves: boolean } | undefined;
  /** Further paths of the call, used by BladeX-compatible clients. */
  readonly aliases?: readonly string[];
  /**
   * True if the handler opens its own transactions, because it waits for the network or computes at length between them. Its writes are then neither logged with their
   * changes nor protected by an idempotency key.
   */
  readonly manualTransactions?: boolean;
  /** True for a call that a page repeats while it is open; the API log then contains only its refusals. */
  readonly unlogged?: boolean;
  /** True for the call by which traces themselves are reported. */
  readonly isUntraced?: boolean;
  /** True if the call is allowed although the password must be changed first. */
  readonly allowExpiredPassword?: boolean;
  /** True if the call is allowed although the second factor that a role requires is missing. */
  readonly allowMissingSecondFactor?: boolean;
  /** True if the call is allowed although the screen is locked. */
  readonly allowLocked?: boolean;
  /** True if the call is allowed during a role preview, because it changes nothing but the current session. */
  readonly allowPreview?: boolean;
  /** True for a GET that changes data. */
  readonly writes?: boolean;
  /** Runs before the transaction begins; the handler finds the result in the request's `prepared`. */
  readonly prepare?: (request: KernelRequest<C>) => Promise<unknown>;
  /** True if the reply contains a secret and must not be stored; a repeated request only learns that it was already done. */
  readonly noStore?: boolean;
  /** Tests whether this input ends the caller's session here; the browser is then asked to clear its cache. */
  readonly signsOut?: (input: Input) => boolean;
  /** Rate limit by address; calls without a session that set none share the limit `open`. */
  readonly limit?: Exclude<LimitKind, 'calls'>;
  /** Builds the body of an error for calls without the envelope. */
  readonly errorBody?: (refusal: ApiError, language: Language) => object;
}

/** Options of a route that differ from the default. */
export interface RouteOptions<C extends Call = Call, Value = undefined> extends Partial<Omit<Route, 'call' | 'handler' | 'prepare'>> {
  /** Runs before the transaction begins, for slow work such as hashing a password. The handler receives the result. */
  readonly prepare?: (request: KernelRequest<C>) => Promise<Value>;
}

/**
 * Declares a route. The handler returns the reply that the contract declares, if it declares data, or throws an `ApiError`; GET runs in `read`, POST in `write`. Its types
 * are checked here, because the list of all routes no longer knows them.
 */
export function route<C extends Call, Value = undefined>(
  call: C,
  handler: (request: KernelRequest<C> & Prepared<Value>) => Promise<HandlerReply<C>> | HandlerReply<C>,
  options: RouteOptions<C, Value> = {},
): Route {
  return { call, plugin: 'kernel', ...options, handler: handler as Route['handler'] } as Route;
}

/** A request that opens a stream. */
export interface StreamRequest {
  readonly principal: Principal;
  readonly origin: Origin;
  /** Identifies the user again; undefined if they may no longer receive the stream. */
  review(): Promise<Principal | undefined>;
}

/** A call that replies with a stream for as long as both sides stay connected. */
export interface StreamRoute {
  readonly call: Call;
  open(request: StreamRequest): Promise<Readable>;
  readonly allowExpiredPassword?: boolean;
}

/** Input of a call as its handler receives it. */
export type Input = InputOf<Call>;

/** A call that must not be served, for example without a permission or with a duplicate path. The server does not start with one. */
export class BootError extends Error {
  override readonly name = 'BootError';
}

/** Lists every path of a route, its own first. */
export const routePaths = ({ call, aliases = [] }: Route): readonly string[] => [call.path, ...aliases];

/** Throws for calls without a declared permission and for two calls on one path. */
export function checkRoutes(routes: readonly Route[]): void {
  const seen = new Map<string, string>();
  for (const one of routes) {
    const { access, method } = one.call;
    if (!isDeclared(access))
      throw new BootError(`${method} ${one.call.path} (${one.plugin}) declares no access. Give it a permission code, 'signedIn' or 'open'.`);
    for (const address of routePaths(one)) {
      const key = `${method} ${address}`;
      const other = seen.get(key);
      if (other !== undefined) throw new BootError(`${key} is served twice: by ${other} and by ${one.plugin}.`);
      seen.set(key, one.plugin);
    }
  }
}

function isDeclared(access: unknown): boolean {
  if (access === 'open' || access === 'signedIn') return true;
  if (typeof access !== 'object' || access === null) return false;
  const { code, add, edit } = access as Record<string, unknown>;
  const isCode = (value: unknown) => typeof value === 'string' && value !== '';
  return isCode(code) || (isCode(add) && isCode(edit));
}
