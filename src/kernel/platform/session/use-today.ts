import { useService } from '../../base/react/services.tsx';
import { formatDateTime } from '../i18n/date-time.ts';
import { Session } from './session.ts';

/** Returns the current day in the zone of the deployment as `yyyy-MM-dd`; the device may be in another zone. */
export function useToday(): string {
  const { user } = useService(Session);
  return formatDateTime(Date.now(), user?.time_zone).slice(0, 'yyyy-MM-dd'.length);
}
