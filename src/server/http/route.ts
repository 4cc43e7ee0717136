import type { Readable } from 'node:stream';
import type { Call, Entity, InputOf, ReplyOf } from '#shared/contract';
import type { Refusal } from '#shared/errors';
import type { Language } from '#shared/text';
import type { Principal } from '../auth/principal.ts';
import type { CallRequest } from '../plugin.ts';
import type { LimitKind } from './rate-limits.ts';

/** What a request says about where it comes from; never about who makes it. */
export interface Origin {
  readonly address: string;
  /** The host the browser asked, as far as proxies are believed: `console.company.cn`. */
  readonly host: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** A header's text, '' when absent. */
  header(name: string): string;
}

/** A file as it leaves, instead of an envelope. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** True: whoever has its address may keep it. */
  readonly isPublic: boolean;
  /** The bytes that leave, where not all do. */
  readonly part?: { readonly start: number; readonly end: number } | undefined;
  readonly content: Readable;
}

/** A request as the kernel's own handlers see it. */
export interface KernelRequest<C extends Call = Call> extends CallRequest<C> {
  readonly origin: Origin;
  /** A cookie of the reply, as `Set-Cookie` has it. */
  setCookie(cookie: string): void;
}

/** A call with whoever answers it. */
export interface Route<C extends Call = Call> {
  readonly call: C;
  /** The id of the plugin that serves it, or `kernel`. */
  readonly plugin: string;
  readonly handler: (request: KernelRequest<C>) => Promise<ReplyOf<C>> | ReplyOf<C>;
  /** Refuses whoever has the plugin switched off. */
  readonly refuseOff?: (principal: Principal | undefined) => void;
  /** Whose rows a call of a generic screen answers with, or saves: other plugins may have added fields to them. */
  readonly rows?: { readonly entity: Entity; readonly saves: boolean } | undefined;
  /** Served under these addresses too. */
  readonly aliases?: readonly string[];
  /** The handler opens its own transactions: it hashes passwords or waits for the network between them. */
  readonly ownTransactions?: boolean;
  /** Allowed although the password must be changed first. */
  readonly despiteExpiredPassword?: boolean;
  /** Allowed although the screen is locked. */
  readonly despiteLock?: boolean;
  /** Allowed while the console is looked at as other roles: it changes nothing but the session that looks. */
  readonly despitePreview?: boolean;
  /** A GET that something is changed by after all. */
  readonly writes?: boolean;
  /** Done before the transaction begins; the handler finds its outcome in the request's `prepared`. */
  readonly prepare?: (request: KernelRequest<C>) => Promise<unknown>;
  /** The reply is kept nowhere, for it tells a secret. */
  readonly tellsSecret?: boolean;
  /** How often one address may call it. */
  readonly limit?: Exclude<LimitKind, 'calls'>;
  /** The body of a refusal where the envelope is not spoken. */
  readonly refused?: (refusal: Refusal, language: Language) => object;
}

/** A route whose handler fits its call; the compiler checks it here, the list of all routes no longer knows. */
export function route<C extends Call>(call: C, handler: Route<C>['handler'], options: Partial<Omit<Route, 'call' | 'handler'>> = {}): Route {
  return { call, plugin: 'kernel', handler: handler as unknown as Route['handler'], ...options };
}

/** Who opens a stream. */
export interface StreamRequest {
  readonly principal: Principal;
  readonly origin: Origin;
  /** Asks anew who it is; nothing when they may no longer have the stream. */
  review(): Promise<Principal | undefined>;
}

/** A call that is answered with a stream, for as long as both sides stay. */
export interface StreamRoute {
  readonly call: Call;
  open(request: StreamRequest): Promise<Readable>;
  readonly despiteExpiredPassword?: boolean;
}

/** The input of a call as its handler gets it. */
export type Input = InputOf<Call>;

/** A call that may not be served at all: undeclared permission, two on one address. The server does not start with one. */
export class BootRefusal extends Error {
  override readonly name = 'BootRefusal';
}

/** Every address a route answers, its own first. */
export const addressesOf = ({ call, aliases = [] }: Route): readonly string[] => [call.path, ...aliases];

/** Refuses calls without a declared permission and two calls on one address. */
export function checkRoutes(routes: readonly Route[]): void {
  const seen = new Map<string, string>();
  for (const one of routes) {
    const { who, method } = one.call;
    if (!isDeclared(who))
      throw new BootRefusal(`${method} ${one.call.path} (${one.plugin}) does not say who may make it. Give it a permission code, 'signedIn' or 'open'.`);
    for (const address of addressesOf(one)) {
      const key = `${method} ${address}`;
      const other = seen.get(key);
      if (other !== undefined) throw new BootRefusal(`${key} is served twice: by ${other} and by ${one.plugin}.`);
      seen.set(key, one.plugin);
    }
  }
}

function isDeclared(who: unknown): boolean {
  if (who === 'open' || who === 'signedIn') return true;
  if (typeof who !== 'object' || who === null) return false;
  const { code, add, edit } = who as Record<string, unknown>;
  const isCode = (value: unknown) => typeof value === 'string' && value !== '';
  return isCode(code) || (isCode(add) && isCode(edit));
}
