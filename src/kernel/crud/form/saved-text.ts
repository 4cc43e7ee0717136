import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import type { RecordConflict } from './field-changes.ts';

/** Returns a function that formats who saved a record and when. */
export function useSavedText(): (saved: Pick<RecordConflict, 'changedBy' | 'changedAt'>) => string {
  const t = useTranslation();
  const shortTime = useShortTime();
  return ({ changedBy, changedAt }) => {
    const time = shortTime(changedAt);
    return changedBy === null ? t('editing.saved', { time }) : t('editing.savedBy', { name: changedBy, time });
  };
}

/** Returns a function that shortens a time of the API to hours and minutes if it is of today in the zone of the deployment. */
export function useShortTime(): (time: string) => string {
  const { user } = useService(Session);
  return (time) => {
    // Swedish dates have the format of the API.
    const today = new Intl.DateTimeFormat('sv-SE', user?.time_zone ? { timeZone: user.time_zone } : {}).format(new Date());
    return time.startsWith(today) ? time.slice(11, 16) : time.slice(0, 16);
  };
}
