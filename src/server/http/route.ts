import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { Refusal } from '#shared/errors';
import type { Language } from '#shared/text';
import type { CallRequest } from '../plugin.ts';

/** What a request says about where it comes from; never about who makes it. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** A header's text, '' when absent. */
  header(name: string): string;
}

/** A request as the kernel's own handlers see it. */
export interface KernelRequest<C extends Call = Call> extends CallRequest<C> {
  readonly origin: Origin;
}

/** A call with whoever answers it. */
export interface Route<C extends Call = Call> {
  readonly call: C;
  /** The id of the plugin that serves it, or `kernel`. */
  readonly plugin: string;
  readonly handler: (request: KernelRequest<C>) => Promise<ReplyOf<C>> | ReplyOf<C>;
  /** Served under these addresses too. */
  readonly aliases?: readonly string[];
  /** The handler opens its own transactions: it hashes passwords or waits for the network between them. */
  readonly ownTransactions?: boolean;
  /** Allowed although the password must be changed first. */
  readonly despiteExpiredPassword?: boolean;
  /** The body of a refusal where the envelope is not spoken. */
  readonly refused?: (refusal: Refusal, language: Language) => object;
}

/** A route whose handler fits its call; the compiler checks it here, the list of all routes no longer knows. */
export function route<C extends Call>(call: C, handler: Route<C>['handler'], options: Omit<Route, 'call' | 'handler' | 'plugin'> = {}): Route {
  return { call, plugin: 'kernel', handler: handler as unknown as Route['handler'], ...options };
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
