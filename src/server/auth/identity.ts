import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import type { GrantedMenus } from '../permission/granted-menus.ts';
import { accountInSession } from './accounts.ts';
import type { Principal } from './principal.ts';
import type { PrincipalCache } from './principal-cache.ts';
import { bearerOf, type Tokens } from './tokens.ts';

/** The room *identify*: who a request's header proves to be. Tokens in a query string are not looked at. */
export class Identity {
  constructor(
    private readonly db: Database,
    private readonly tokens: Tokens,
    private readonly principals: PrincipalCache,
    private readonly menus: GrantedMenus,
  ) {}

  async of(origin: Origin): Promise<Principal | undefined> {
    const token = bearerOf(origin.header('things-auth') || origin.header('blade-auth'));
    return token === '' ? undefined : this.principals.of(token, () => this.load(token));
  }

  private async load(token: string): Promise<{ principal: Principal; tokenEnds: number } | undefined> {
    const claims = await this.tokens.readAccess(token);
    const account = claims && (await accountInSession(this.db, claims.tenant_id, claims.sid));
    if (!account || account.userId !== claims.user_id) return undefined;
    const { userId, tenantId, roleIds, roles, passwordExpired } = account;
    const codes = await this.menus.codes(account);
    return {
      tokenEnds: claims.exp,
      principal: { sessionId: claims.sid, userId, tenantId, account: account.account, deptId: account.deptIds[0], roleIds, roles, codes, passwordExpired },
    };
  }
}
