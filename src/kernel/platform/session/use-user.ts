import type { UserInfo } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import type { Translate } from '../i18n/use-translation.ts';
import { Session } from './session.ts';

/** Returns the signed-in user; the component renders again when their data change. */
export function useUser(): UserInfo | undefined {
  const session = useService(Session);
  return useStream(session.user$, session.user);
}

/** Returns the name a user is shown by; empty without a user. */
export const displayName = (user: Pick<UserInfo, 'real_name' | 'user_name' | 'account'> | undefined): string =>
  user?.real_name || user?.user_name || user?.account || '';

/** Joins the names of a user's roles to one line in the language of the texts; falls back to their aliases where the server sends no names. */
export function roleNames({ roleName, roleNameEn, role_name }: Partial<Pick<UserInfo, 'roleName' | 'roleNameEn' | 'role_name'>> = {}, t: Translate): string {
  const names = roleName || role_name || '';
  return t([names, roleNameEn || names])
    .split(',')
    .filter(Boolean)
    .join(t('shell.listSeparator'));
}
