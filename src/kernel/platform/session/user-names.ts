import type { UserInfo } from '#shared/auth';

/** Returns the name a user is shown by; empty without a user. */
export const displayName = (user: Pick<UserInfo, 'real_name' | 'user_name' | 'account'> | undefined): string =>
  user?.real_name || user?.user_name || user?.account || '';

/** Joins the names of a user's roles to one line; falls back to their aliases where the server sends no names. */
export function roleNames(user: Pick<UserInfo, 'roleName' | 'role_name'> | undefined, separator: string): string {
  return (user?.roleName || user?.role_name || '').split(',').filter(Boolean).join(separator);
}
