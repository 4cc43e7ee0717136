import type { UserInfo } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Session } from './session.ts';

/** Returns the signed-in user; the component renders again when their data change. */
export function useUser(): UserInfo | undefined {
  const session = useService(Session);
  return useStream(session.user$, session.user);
}
