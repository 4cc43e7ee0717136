import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import { apiScopesOf } from '../permission/api-scopes.ts';
import type { GrantedMenus } from '../permission/granted-menus.ts';
import { dataScopesOf } from '../permission/scopes.ts';
import { type Account, accountInSession, accountOf } from './accounts.ts';
import { guestOf } from './guests.ts';
import { within } from './previews.ts';
import type { Principal } from './principal.ts';
import type { PrincipalCache } from './principal-cache.ts';
import type { Sessions } from './sessions.ts';
import { type Tokens, tokenOf } from './tokens.ts';
import type { WireCipher } from './wire-cipher.ts';

/** What identifying takes. */
export interface IdentityParts {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly principals: PrincipalCache;
  readonly menus: GrantedMenus;
  readonly sessions: Sessions;
  /** Opens tokens of the form `crypto …`; without one there are none. */
  readonly cipher: WireCipher | undefined;
}

/** The room *identify*: who a request's header proves to be. Tokens in a query string are not looked at. */
export class Identity {
  constructor(private readonly parts: IdentityParts) {}

  async of(origin: Origin): Promise<Principal | undefined> {
    const { tokens, principals, cipher } = this.parts;
    const token = tokenOf(origin.header('things-auth') || origin.header('blade-auth'), cipher);
    return token === '' ? undefined : ((await principals.of(token, () => this.load(token))) ?? (await guestOf(tokens, token)));
  }

  private async load(token: string): Promise<{ principal: Principal; endsAt: number } | undefined> {
    const { db, tokens, sessions } = this.parts;
    const claims = await tokens.readAccess(token);
    const account = claims && (await accountInSession(db, claims.tenant_id, claims.sid));
    if (!account || account.userId !== claims.user_id) return undefined;
    // Nobody waits for it, and what it notes is out of date in a moment: failing to is no matter.
    if (account.isIdle) sessions.touch(account.tenantId, claims.sid).catch(() => undefined);
    const principal = await this.principalOf(account, claims.sid, account.locked);
    const own = account.own && (await this.principalOf(account.own, claims.sid, account.locked));
    return { endsAt: Math.min(claims.exp, account.endsAt), principal: own ? within(own, principal) : principal };
  }

  /** Who a user is without any session, for work that goes on after them; nobody who may no longer sign in. */
  async ofUser(tenantId: string, userId: string): Promise<Principal | undefined> {
    const account = await accountOf(this.parts.db, tenantId, userId);
    return account && this.principalOf(account, '', false);
  }

  private async principalOf(account: Account, sessionId: string, locked: boolean): Promise<Principal> {
    const { userId, tenantId, roleIds, roles, deptIds, passwordExpired } = account;
    const codes = await this.parts.menus.codes(account);
    const dataScopes = await dataScopesOf(this.parts.db, account);
    const mayCall = await apiScopesOf(this.parts.db, account);
    const who = { userId, tenantId, account: account.account, deptId: deptIds[0], deptIds, roleIds, roles };
    return { sessionId, ...who, codes, dataScopes, ...(mayCall ? { mayCall } : {}), passwordExpired, locked };
  }
}
