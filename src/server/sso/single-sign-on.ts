import { sql } from 'drizzle-orm';
import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import type { SsoConfiguration } from '../sign-in-ways/configuration.ts';
import type { Returned, States } from '../sign-in-ways/states.ts';
import type { Identities, StoredIdentity } from '../social/identities.ts';
import type { Brought, Traveller } from '../social/social-sign-in.ts';
import { type IdClaims, Issuer } from './issuer.ts';

/** What single sign-on is called among the sources of identities. */
export const ssoSource = 'sso';

/** What single sign-on is made of. */
export interface SsoParts {
  readonly db: Database;
  readonly identities: Identities;
  readonly states: States;
  readonly publicUrl: URL | undefined;
  readonly configuration: SsoConfiguration | undefined;
}

/** Single sign-on at the deployment's OpenID Connect issuer, with PKCE and nonce. */
export class SingleSignOn {
  private readonly issuer: Issuer | undefined;

  constructor(private readonly parts: SsoParts) {
    this.issuer = parts.configuration && new Issuer(parts.configuration);
  }

  isOffered(tenantId: string): boolean {
    return this.issuer !== undefined && this.parts.configuration?.tenantId === tenantId;
  }

  async begin({ tenantId, holder, cookies }: Traveller): Promise<{ location: string; cookie: string }> {
    const issuer = this.offered(tenantId);
    const { cookie, ...expected } = this.parts.states.begin({ tenantId, source: ssoSource, holder }, cookies);
    return { location: await issuer.authorizeUrl({ ...expected, redirectUri: this.redirectUri }), cookie };
  }

  /** The identity the issuer has proved. Which tenant's is in the state. */
  async finish(
    brought: Brought & { readonly iss: string },
    { holder, cookies }: Omit<Traveller, 'tenantId'>,
  ): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const returned = await this.parts.states.finish(brought.state, { source: ssoSource, holder }, cookies);
    const { tenantId } = returned;
    const claims = await this.claimsOf(brought, returned);
    const { sub, name, picture, email } = claims;
    const avatar = /^https?:\/\//.test(picture) ? picture : '';
    const identity = await this.parts.identities.remember({ tenantId, source: ssoSource }, { uuid: sub, unionId: '', name, avatar, email });
    const userId = identity.userId === null && holder === '' ? await this.matched(tenantId, claims) : undefined;
    if (userId === undefined) return { tenantId, identity };
    await this.parts.identities.bind(tenantId, identity, userId);
    return { tenantId, identity: { ...identity, userId } };
  }

  private claimsOf({ code, iss, state }: Brought & { readonly iss: string }, { tenantId, nonce, verifier }: Returned): Promise<IdClaims> {
    return this.offered(tenantId).claims({ code, iss }, { state, nonce, verifier, redirectUri: this.redirectUri });
  }

  /** The one account with a confirmed address, where the deployment says that addresses tell. */
  private async matched(tenantId: string, { email, isEmailVerified }: IdClaims): Promise<string | undefined> {
    const { db, configuration } = this.parts;
    if (!configuration?.matchesEmail || !isEmailVerified || email === '') return undefined;
    const found = await db.read({ tenantId }, () =>
      rowsOf<{ id: string; taken: boolean }>(
        db,
        sql`select u.id::text as id, exists (select 1 from user_oauth o where o.user_id = u.id and o.source = ${ssoSource} and o.is_deleted = 0) as taken
            from user_account u where lower(u.email) = lower(${email}) and u.is_deleted = 0 and u.status = 1 limit 2`,
      ),
    );
    const [one] = found;
    return found.length === 1 && one && !one.taken ? one.id : undefined;
  }

  private offered(tenantId: string): Issuer {
    if (!this.issuer || !this.isOffered(tenantId)) throw new Refusal(wayProblems.notOffered);
    return this.issuer;
  }

  private get redirectUri(): string {
    return new URL(`/oauth/redirect/${ssoSource}`, this.parts.publicUrl).href;
  }
}
