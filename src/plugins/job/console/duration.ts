import type { Translate } from '#kernel';
import type { LocalizedText } from '#shared/text';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const formats = {
  milliseconds: ['{first} 毫秒', '{first} ms'],
  seconds: ['{first} 秒', '{first} s'],
  minutes: ['{first} 分 {rest} 秒', '{first} min {rest} s'],
  hours: ['{first} 小时 {rest} 分', '{first} h {rest} min'],
  days: ['{first} 天 {rest} 小时', '{first} d {rest} h'],
} as const satisfies Record<string, LocalizedText>;

/** Returns a time of the server, `yyyy-MM-dd HH:mm:ss`, in milliseconds, to be compared with others: the zone of the device plays no part. */
export const serverTimeMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);

/** Formats a duration with its two largest units: `1 分 3 秒`, `1 min 3 s`. */
export function durationText(milliseconds: number, t: Translate): string {
  if (milliseconds < second) return t(formats.milliseconds, { first: milliseconds });
  if (milliseconds < 10 * second) return t(formats.seconds, { first: Math.floor(milliseconds / 100) / 10 });
  if (milliseconds < minute) return t(formats.seconds, { first: Math.floor(milliseconds / second) });
  const [unit, size, restSize] =
    milliseconds < hour
      ? ([formats.minutes, minute, second] as const)
      : milliseconds < day
        ? ([formats.hours, hour, minute] as const)
        : ([formats.days, day, hour] as const);
  return t(unit, { first: Math.floor(milliseconds / size), rest: Math.floor((milliseconds % size) / restSize) });
}
