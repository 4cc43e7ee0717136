import { Session } from '../../auth/session.ts';
import { Locale } from '../../i18n/locale.ts';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';

/** A moment as the deployment's clocks show it; its title says how long ago that is, and whose clocks they are. */
export function Moment({ value }: { readonly value: string }) {
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
