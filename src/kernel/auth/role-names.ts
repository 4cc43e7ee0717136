import type { UserInfo } from '#shared/auth';

/** What somebody's roles are called, as one line; their aliases where a server tells no names. */
export function roleNames(user: Pick<UserInfo, 'roleName' | 'role_name'> | undefined, separator: string): string {
  return (user?.roleName || user?.role_name || '').split(',').filter(Boolean).join(separator);
}
