import type { UserInfo } from '#shared/auth';

/** Joins the names of a user's roles to one line; falls back to their aliases where the server sends no names. */
export function roleNames(user: Pick<UserInfo, 'roleName' | 'role_name'> | undefined, separator: string): string {
  return (user?.roleName || user?.role_name || '').split(',').filter(Boolean).join(separator);
}
