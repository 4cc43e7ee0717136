import type { MouseEvent } from 'react';
import { useService } from '../../../base/react/services.tsx';
import { Locale } from '../../../platform/i18n/locale.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Session } from '../../../platform/session/session.ts';

/**
 * Returns the handler that gives a cell its tooltip when the pointer enters it: the full text of a cell that is cut off; for a time, its distance from now and the
 * deployment's time zone.
 */
export function useTooltips(): (event: MouseEvent) => void {
  const t = useTranslation();
  const locale = useService(Locale);
  const session = useService(Session);

  const addTimeTooltip = async (cell: HTMLTimeElement) => {
    const zone = session.user?.time_zone;
    if (!zone) return;
    const { formatRelativeTime, formatTimeZone } = await import('../../../platform/i18n/date-time.ts');
    const { language } = locale;
    const distance = formatRelativeTime(cell.dateTime.replace('T', ' '), zone, language);
    cell.title = [distance, t('table.zone', { zone: formatTimeZone(zone, language) })].filter(Boolean).join(' · ');
  };

  return ({ target }) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
    if (!cell) return;
    if (cell instanceof HTMLTimeElement) void addTimeTooltip(cell);
    else if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
    else if (cell.title !== '') cell.title = '';
  };
}
