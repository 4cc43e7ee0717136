import { Button, Radio } from '@arco-design/web-react';
import type { KeyboardEvent } from 'react';
import type { Page } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useToday } from '../../platform/session/use-today.ts';
import { useAddressText } from '../../ui/pane/use-address-parameter.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import type { Row } from '../model/crud-screen.ts';
import { rowName } from '../model/entity-fields.ts';
import type { LayoutProps } from './LayoutView.tsx';
import { useLoadCount } from './use-groups.ts';
import { viewMessages } from './view-messages.ts';

const maxRows = 200;
/** Maximum number of lines of a day in the month view, the one for further rows included. */
const maxLinesPerDay = 3;

type CalendarSpan = 'month' | 'week';

/** Shows rows on the days of a date field, by month or week. */
export default function Calendar(props: LayoutProps) {
  const { caption } = props;
  const t = useTranslation();
  const { language } = useService(Locale);
  const today = useToday();
  const [position, setPosition] = useAddressText('at', { change: 'replace' });
  const [day = today, spanText] = (isPosition(position) ? position : today).split('~');
  const span: CalendarSpan = spanText === 'week' ? 'week' : 'month';
  const show = (nextDay: string, nextSpan: CalendarSpan = span) => setPosition(`${nextDay}${nextSpan === 'week' ? '~week' : ''}`);
  const step = (direction: 1 | -1) => show(span === 'week' ? addDays(day, 7 * direction) : firstOfMonth(day, direction));
  const days = daysOf(day, span);
  const rows = useRows(props, days);
  const heading = headingOf(days, span === 'month' ? day : undefined, language);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : undefined;
    if (!direction) return;
    event.preventDefault();
    step(direction);
  };
  return (
    <section className="calendar" aria-label={caption} aria-busy={rows.isFetching} onKeyDown={onKeyDown}>
      <header className="calendar__bar">
        <IconButton label={t(span === 'week' ? viewMessages.previousWeek : viewMessages.previousMonth)} onClick={() => step(-1)}>
          <Icon name="chevronLeft" />
        </IconButton>
        <h2 className="calendar__title" aria-live="polite">
          {heading}
        </h2>
        <IconButton label={t(span === 'week' ? viewMessages.nextWeek : viewMessages.nextMonth)} onClick={() => step(1)}>
          <Icon name="chevronRight" />
        </IconButton>
        <Button onClick={() => show(today)}>{t(viewMessages.today)}</Button>
        <Radio.Group type="button" aria-label={t(viewMessages.span)} value={span} onChange={(next: CalendarSpan) => show(day, next)}>
          <Radio value="month">{t(viewMessages.month)}</Radio>
          <Radio value="week">{t(viewMessages.week)}</Radio>
        </Radio.Group>
      </header>
      {rows.total > rows.records.length && !rows.isFetching && (
        <p className="views__note">{t(viewMessages.limited, { total: rows.total, count: rows.records.length })}</p>
      )}
      <Days
        {...props}
        days={days}
        rows={rows.records}
        month={span === 'month' ? day.slice(0, 7) : undefined}
        today={today}
        onDay={(selected) => show(selected, 'week')}
      />
    </section>
  );
}

/** Loads the rows of these days in one request. */
function useRows({ store, crud, by }: LayoutProps, days: readonly string[]) {
  useStore(store, (state) => state.query);
  const refetchKey = useLoadCount(store);
  const [from = '', to = ''] = [days[0], addDays(days.at(-1) ?? '', 1)];
  const isDateOnly = by.traits.widget === 'date';
  const filters = store.filterInput();
  // The list may be filtered by the same field: the narrower bounds apply.
  const [low, high] = isDateOnly ? [`${by.name}_ge`, `${by.name}_lt`] : [`${by.name}_datege`, `${by.name}_datelt`];
  const [first, last] = isDateOnly ? [from, to] : [`${from} 00:00:00`, `${to} 00:00:00`];
  const range = { [low]: laterOf(first, filters[low]), [high]: earlierOf(last, filters[high]) };
  const order = by.traits.sort ? { ascs: snakeCase(by.name) } : {};
  const input = { ...filters, ...range, ...order, current: 1, size: maxRows };
  const { data, isFetching } = useQuery(crud.list, input, { quiet: true, keepPreviousData: true, refetchKey });
  const { records = [], total = 0 } = (data as Page<Row> | undefined) ?? {};
  return { records, total, isFetching };
}

interface DaysProps extends LayoutProps {
  readonly days: readonly string[];
  readonly rows: readonly Row[];
  /** Month whose days are shown, as `yyyy-MM`; a week shows all rows of its days. */
  readonly month: string | undefined;
  readonly today: string;
  readonly onDay: (day: string) => void;
}

function Days({ days, rows, month, today, onDay, by, caption, ...props }: DaysProps) {
  const { language } = useService(Locale);
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const rowsOf = (day: string) => rows.filter((row) => String(row[by.name] ?? '').startsWith(day));
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <table className="calendar__days" aria-label={caption} onKeyDown={moveBetweenDays}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {weekday.format(new Date(`${day}T00:00:00Z`))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const isOutside = month !== undefined && !day.startsWith(month);
              return (
                <td
                  key={day}
                  className={isOutside ? 'calendar__day calendar__day_outside' : 'calendar__day'}
                  {...(day === today ? { 'aria-current': 'date' } : {})}
                >
                  <Day {...props} by={by} caption={caption} day={day} rows={rowsOf(day)} max={month === undefined ? maxRows : maxLinesPerDay} onDay={onDay} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps extends LayoutProps {
  readonly day: string;
  readonly rows: readonly Row[];
  readonly max: number;
  readonly onDay: (day: string) => void;
}

function Day({ day, rows, max, onDay, crud, by, buttons }: DayProps) {
  const t = useTranslation();
  const view = buttons.find(({ key }) => key === 'view');
  const shown = rows.length > max ? rows.slice(0, max - 1) : rows;
  return (
    <>
      <button type="button" className="calendar__number" data-day={day} title={t(viewMessages.openDay, { date: day })} onClick={() => onDay(day)}>
        {Number(day.slice(8))}
      </button>
      <ul className="calendar__rows">
        {shown.map((row) => (
          <li key={row.id}>
            <button type="button" className="calendar__row" disabled={!view} onClick={() => view?.onClick(row)}>
              {by.traits.widget === 'date-time' && <span className="calendar__time">{String(row[by.name]).slice(11, 16)}</span>}{' '}
              {rowName(crud.entity, row, t) ?? row.id}
            </button>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" className="calendar__more" onClick={() => onDay(day)}>
          {t(viewMessages.moreEvents, { count: rows.length - shown.length })}
        </button>
      )}
    </>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Moves the focus between the numbers of the days with the arrow keys. */
function moveBetweenDays(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const day = event.target instanceof HTMLElement ? event.target.dataset.day : undefined;
  if (step === undefined || day === undefined) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>(`[data-day="${addDays(day, step)}"]`)?.focus();
}

const laterOf = (one: string, other: unknown) => (typeof other === 'string' && other > one ? other : one);
const earlierOf = (one: string, other: unknown) => (typeof other === 'string' && other < one ? other : one);

/** Tests for a day in the address, `2026-11-30` or `2026-11-30~week`. */
const isPosition = (text: string) => /^\d{4}-\d\d-\d\d(~week)?$/.test(text) && !Number.isNaN(timeOf(text.slice(0, 10)));

/** Names the month of a day; without one, the days of a week. */
function headingOf(days: readonly string[], day: string | undefined, language: string): string {
  const dateOf = (one = '') => new Date(timeOf(one));
  if (day !== undefined) return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(dateOf(day));
  return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' }).formatRange(
    dateOf(days[0]),
    dateOf(days.at(-1)),
  );
}

const dayMs = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Adds days to a date, `yyyy-MM-dd`. */
const addDays = (day: string, days: number): string => dayOf(timeOf(day) + days * dayMs);

/** Returns the Monday of the week of a day. */
const mondayOf = (day: string): string => addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7));

/** Returns the first day of the month that lies `offset` months after that of `day`. */
function firstOfMonth(day: string, offset = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(Date.UTC(year, month - 1 + offset, 1));
}

/** Returns the days that a calendar shows, Monday first: one week, or the weeks of a month. */
function daysOf(day: string, span: 'month' | 'week'): string[] {
  const first = mondayOf(span === 'week' ? day : firstOfMonth(day));
  const end = span === 'week' ? addDays(first, 7) : addDays(mondayOf(addDays(firstOfMonth(day, 1), -1)), 7);
  const days: string[] = [];
  for (let next = first; next < end; next = addDays(next, 1)) days.push(next);
  return days;
}
