import { Session } from '../../auth/session.ts';
import { Locale } from '../../i18n/locale.ts';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';

/** Renders a time in the zone of the deployment; its tooltip shows the distance from now and the zone. */
export function DateTimeText({ value }: { readonly value: string }) {
  const text = useText();
  const { language } = useService(Locale);
  const { user } = useService(Session);
  const tell = async (cell: HTMLElement) => {
    const zone = user?.time_zone;
    if (!zone) return;
    const { relativeText, zoneText } = await import('../../i18n/moments.ts');
    cell.title = [relativeText(value, zone, language), text('table.zone', { zone: zoneText(zone, language) })].filter(Boolean).join(' · ');
  };
  return (
    <time className="cell" dateTime={value.replace(' ', 'T')} onMouseEnter={({ currentTarget }) => void tell(currentTarget)}>
      {value}
    </time>
  );
}
