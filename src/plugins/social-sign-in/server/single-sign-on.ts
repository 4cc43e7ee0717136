import { sql } from 'drizzle-orm';
import { ApiError, type Database, type Identities, queryRows, type SignInPort, type StoredIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { type IdClaims, Issuer } from './issuer.ts';
import type { OAuthStateStore, RestoredOAuthState } from './oauth-state-store.ts';
import type { CallbackParams, OAuthRequest } from './social-sign-in.ts';

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
    return new URL(`/oauth/redirect/${ssoSource}`, this.deps.publicUrl).href;
  }
}
