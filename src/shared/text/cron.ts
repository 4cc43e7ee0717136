interface CronPart {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** Number of the first name; defaults to 0. */
  readonly first?: number;
  /** Special values that this part accepts besides numbers. */
  readonly special?: RegExp;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const second: CronPart = { min: 0, max: 59 };
const minute = second;
const hour: CronPart = { min: 0, max: 23 };
const day: CronPart = { min: 1, max: 31, special: /^(L|LW|([1-9]|[12]\d|3[01])W)$/ };
const month: CronPart = { min: 1, max: 12, names: months, first: 1 };
const unixSpecial = /^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5])$/;
const weekday: CronPart = { min: 0, max: 7, names: weekdays, special: unixSpecial };
/** Expressions with seconds use the weekday numbers of Quartz: Sunday is 1, Saturday 7. */
const quartzWeekday: CronPart = { min: 1, max: 7, names: weekdays, first: 1, special: /^([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5])$/ };
const year: CronPart = { min: 1970, max: 2099 };

/** Parts of an expression, by their number: five, six or seven. */
const layouts: Readonly<Record<number, readonly CronPart[]>> = {
  5: [minute, hour, day, month, weekday],
  6: [second, minute, hour, day, month, quartzWeekday],
  7: [second, minute, hour, day, month, quartzWeekday, year],
};

/**
 * Returns true for expressions of six or seven parts, which number weekdays like Quartz, from 1 for Sunday. Expressions of five parts number them like Unix, from 0
 * for Sunday.
 */
export const isQuartz = (text: string): boolean => text.trim().split(/\s+/).length > 5;

/** Checks a cron expression: five parts, six with seconds first, or seven with a year last. It supports lists, ranges, steps, names, `?`, `L`, `W` and `#`. */
export function isCron(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  return (
    layouts[parts.length]?.every((part, index) =>
      (parts[index] as string)
        .toUpperCase()
        .split(',')
        .every((item) => isItem(item, part)),
    ) ?? false
  );
}

function isItem(item: string, part: CronPart): boolean {
  if (part.special?.test(item)) return true;
  if (item === '?') return part.special !== undefined;
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0 || (step !== undefined && !(/^\d{1,4}$/.test(step) && Number(step) > 0 && Number(step) <= part.max))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => numberOf(end, part));
  if (ends.length > 2 || ends.includes(undefined)) return false;
  const [from, to = from] = ends as [number, number?];
  return from <= to;
}

function numberOf(text: string, { min, max, names = [], first = 0 }: CronPart): number | undefined {
  const named = names.indexOf(text);
  if (named >= 0) return named + first;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}
