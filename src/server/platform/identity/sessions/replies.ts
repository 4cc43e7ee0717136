import type { TokenReply, UserFacts } from '#shared/auth';
import { isAdministrator } from '../../permission/granted-menus.ts';
import { type Account, isSecondFactorMissing, type SessionAccount } from '../accounts/accounts.ts';

/** Builds the facts about an account for tokens, token replies and the user's own screen, under their wire names. */
export function userFacts(account: Account & Partial<Pick<SessionAccount, 'userType' | 'own'>>): UserFacts {
  const deptId = account.deptIds[0] ?? '';
  const roleName = account.roleNames.join(',');
  const roleNameEn = account.roleNamesEn.join(',');
  return {
    tenant_id: account.tenantId,
    ...(account.tenantName ? { tenant_name: account.tenantName } : {}),
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
    roleName,
    ...(roleNameEn === roleName ? {} : { roleNameEn }),
    avatar: account.avatar,
    is_admin: isAdministrator(account.roles) ? 0 : 1,
    depart_id: deptId,
    company_id: deptId,
    password_expired: account.passwordExpired,
    ...(isSecondFactorMissing(account) ? { second_factor_missing: true } : {}),
    ...(account.own ? { is_preview: true } : {}),
    detail: { type: account.userType ?? 'web' },
  };
}

/** Builds the claims that integrators read from an access token. */
export function tokenDetails(account: Account): Record<string, unknown> {
  const {
    roleName: _names,
    roleNameEn: _englishNames,
    tenant_name: _tenant,
    avatar: _avatar,
    is_admin: _isAdmin,
    depart_id: _depart,
    company_id: _company,
    password_expired: _expired,
    second_factor_missing: _missing,
    is_preview: _preview,
    ...details
  } = userFacts(account);
  return details;
}

/** Builds the reply of the token endpoint, which has no envelope. */
export function tokenReply(account: Account, tokens: { access: string; refresh: string; seconds: number }, timeZone: string): TokenReply {
  const facts = { ...userFacts(account), time_zone: timeZone };
  return { ...facts, access_token: tokens.access, refresh_token: tokens.refresh, token_type: 'bearer', expires_in: tokens.seconds };
}
