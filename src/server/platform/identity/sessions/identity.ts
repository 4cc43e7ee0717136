import { queryTokenProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import { anonymous } from '../../http/authorize-call.ts';
import type { Origin } from '../../http/route.ts';
import type { WireCipher } from '../../http/wire-cipher.ts';
import { apiScopesOf } from '../../permission/api-scopes.ts';
import type { GrantedMenus } from '../../permission/granted-menus.ts';
import { dataScopesOf } from '../../permission/scopes.ts';
import type { Principal } from '../../principal/principal.ts';
import type { PrincipalCache } from '../../principal/principal-cache.ts';
import { type Account, findAccountById, findSessionAccount, isSecondFactorMissing } from '../accounts/accounts.ts';
import { intersectPrincipals } from '../accounts/role-preview.ts';
import type { Sessions } from './sessions.ts';
import { type Tokens, tokenOf } from './tokens.ts';

/** Dependencies of `Identity`. */
export interface IdentityDeps {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly principals: PrincipalCache;
  readonly menus: GrantedMenus;
  readonly sessions: Sessions;
  /** Decrypts tokens of the form `crypto …`; undefined rejects them. */
  readonly cipher: WireCipher | undefined;
}

/** Maximum lifetime of an access token accepted in a query, in seconds: URLs are recorded in more places than headers. */
const maxQueryTokenSeconds = 3600;

/** The stage *identify*: finds the principal of a request by its header, or by the query of a download. */
export class RequestIdentity {
  constructor(private readonly deps: IdentityDeps) {}

  /** Returns the principal; the header takes precedence over the query. Throws for a long-lived token in the query. */
  async of(origin: Origin, queryToken = ''): Promise<Principal | undefined> {
    const { principals, cipher } = this.deps;
    const header = origin.header('things-auth') || origin.header('blade-auth');
    const token = tokenOf(header || queryToken, cipher);
    if (token === '') return undefined;
    if (header === '') await this.assertShortLived(token);
    return (await principals.of(token, () => this.load(token))) ?? (await this.unlinkedIdentity(token));
  }

  /** Returns the principal of an unlinked identity; undefined for any other token. */
  private async unlinkedIdentity(token: string): Promise<Principal | undefined> {
    const claims = await this.deps.tokens.readUnlinkedIdentity(token);
    return claims && { ...anonymous, guest: { tenantId: claims.tenant_id, oauthId: claims.oauth_id } };
  }

  private async assertShortLived(token: string): Promise<void> {
    const claims = await this.deps.tokens.readAccess(token);
    if (claims && claims.exp - claims.nbf > maxQueryTokenSeconds) throw new ApiError(queryTokenProblems.longLived);
  }

  private async load(token: string): Promise<{ principal: Principal; endsAt: number } | undefined> {
    const { db, tokens, sessions } = this.deps;
    const claims = await tokens.readAccess(token);
    const account = claims && (await findSessionAccount(db, claims.tenant_id, claims.sid));
    if (!account || account.userId !== claims.user_id) return undefined;
    // The result is not awaited and failures are ignored, because the recorded time is outdated within moments anyway.
    if (account.isIdle) sessions.touch(account.tenantId, claims.sid).catch(() => undefined);
    const session = { sessionId: claims.sid, locked: account.locked, provenAt: account.provenAt ?? undefined };
    const principal = await this.principalOf(account, session);
    const own = account.own && (await this.principalOf(account.own, session));
    const { client_id: clientId } = claims;
    return { endsAt: Math.min(claims.exp, account.endsAt), principal: { ...(own ? intersectPrincipals(own, principal) : principal), clientId } };
  }

  /** Builds a principal without a session, for work that continues after the user has left; undefined if the user can no longer sign in. */
  async ofUser(tenantId: string, userId: string): Promise<Principal | undefined> {
    const account = await findAccountById(this.deps.db, tenantId, userId);
    return account && this.principalOf(account, { sessionId: '', locked: false, provenAt: undefined });
  }

  private async principalOf(
    account: Account & { readonly own?: Account | undefined },
    session: Pick<Principal, 'sessionId' | 'locked' | 'provenAt'>,
  ): Promise<Principal> {
    const { userId, tenantId, roleIds, roles, deptIds, passwordExpired } = account;
    const codes = await this.deps.menus.codes(account);
    // A preview shows what the roles show to a user without a rule of their own.
    const dataScopes = await dataScopesOf(this.deps.db, account.own ? { tenantId, roleIds, roles } : account);
    const mayCall = await apiScopesOf(this.deps.db, account);
    const access = { userId, tenantId, account: account.account, deptId: deptIds[0], deptIds, roleIds, roles };
    return { ...session, ...access, codes, dataScopes, ...(mayCall ? { mayCall } : {}), passwordExpired, secondFactorMissing: isSecondFactorMissing(account) };
  }
}
