import type { TokenInput } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import type { Call, ReplyOf } from '#shared/contract';
import { ApiError, type Problem } from '#shared/errors';
import { noSignInMethods, type SignInOptions, type SignInProvider, type tenantInfo } from '#shared/sign-in-options';
import type { SignInMethodsConfiguration } from '../../../base/configuration/sign-in-methods.ts';
import { isTenantId, platformTenant } from '../../../data/context/identity.ts';
import type { Database } from '../../../data/database/database.ts';
import { asPlugin } from '../../audit/stray-errors.ts';
import { type Origin, type Route, route } from '../../http/route.ts';
import { tenantOfHost } from '../accounts/tenant-of-host.ts';
import type { Identities, StoredIdentity } from '../oauth/identities.ts';
import type { RateLimit } from '../oauth/rate-limiter.ts';
import type { RelyingParties } from '../passkeys/relying-parties.ts';
import type { ProviderEnding } from '../sessions/provider-endings.ts';

/** Identity that a provider has verified. */
export interface VerifiedIdentity {
  readonly identity: StoredIdentity;
  /** The method's record of this sign-in. Its sessions carry the id, also after a second factor, so that the method can end them. */
  readonly signInId?: string;
}

/** A proof that could be guessed. */
export interface GuessableProof {
  /** Account name or phone number whose failures are counted, and locked, together with those of passwords. */
  readonly subject: string;
  /** Returns the id of the user, the identity that a directory has verified, or undefined for a wrong proof. */
  readonly check: () => Promise<string | VerifiedIdentity | undefined>;
  /** Error for a wrong proof, and for a user who cannot sign in. */
  readonly wrong: Problem;
}

/** Result of a sign-in method. The kernel counts failures, looks the account up, asks for a second factor and issues the tokens. */
export type SignInResult =
  | { readonly tenantId: string; readonly proof: GuessableProof }
  /** Identity that a provider has verified: it signs in the user it is linked to, or may request an account. */
  | ({ readonly tenantId: string } & VerifiedIdentity)
  /** Account that was requested and signs no one in yet. */
  | { readonly tenantId: string; readonly requested: { readonly account: string } };

/** Request of a sign-in method at the token endpoint; its client may use the grant. */
export interface SignInRequest {
  readonly input: TokenInput;
  readonly origin: Origin;
}

/** Offer of a method in a tenant: whether it is offered, or its providers by source or with their names. */
export type Offer = boolean | readonly string[] | readonly SignInProvider[];

/** A sign-in method of a plugin. */
export interface SignInMethod {
  /** Name of its field in the reply of `oauth/ways`; the console's half of the method has the same id. */
  readonly id: string;
  /** Returns what the sign-in page of the tenant offers: nothing (false), the method (true), or the providers of the method. */
  offers(tenantId: string): Promise<Offer>;
  /** Handlers by grant type of the token endpoint. */
  readonly grants?: Readonly<Record<string, (request: SignInRequest) => Promise<SignInResult>>>;
}

/** Checks of the kernel for sign-in methods of plugins. */
export abstract class SignInPort {
  /** Counts a request against each limit, on all replicas together; throws at the first that is used up. */
  abstract limit(limits: readonly RateLimit[]): Promise<void>;
  /** Checks the captcha that the headers of a request answer, where the deployment requires one. */
  abstract checkCaptcha(origin: Origin): Promise<void>;
  /** True if a running plugin offers the method in the tenant. */
  abstract isOffered(id: string, tenantId: string): Promise<boolean>;
  /** Ends sessions because the provider of an identity demands it, and records each in the login log; returns their number. */
  abstract endSessions(ending: ProviderEnding): Promise<number>;
  abstract readonly identities: Identities;
  /** Settings of the environment. */
  abstract readonly configuration: Omit<SignInMethodsConfiguration, 'smsOutbox'>;
}

/** Declares a call that leads to a grant or follows one. Open calls share the limit of sign-ins by address, and every handler opens its own transactions. */
export const signInRoute = <C extends Call>(call: C, handler: Route<C>['handler'], options: Pick<Route, 'aliases'> = {}): Route =>
  route(call, handler, { ...options, manualTransactions: true, ...(call.access === 'open' ? { limit: 'token' } : {}) });

/** Grants of the kernel itself. `authorization_code` is shared: the format of a code tells its issuer. */
const ownGrants: readonly string[] = ['captcha', 'password', 'totp', 'passkey', 'refresh_token'];

/** Sign-in methods of the running plugins; a disabled plugin has none. */
export class SignInMethods {
  private registered: { readonly plugin: string; readonly method: SignInMethod }[] = [];

  constructor(private readonly isOff: (plugin: string, tenantId: string) => boolean) {}

  register(plugin: string, method: SignInMethod): void {
    const taken = [...ownGrants, ...this.registered.flatMap((one) => Object.keys(one.method.grants ?? {}))];
    const twice = Object.keys(method.grants ?? {}).find((grant) => taken.includes(grant));
    if (twice !== undefined) throw new Error(`The grant type "${twice}" of the sign-in method "${method.id}" has another handler.`);
    if (this.registered.some((one) => one.method.id === method.id)) throw new Error(`There are two sign-in methods "${method.id}".`);
    this.registered.push({ plugin, method });
  }

  unregister(plugin: string): void {
    this.registered = this.registered.filter((one) => one.plugin !== plugin);
  }

  /** Runs the method of a grant. One of a disabled plugin is as one that does not exist, in the tenant of the request and in that of the result. */
  async authenticate(grant: string, request: SignInRequest, tenantId: string): Promise<SignInResult> {
    const found = this.registered.find(({ method }) => Object.hasOwn(method.grants ?? {}, grant));
    const handle = found?.method.grants?.[grant];
    if (!found || !handle || this.isOff(found.plugin, tenantId)) throw new ApiError(signInProblems.grantNotAllowed);
    const result = await asPlugin(found.plugin, () => handle(request));
    if (this.isOff(found.plugin, result.tenantId)) throw new ApiError(signInProblems.grantNotAllowed);
    return result;
  }

  /** Returns what each method offers in a tenant, by its id. */
  async offered(tenantId: string): Promise<Record<string, Offer>> {
    const offered: Record<string, Offer> = {};
    for (const { plugin, method } of this.registered) if (!this.isOff(plugin, tenantId)) offered[method.id] = await method.offers(tenantId);
    return offered;
  }

  async isOffered(id: string, tenantId: string): Promise<boolean> {
    const found = this.registered.find(({ method }) => method.id === id);
    return found !== undefined && !this.isOff(found.plugin, tenantId) && offersAny(await found.method.offers(tenantId));
  }
}

const offersAny = (offered: Offer) => (typeof offered === 'boolean' ? offered : offered.length > 0);

/** Dependencies of `TenantSignInMethods`. */
interface TenantSignInMethodsDeps {
  readonly db: Database;
  readonly methods: SignInMethods;
  readonly tenantMode: boolean;
  readonly parties: RelyingParties;
}

/** Finds the tenant of an address, and the sign-in methods of a tenant. Both are public. */
export class TenantSignInMethods {
  constructor(private readonly deps: TenantSignInMethodsDeps) {}

  /** Returns the sign-in methods; an unknown tenant gets those of a tenant without any settings. */
  async forTenant(requestedTenant: string | undefined, host: string): Promise<SignInOptions> {
    const { methods, parties, tenantMode } = this.deps;
    const tenantId = requestedTenant && isTenantId(requestedTenant) ? requestedTenant : platformTenant;
    return { ...noSignInMethods, ...(await methods.offered(tenantId)), passkey: await parties.isOffered(host), tenantMode };
  }

  /** Finds the tenant by host; the address may include scheme and path. */
  async forAddress(address: string | undefined): Promise<ReplyOf<typeof tenantInfo>> {
    const { db } = this.deps;
    const host = hostOf(address ?? '');
    if (host === '') return {};
    const found = await tenantOfHost(db, host);
    if (!found) return {};
    const { tenantId, domain, backgroundUrl } = found;
    return { tenantId, domain, ...(backgroundUrl ? { backgroundUrl } : {}), ways: await this.forTenant(tenantId, host) };
  }
}

const hostOf = (address: string) =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/')[0] ?? '';
