const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

const tags = { zh: 'zh-CN', en: 'en' } as const;

/** Formats the distance from now to a time of the wire format; `dateTime` is local time in the zone of the deployment. */
export function formatRelativeTime(dateTime: string, zone: string, language: 'zh' | 'en', now = Date.now()): string {
  const seconds = Math.round((parseDateTime(dateTime, zone) - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const [unit, unitSeconds] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(tags[language], { numeric: 'auto' }).format(Math.trunc(seconds / unitSeconds), unit);
}

/** Formats a time zone with its common name and its IANA name: `China Time (Asia/Shanghai)`. */
export function formatTimeZone(zone: string, language: 'zh' | 'en'): string {
  const parts = new Intl.DateTimeFormat(tags[language], { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return name && name !== zone ? `${name} (${zone})` : zone;
}

/** Converts `yyyy-MM-dd HH:mm:ss`, local time in this zone, to milliseconds since 1970. */
export function parseDateTime(dateTime: string, zone: string): number {
  const asUtc = Date.parse(`${dateTime.replace(' ', 'T')}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  // Two steps are needed, because the first guess may fall on the other side of a daylight saving change.
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

/** Formats an instant as `yyyy-MM-dd HH:mm:ss` in this zone, or in the device's own zone where none is known. */
export const formatDateTime = (instant: number, zone: string | undefined): string =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);

/** Returns the offset of a zone from UTC in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const localTime = formatDateTime(instant, zone);
  return Date.parse(`${localTime.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
