import type { TokenReply, UserFacts } from '#shared/auth';
import { isAdministrator } from '../permission/granted-menus.ts';
import type { Account, SessionAccount } from './accounts.ts';

/** What tokens, token replies and the user's own screen say about an account, in the names of the wire. */
export function userFacts(account: Account & Partial<Pick<SessionAccount, 'userType' | 'own'>>): UserFacts {
  const deptId = account.deptIds[0] ?? '';
  return {
    tenant_id: account.tenantId,
    user_id: account.userId,
    dept_id: account.deptIds.join(','),
    post_id: account.postIds.join(','),
    role_id: account.roleIds.join(','),
    oauth_id: '',
    account: account.account,
    user_name: account.account,
    nick_name: account.name,
    real_name: account.realName,
    role_name: account.roles.join(','),
    roleName: account.roleNames.join(','),
    avatar: account.avatar,
    is_admin: isAdministrator(account.roles) ? 0 : 1,
    depart_id: deptId,
    company_id: deptId,
    password_expired: account.passwordExpired,
    ...(account.own ? { is_preview: true } : {}),
    detail: { type: account.userType ?? 'web' },
  };
}

/** The claims integrators read from an access token, `wire.md` §2.2. */
export function tokenDetails(account: Account): Record<string, unknown> {
  const {
    roleName: _names,
    avatar: _avatar,
    is_admin: _is,
    depart_id: _depart,
    company_id: _company,
    password_expired: _expired,
    is_preview: _preview,
    ...details
  } = userFacts(account);
  return details;
}

/** The bare reply of the token endpoint. */
export function tokenReply(account: Account, tokens: { access: string; refresh: string; seconds: number }, timeZone: string): TokenReply {
  const facts = { ...userFacts(account), time_zone: timeZone };
  return { ...facts, access_token: tokens.access, refresh_token: tokens.refresh, token_type: 'bearer', expires_in: tokens.seconds };
}
