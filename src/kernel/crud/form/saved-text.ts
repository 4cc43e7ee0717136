import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { RecordConflict } from './field-changes.ts';

/** Returns a function that says who saved a record and when. */
export function useSavedText(): (saved: Pick<RecordConflict, 'changedBy' | 'changedAt'>) => string {
  const t = useTranslation();
  return ({ changedBy, changedAt }) => {
    const time = shortTime(changedAt);
    return changedBy === null ? t('editing.saved', { time }) : t('editing.savedBy', { name: changedBy, time });
  };
}

/** Shortens a time of the API to hours and minutes if it is of today. */
export function shortTime(time: string): string {
  const now = new Date();
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
  return time.startsWith(today) ? time.slice(11, 16) : time.slice(0, 16);
}
