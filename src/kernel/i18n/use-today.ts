import { Session } from '../auth/session.ts';
import { useService } from '../services.tsx';
import { clockText } from './moments.ts';

/** The day it is on clocks of the deployment's zone, as `yyyy-MM-dd`; the device may stand in another. */
export function useToday(): string {
  const { user } = useService(Session);
  return clockText(Date.now(), user?.time_zone).slice(0, 'yyyy-MM-dd'.length);
}
