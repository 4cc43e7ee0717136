const spans = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

const tags = { zh: 'zh-CN', en: 'en' } as const;

/** How long ago a moment of the wire was, or how far off it is; the wire tells times as clocks in the deployment's zone show them. */
export function relativeText(moment: string, zone: string, language: 'zh' | 'en', now = Date.now()): string {
  const seconds = Math.round((instantOf(moment, zone) - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const [unit, length] = spans.find(([, span]) => Math.abs(seconds) >= span) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(tags[language], { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}

/** A zone as people call it, with its name in the database of zones: `China Time (Asia/Shanghai)`. */
export function zoneText(zone: string, language: 'zh' | 'en'): string {
  const parts = new Intl.DateTimeFormat(tags[language], { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return name && name !== zone ? `${name} (${zone})` : zone;
}

/** Milliseconds since 1970 of `yyyy-MM-dd HH:mm:ss` on clocks of this zone. */
export function instantOf(moment: string, zone: string): number {
  const asUtc = Date.parse(`${moment.replace(' ', 'T')}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  // Twice, since the first guess may stand on the other side of a change of the clocks.
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

/** `yyyy-MM-dd HH:mm:ss` as clocks of this zone show it; as the device's own do where none is known. */
export const clockText = (instant: number, zone: string | undefined): string =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);

/** By how many milliseconds clocks of a zone are ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const shown = clockText(instant, zone);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
