import { Button, DatePicker, Radio, Spin } from '@arco-design/web-react';
import { IconLeft, IconRight } from '@arco-design/web-react/icon';
import dayjs from 'dayjs';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { SidePanel, useAddressParameter, useAddressText, useQuery, useToday, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { jobInfoMenu, jobInstanceMenu } from '../menus.ts';
import { JobInstance, runStates } from '../run-contract.ts';
import { jobTimeline, type TimelineLane } from '../timeline-contract.ts';
import styles from './calendar.module.css';
import { durationText, serverTimeMs } from './duration.ts';
import { jobMessages } from './messages.ts';
import { stateLabel } from './WorkflowRunGraph.tsx';

const slotCount = 96;

/** Runs and due times of a job that are too close together to be drawn apart. */
interface TimelineEvent {
  /** Distance from the left in percent. */
  readonly offsetPercent: number;
  readonly from: string;
  readonly fires: readonly string[];
  readonly runs: TimelineLane['runs'];
  readonly failed: number;
}

/** Groups the runs and due times of a job into events on a timeline from `from` to `to`, from left to right. */
function timelineEventsOf({ fires, runs }: Pick<TimelineLane, 'fires' | 'runs'>, from: string, to: string): TimelineEvent[] {
  const start = serverTimeMs(from);
  const width = (serverTimeMs(to) - start) / slotCount;
  const slotOf = (time: string) => Math.min(slotCount - 1, Math.floor((serverTimeMs(time) - start) / width));
  const events = new Map<number, { fires: string[]; runs: TimelineLane['runs'][number][] }>();
  const at = (time: string) => {
    const slot = slotOf(time);
    const event = events.get(slot) ?? { fires: [], runs: [] };
    events.set(slot, event);
    return event;
  };
  for (const run of runs) at(run.time).runs.push(run);
  for (const fire of fires) at(fire).fires.push(fire);
  return [...events]
    .sort(([one], [other]) => one - other)
    .map(([slot, event]) => ({
      ...event,
      offsetPercent: (100 * slot) / slotCount,
      from: event.runs[0]?.time ?? event.fires[0] ?? '',
      failed: event.runs.filter(({ state }) => state === runStates.failed).length,
    }));
}

type DenseFires = NonNullable<TimelineLane['dense']>;

interface TimelineRowProps {
  readonly lane: TimelineLane;
  readonly from: string;
  readonly to: string;
  readonly onOpen: (event: TimelineEvent) => void;
}

const arrowSteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Renders one job on the timeline. The arrow keys move between events, so a row is a single tab stop. */
function TimelineRow({ lane, from, to, onOpen }: TimelineRowProps) {
  const t = useTranslation();
  const events = timelineEventsOf(lane, from, to);
  const [focusedIndex, setFocusedIndex] = useState(0);
  const stop = Math.min(focusedIndex, events.length - 1);
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'Home' ? -stop : event.key === 'End' ? events.length - 1 - stop : arrowSteps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(events.length - 1, stop + by));
    setFocusedIndex(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of events with arrow key navigation, not a set of fields
    <div className={styles.line} role="group" aria-label={lane.jobName} onKeyDown={move}>
      {lane.dense && <DenseBand dense={lane.dense} isEstimate={lane.isEstimate} from={from} to={to} />}
      {events.map((event, index) => {
        const title = t(messageOf(event), { from: event.from.slice(5, 16), runs: event.runs.length, failed: event.failed, due: event.fires.length });
        return (
          <button
            key={event.offsetPercent}
            type="button"
            title={title}
            className={styles.mark}
            data-kind={event.failed > 0 ? 'failed' : event.runs.length > 0 ? 'ran' : lane.isEstimate ? 'estimate' : 'due'}
            style={{ insetInlineStart: `${event.offsetPercent}%` }}
            tabIndex={index === stop ? 0 : -1}
            aria-label={title}
            onFocus={() => setFocusedIndex(index)}
            onClick={() => onOpen(event)}
          />
        );
      })}
    </div>
  );
}

/** Shows times that are too close together to be drawn apart as one band with their interval. */
function DenseBand({ dense, isEstimate, from, to }: Pick<TimelineRowProps, 'from' | 'to'> & Pick<TimelineLane, 'isEstimate'> & { readonly dense: DenseFires }) {
  const t = useTranslation();
  const start = serverTimeMs(from);
  const offset = (100 * Math.max(0, serverTimeMs(dense.from) - start)) / (serverTimeMs(to) - start);
  const every = t(jobMessages.every, { time: durationText(dense.every, t) });
  return (
    <span className={styles.band} data-estimate={isEstimate} style={{ insetInlineStart: `${offset}%` }}>
      <span>{isEstimate ? t(jobMessages.estimated, { every }) : every}</span>
    </span>
  );
}

const messageOf = ({ runs, fires }: TimelineEvent) =>
  runs.length === 0 ? jobMessages.onlyScheduled : fires.length === 0 ? jobMessages.onlyRuns : jobMessages.both;

/** Lists the runs and due times of one event; each line links to the run or the job. */
function EventDetails({ event: { runs, fires }, jobInfoId }: { readonly event: TimelineEvent; readonly jobInfoId: string }) {
  const t = useTranslation();
  return (
    <ul className={styles.details}>
      {runs.map(({ id, state, time, duration }) => (
        <li key={id}>
          <Link to={`${jobInstanceMenu.path}/index?id=${id}`}>{time}</Link>
          <span className={`cell_tag cell_tag_${stateTones?.[state] ?? 'neutral'}`}>{t(stateLabel(state))}</span>
          {duration !== null && <span>{durationText(duration, t)}</span>}
        </li>
      ))}
      {fires.map((time) => (
        <li key={time}>
          <Link to={`${jobInfoMenu.path}/index?id=${jobInfoId}`}>{time}</Link>
          <span>{t(jobMessages.due)}</span>
        </li>
      ))}
    </ul>
  );
}

const { tones: stateTones } = traitsOf(JobInstance.fields.state) ?? {};

const spans = { day: 1, week: 7 } as const;
type JobCalendarSpan = keyof typeof spans;
const formatted = (moment: dayjs.Dayjs) => moment.format('YYYY-MM-DD HH:mm:ss');
const startOf = (moment: dayjs.Dayjs, span: JobCalendarSpan) => moment.startOf('day').subtract(span === 'week' ? (moment.day() + 6) % 7 : 0, 'day');

/** True for a day as `yyyy-MM-dd`. */
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && dayjs(text).isValid();

/** Timeline of past and upcoming runs, job by job. Top task: see which jobs failed last night, 1 click (the event). */
export default function JobCalendarPage() {
  const t = useTranslation();
  const today = useToday();
  const [span, setSpan] = useAddressParameter('span', ['day', 'week']);
  const [dayText, setDayText] = useAddressText('day');
  const day = dayjs(isDay(dayText) ? dayText : today);
  const setDay = (next: dayjs.Dayjs) => setDayText(next.format('YYYY-MM-DD'));
  const [opened, setOpened] = useState<{ event: TimelineEvent; lane: TimelineLane }>();
  const start = startOf(day, span);
  const [from, to] = [formatted(start), formatted(start.add(spans[span], 'day'))];
  const { data: value, error, isFetching, refetch } = useQuery(jobTimeline, { from, to });
  // A narrow window cannot show the whole line, so it scrolls to the first event.
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const mark = value && box.current?.querySelector<HTMLElement>(`.${styles.line} .${styles.mark}`);
    if (box.current && mark)
      box.current.scrollLeft += mark.getBoundingClientRect().left - box.current.getBoundingClientRect().right + box.current.clientWidth / 2;
  }, [value]);
  return (
    <section className={styles.calendar} aria-busy={isFetching}>
      <div className={styles.bar}>
        <Radio.Group
          type="button"
          aria-label={t(jobMessages.span)}
          value={span}
          onChange={setSpan}
          options={(['day', 'week'] as const).map((one) => ({ value: one, label: t(jobMessages[one]) }))}
        />
        <Button
          icon={<IconLeft />}
          aria-label={t(jobMessages.earlier)}
          title={t(jobMessages.earlier)}
          onClick={() => setDay(day.subtract(spans[span], 'day'))}
        />
        <DatePicker aria-label={t(jobMessages.date)} allowClear={false} value={day.format('YYYY-MM-DD')} onChange={(text) => setDay(dayjs(text))} />
        <Button icon={<IconRight />} aria-label={t(jobMessages.later)} title={t(jobMessages.later)} onClick={() => setDay(day.add(spans[span], 'day'))} />
        <Button onClick={() => setDayText('')}>{t(jobMessages.today)}</Button>
        {isFetching && <Spin />}
      </div>
      {error && (
        <p role="alert">
          {t(jobMessages.calendarFailed)} <Button onClick={refetch}>{t(jobMessages.retry)}</Button>
        </p>
      )}
      {value?.lanes.length === 0 && <p role="status">{t(jobMessages.empty)}</p>}
      {value && value.lanes.length > 0 && <Legend />}
      {value?.isCut && <p className={styles.soft}>{t(jobMessages.truncated)}</p>}
      {value && value.lanes.length > 0 && (
        <div ref={box} className={styles.scroll}>
          <table className={styles.lanes} data-span={span}>
            <thead>
              <tr>
                <th scope="col">{t(jobMessages.job)}</th>
                <th scope="col">
                  <TimeAxis start={start} span={span} />
                </th>
              </tr>
            </thead>
            <tbody>
              {value.lanes.map((lane) => (
                <tr key={lane.jobInfoId}>
                  <th scope="row">
                    {lane.jobName}
                    {lane.hasMore && <span className={styles.soft}>{t(jobMessages.moreFires)}</span>}
                  </th>
                  <td>
                    <TimelineRow lane={lane} from={from} to={to} onOpen={(event) => setOpened({ event, lane })} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <SidePanel open={opened !== undefined} title={opened?.lane.jobName ?? ''} width={480} onClose={() => setOpened(undefined)}>
        {opened && <EventDetails event={opened.event} jobInfoId={opened.lane.jobInfoId} />}
      </SidePanel>
    </section>
  );
}

function Legend() {
  const t = useTranslation();
  return (
    <ul className={styles.legend} aria-label={t(jobMessages.legend)}>
      {(['ran', 'failed', 'due', 'estimate'] as const).map((kind) => (
        <li key={kind}>
          <span className={styles.mark} data-kind={kind} aria-hidden="true" />
          {t(jobMessages[kind])}
        </li>
      ))}
    </ul>
  );
}

function TimeAxis({ start, span }: { readonly start: dayjs.Dayjs; readonly span: JobCalendarSpan }) {
  const ticks =
    span === 'day' ? Array.from({ length: 8 }, (_, index) => start.add(3 * index, 'hour')) : Array.from({ length: 7 }, (_, index) => start.add(index, 'day'));
  return (
    <span className={styles.scale}>
      {ticks.map((tick) => (
        <span key={tick.valueOf()}>{tick.format(span === 'day' ? 'HH:mm' : 'MM-DD')}</span>
      ))}
    </span>
  );
}
