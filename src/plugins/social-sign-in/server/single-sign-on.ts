import { ApiError, type Database, type Identities, type SignInPort, type StoredIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { accountByEmail } from './identity-providers/account-by-email.ts';
import { Issuer, type IssuerClaims } from './issuer.ts';
import { OAuthHttpClient } from './oauth-http-client.ts';
import { type CallbackParams, type OAuthRequest, pictureAddress, redirectUriOf } from './oauth-request.ts';
import type { OAuthStateStore, RestoredOAuthState } from './oauth-state-store.ts';

/** Issuer of single sign-on, and this deployment's client there. */
type SsoConfiguration = NonNullable<SignInPort['configuration']['sso']>;

/** Scopes that every issuer knows. */
export const defaultScopes = 'openid profile email';

function issuerOf({ hosts, ...configuration }: SsoConfiguration): Issuer {
  const http = new OAuthHttpClient([configuration.issuer, ...hosts.map((host) => `https://${host}`)]);
  return new Issuer({ ...configuration, scopes: defaultScopes }, (address, init) => http.fetch(address, init));
}

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
    this.issuer = deps.configuration && issuerOf(deps.configuration);
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
    const identity = await this.deps.identities.upsert(
      { tenantId, source: ssoSource },
      { uuid: sub, unionId: '', name, avatar: pictureAddress(picture), email },
    );
    const userId = identity.userId === null && linkingUserId === '' ? await this.accountByEmail(tenantId, claims) : undefined;
    if (userId === undefined) return { tenantId, identity };
    await this.deps.identities.link(tenantId, identity, userId);
    return { tenantId, identity: { ...identity, userId } };
  }

  private claimsOf({ code, iss, state }: CallbackParams & { readonly iss: string }, { tenantId, nonce, verifier }: RestoredOAuthState): Promise<IssuerClaims> {
    return this.issuerOf(tenantId).claims({ code, iss }, { state, nonce, verifier, redirectUri: this.redirectUri });
  }

  private async accountByEmail(tenantId: string, { email, isEmailVerified }: IssuerClaims): Promise<string | undefined> {
    const { db, configuration } = this.deps;
    return configuration?.matchesEmail && isEmailVerified ? accountByEmail(db, tenantId, email, ssoSource) : undefined;
  }

  private issuerOf(tenantId: string): Issuer {
    if (!this.issuer || !this.isOffered(tenantId)) throw new ApiError(signInMethodProblems.notOffered);
    return this.issuer;
  }

  private get redirectUri(): string {
    return redirectUriOf(ssoSource, this.deps.publicUrl);
  }
}
