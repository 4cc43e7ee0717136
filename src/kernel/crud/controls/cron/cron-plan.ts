import { isCron, isQuartz } from '#shared/cron';

/** A common schedule; any other expression is `custom`. */
export type CronPlan =
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly time: string; readonly weekday: number }
  | { readonly kind: 'monthly'; readonly time: string; readonly day: number }
  | { readonly kind: 'custom'; readonly text: string };

export type CronKind = CronPlan['kind'];

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const padTwo = (number: number) => String(number).padStart(2, '0');
const timeOf = (hour: string, minute: string) => `${padTwo(Number(hour))}:${padTwo(Number(minute))}`;
const isNumber = (text: string | undefined): text is string => /^\d+$/.test(text ?? '');

/** Parses an expression with seconds, `0 30 8 * * ?`, into a plan; an unrecognized one becomes `custom`. */
export function parsePlan(text: string): CronPlan {
  const custom: CronPlan = { kind: 'custom', text };
  if (!isCron(text)) return custom;
  const parts = text.trim().split(/\s+/);
  const [second, minute = '', hour = '', day = '', month, weekday = ''] = parts.length === 5 ? ['0', ...parts] : parts;
  if (second !== '0' || month !== '*' || parts.length === 7) return custom;
  const anyDay = /^[*?]$/.test(day);
  const anyWeekday = /^[*?]$/.test(weekday);
  const every = /^(?:\*|0)\/(\d+)$/.exec(minute)?.[1];
  if (every && hour === '*' && anyDay && anyWeekday) return { kind: 'minutes', every: Number(every) };
  if (!isNumber(minute)) return custom;
  if (hour === '*' && anyDay && anyWeekday) return { kind: 'hourly', minute: Number(minute) };
  if (!isNumber(hour)) return custom;
  const time = timeOf(hour, minute);
  if (anyDay && anyWeekday) return { kind: 'daily', time };
  const onWeekday = weekdayOf(weekday, isQuartz(text));
  if (anyDay && onWeekday !== undefined) return { kind: 'weekly', time, weekday: onWeekday };
  return isNumber(day) && anyWeekday ? { kind: 'monthly', time, day: Number(day) } : custom;
}

/** Returns the weekday as a number, Sunday is 0. */
function weekdayOf(part: string, quartz: boolean): number | undefined {
  const named = weekdays.indexOf(part.toUpperCase());
  if (named >= 0) return named;
  return isNumber(part) ? (Number(part) - (quartz ? 1 : 0)) % 7 : undefined;
}

/** Formats a plan as an expression of six parts. */
export function formatPlan(plan: CronPlan): string {
  if (plan.kind === 'custom') return plan.text;
  if (plan.kind === 'minutes') return `0 0/${plan.every} * * * ?`;
  if (plan.kind === 'hourly') return `0 ${plan.minute} * * * ?`;
  const [hour, minute] = plan.time.split(':').map(Number);
  const prefix = `0 ${minute} ${hour}`;
  if (plan.kind === 'daily') return `${prefix} * * ?`;
  return plan.kind === 'weekly' ? `${prefix} ? * ${weekdays[plan.weekday]}` : `${prefix} ${plan.day} * ?`;
}

/** Returns the initial plan after a change to another kind. */
export function planOfKind(kind: CronKind, text: string): CronPlan {
  const before = parsePlan(text);
  if (before.kind === kind) return before;
  const time = 'time' in before ? before.time : '08:00';
  switch (kind) {
    case 'minutes':
      return { kind, every: 5 };
    case 'hourly':
      return { kind, minute: 0 };
    case 'weekly':
      return { kind, time, weekday: 1 };
    case 'monthly':
      return { kind, time, day: 1 };
    case 'daily':
      return { kind, time };
    default:
      return { kind, text };
  }
}
