interface Part {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
  /** The number of the first name; 0 unless said. */
  readonly first?: number;
  /** What this part may hold beside numbers. */
  readonly special?: RegExp;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const second: Part = { least: 0, most: 59 };
const hour: Part = { least: 0, most: 23 };
const day: Part = { least: 1, most: 31, special: /^(L|LW|([1-9]|[12]\d|3[01])W)$/ };
const month: Part = { least: 1, most: 12, names: months, first: 1 };
const unixSpecial = /^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5])$/;
const weekday: Part = { least: 0, most: 7, names: weekdays, special: unixSpecial };
/** With seconds before them the parts are Quartz's, where Sunday is 1 and Saturday 7. */
const quartzWeekday: Part = { least: 1, most: 7, names: weekdays, first: 1, special: /^([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5])$/ };
const year: Part = { least: 1970, most: 2099 };

/** What the parts of an expression of five, six or seven parts stand for. */
const layouts: Readonly<Record<number, readonly Part[]>> = {
  5: [second, hour, day, month, weekday],
  6: [second, second, hour, day, month, quartzWeekday],
  7: [second, second, hour, day, month, quartzWeekday, year],
};

/** Whether the numbers of weekdays are Quartz's, 1 for Sunday: in expressions of six or seven parts. Those of five are Unix's, 0 for Sunday. */
export const isQuartz = (text: string): boolean => text.trim().split(/\s+/).length > 5;

/** A cron expression: five parts, six with seconds before them, seven with a year after. Lists, ranges, steps, names, `?`, `L`, `W` and `#` are known. */
export function isCron(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  return (
    layouts[parts.length]?.every((part, place) =>
      (parts[place] as string)
        .toUpperCase()
        .split(',')
        .every((item) => isItem(item, part)),
    ) ?? false
  );
}

function isItem(item: string, part: Part): boolean {
  if (part.special?.test(item)) return true;
  if (item === '?') return part.special !== undefined;
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0 || (step !== undefined && !(/^\d{1,4}$/.test(step) && Number(step) > 0 && Number(step) <= part.most))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => numberOf(end, part));
  if (ends.length > 2 || ends.includes(undefined)) return false;
  const [from, to = from] = ends as [number, number?];
  return from <= to;
}

function numberOf(text: string, { least, most, names = [], first = 0 }: Part): number | undefined {
  const named = names.indexOf(text);
  if (named >= 0) return named + first;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
