import { useService } from '../../base/react/services.tsx';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';

/** Renders a time in the zone of the deployment; its tooltip shows the distance from now and the zone. */
export function DateTimeText({ value }: { readonly value: string }) {
  const t = useTranslation();
  const { language } = useService(Locale);
  const { user } = useService(Session);
  const tell = async (cell: HTMLElement) => {
    const zone = user?.time_zone;
    if (!zone) return;
    const { relativeText, zoneText } = await import('../../platform/i18n/moments.ts');
    cell.title = [relativeText(value, zone, language), t('table.zone', { zone: zoneText(zone, language) })].filter(Boolean).join(' · ');
  };
  return (
    <time className="cell" dateTime={value.replace(' ', 'T')} onMouseEnter={({ currentTarget }) => void tell(currentTarget)}>
      {value}
    </time>
  );
}
