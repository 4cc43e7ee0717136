import { sql } from 'drizzle-orm';
import * as oidc from 'openid-client';
import { ApiError, type Database, type Identities, queryRows, type SignInPort, type StoredIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { OAuthHttpClient } from './oauth-http-client.ts';
import type { OAuthStateStore, RestoredOAuthState } from './oauth-state-store.ts';
import type { CallbackParams, OAuthRequest } from './social-sign-in.ts';

const metadataTtlMs = 3_600_000;

/** Claims of the issuer's signed id token. */
interface IdClaims {
  readonly sub: string;
  readonly name: string;
  readonly picture: string;
  readonly email: string;
  /** True if the issuer has verified the e-mail address. */
  readonly isEmailVerified: boolean;
}

/** Values of the authorization request that the callback must match. */
interface ExpectedCallback {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** OpenID Connect issuer of single sign-on. Its metadata is read on first use and again every hour. */
class Issuer {
  private cached: { readonly metadata: Promise<oidc.Configuration>; readonly since: number } | undefined;
  private readonly http: OAuthHttpClient;

  constructor(private readonly configuration: SsoConfiguration) {
    const { issuer, hosts } = configuration;
    this.http = new OAuthHttpClient([issuer, ...hosts.map((host) => `https://${host}`)]);
  }

  async authorizeUrl({ state, nonce, verifier, redirectUri }: ExpectedCallback): Promise<string> {
    const metadata = await this.metadata();
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    return oidc.buildAuthorizationUrl(metadata, parameters).href;
  }

  /** Exchanges a code for the claims of the id token. Signature, issuer, audience, times and nonce are checked; every failure gives the same error. */
  async claims(returned: { code: string; iss: string }, { state, nonce, verifier, redirectUri }: ExpectedCallback): Promise<IdClaims> {
    const metadata = await this.metadata();
    const address = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code: returned.code, state, ...(returned.iss ? { iss: returned.iss } : {}) }))
      address.searchParams.set(name, value);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(metadata, address, checks).catch((error: unknown) => {
      throw refusalOf(error, this.configuration.issuer.host);
    });
    const { sub = '', name, preferred_username, picture, email, email_verified } = tokens.claims() ?? ({} as Partial<oidc.IDToken>);
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return { sub, name: text(name) || text(preferred_username), picture: text(picture), email: text(email), isEmailVerified: email_verified === true };
  }

  private metadata(): Promise<oidc.Configuration> {
    if (!this.cached || Date.now() - this.cached.since > metadataTtlMs) {
      const metadata = this.discover();
      this.cached = { metadata, since: Date.now() };
      metadata.catch(() => (this.cached = undefined));
    }
    return this.cached.metadata;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.configuration;
    const proof = clientSecret === undefined ? oidc.None() : undefined;
    const execute = [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])];
    const options = { execute, timeout: 5, [oidc.customFetch]: (address: string, init: object) => this.http.fetch(address, init as RequestInit) };
    return oidc.discovery(issuer, clientId, clientSecret, proof, options).catch((error: unknown) => {
      throw refusalOf(error, issuer.host);
    });
  }
}

/** Distinguishes an issuer that does not answer from one that rejects the request or sends an invalid token. */
function refusalOf(error: unknown, host: string): ApiError {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1)
    if (current instanceof ApiError) return current;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${host}: ${code} ${message.slice(0, 200)}`) });
}

/** Issuer of single sign-on, and this deployment's client there. */
export type SsoConfiguration = NonNullable<SignInPort['configuration']['sso']>;

/** Source name of single sign-on among the sources of identities. */
export const ssoSource = 'sso';

/** Dependencies of `SingleSignOn`. */
export interface SingleSignOnDeps {
  readonly db: Database;
  readonly identities: Identities;
  readonly states: OAuthStateStore;
  readonly publicUrl: URL | undefined;
  readonly configuration: SsoConfiguration | undefined;
}

/** Single sign-on at the deployment's OpenID Connect issuer, with PKCE and nonce. */
export class SingleSignOn {
  private readonly issuer: Issuer | undefined;

  constructor(private readonly deps: SingleSignOnDeps) {
    this.issuer = deps.configuration && new Issuer(deps.configuration);
  }

  isOffered(tenantId: string): boolean {
    return this.issuer !== undefined && this.deps.configuration?.tenantId === tenantId;
  }

  async begin({ tenantId, userId, cookies }: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const issuer = this.issuerOf(tenantId);
    const { cookie, ...expected } = this.deps.states.begin({ tenantId, source: ssoSource, userId }, cookies);
    return { location: await issuer.authorizeUrl({ ...expected, redirectUri: this.redirectUri }), cookie };
  }

  /** Returns the identity the issuer has verified; its tenant comes from the state. */
  async finish(
    callback: CallbackParams & { readonly iss: string },
    { userId: linkingUserId, cookies }: Omit<OAuthRequest, 'tenantId'>,
  ): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const restored = await this.deps.states.finish(callback.state, { source: ssoSource, userId: linkingUserId }, cookies);
    const { tenantId } = restored;
    const claims = await this.claimsOf(callback, restored);
    const { sub, name, picture, email } = claims;
    const avatar = /^https?:\/\//.test(picture) ? picture : '';
    const identity = await this.deps.identities.upsert({ tenantId, source: ssoSource }, { uuid: sub, unionId: '', name, avatar, email });
    const userId = identity.userId === null && linkingUserId === '' ? await this.accountByEmail(tenantId, claims) : undefined;
    if (userId === undefined) return { tenantId, identity };
    await this.deps.identities.link(tenantId, identity, userId);
    return { tenantId, identity: { ...identity, userId } };
  }

  private claimsOf({ code, iss, state }: CallbackParams & { readonly iss: string }, { tenantId, nonce, verifier }: RestoredOAuthState): Promise<IdClaims> {
    return this.issuerOf(tenantId).claims({ code, iss }, { state, nonce, verifier, redirectUri: this.redirectUri });
  }

  /** Finds the only account with a verified e-mail address, if the deployment matches accounts by address. */
  private async accountByEmail(tenantId: string, { email, isEmailVerified }: IdClaims): Promise<string | undefined> {
    const { db, configuration } = this.deps;
    if (!configuration?.matchesEmail || !isEmailVerified || email === '') return undefined;
    const accounts = await db.read({ tenantId }, () =>
      queryRows<{ id: string; isLinked: boolean }>(
        db,
        sql`select u.id::text as id, exists (select 1 from user_oauth o where o.user_id = u.id and o.source = ${ssoSource} and o.is_deleted = 0) as "isLinked"
            from user_account u where lower(u.email) = lower(${email}) and u.is_deleted = 0 and u.status = 1 limit 2`,
      ),
    );
    const [account] = accounts;
    return accounts.length === 1 && account && !account.isLinked ? account.id : undefined;
  }

  private issuerOf(tenantId: string): Issuer {
    if (!this.issuer || !this.isOffered(tenantId)) throw new ApiError(signInMethodProblems.notOffered);
    return this.issuer;
  }

  private get redirectUri(): string {
    return new URL(`oauth/redirect/${ssoSource}`, this.deps.publicUrl).href;
  }
}
