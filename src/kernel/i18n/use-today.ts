import { Session } from '../auth/session.ts';
import { useService } from '../services.tsx';
import { clockText } from './moments.ts';

/** Returns the current day in the zone of the deployment as `yyyy-MM-dd`; the device may be in another zone. */
export function useToday(): string {
  const { user } = useService(Session);
  return clockText(Date.now(), user?.time_zone).slice(0, 'yyyy-MM-dd'.length);
}
