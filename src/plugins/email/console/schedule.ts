import type { Translate } from '#kernel';
import { traitsOf } from '#shared/fields';
import { type Subscription, ViewSubscription } from '../own-contract.ts';

/** Weekdays with their titles. */
export const weekdays = traitsOf(ViewSubscription.fields.weekday)?.options ?? [];

/** Formats an hour as a time of day. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Returns the weekday and the time of a schedule as texts. */
export function scheduleText({ weekday, hour }: Pick<Subscription, 'weekday' | 'hour'>, t: Translate): { readonly weekday: string; readonly hour: string } {
  const found = weekdays.find(([value]) => value === weekday);
  return { weekday: found ? t(found[1]) : '', hour: hourText(hour) };
}
