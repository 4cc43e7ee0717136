const dayMs = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns the day some days after another, as `yyyy-MM-dd`. */
export const addDays = (day: string, days: number): string => dayOf(timeOf(day) + days * dayMs);

/** Returns the Monday of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7));

/** Returns the first day of the month that is some months after the month of a day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(Date.UTC(year, month - 1 + months, 1));
}

/** Returns the days that a calendar shows, Monday first: one week, or the weeks of a month. */
export function daysOf(day: string, span: 'month' | 'week'): string[] {
  const first = mondayOf(span === 'week' ? day : addMonths(day, 0));
  const end = span === 'week' ? addDays(first, 7) : addDays(mondayOf(addDays(addMonths(day, 1), -1)), 7);
  const days: string[] = [];
  for (let one = first; one < end; one = addDays(one, 1)) days.push(one);
  return days;
}
