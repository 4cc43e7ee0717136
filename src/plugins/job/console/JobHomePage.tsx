import { Button, Spin } from '@arco-design/web-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { Dialogs, Http, SidePanel, Tag, Toasts, useCan, useQuery, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { jobInfoMenu, jobInstanceMenu } from '../menus.ts';
import { type JobOverview, jobOverview } from '../overview-contract.ts';
import { JobInstance, jobInstance, runStates } from '../run-contract.ts';
import { durationText, serverTimeMs } from './duration.ts';
import { jobMessages } from './messages.ts';
import styles from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';
import { RateText } from './RateText.tsx';
import { RunDetails } from './RunDetails.tsx';
import { stateLabel } from './WorkflowRunGraph.tsx';

const pollMs = 5000;
const shownLogWidth = 860;
const { tones } = traitsOf(JobInstance.fields.state) ?? {};
const jobLink = (id: string) => `${jobInfoMenu.path}/index?id=${id}`;

interface OpenedRun {
  readonly runId: string;
  readonly jobName: string;
}

interface PanelProps {
  readonly title: string;
  readonly help?: string;
  readonly aside?: ReactNode;
  /** Text in place of the rows while there is none. */
  readonly empty?: string | false;
  readonly children?: ReactNode;
}

function OverviewPanel({ title, help, aside, empty, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {help && <p className={styles.soft}>{help}</p>}
      {empty ? <p className={styles.soft}>{empty}</p> : children}
    </section>
  );
}

/** State of all jobs. Top task: see what failed and why and run it again, 1 click each (open log, run again). */
export default function JobHomePage() {
  const t = useTranslation();
  const { data, error, refetch } = useQuery(jobOverview, {}, { quiet: true, keepPreviousData: true, refetchIntervalMs: () => pollMs });
  const [opened, setOpened] = useState<OpenedRun>();
  const act = useRunActions(refetch);
  useRetry(error !== undefined, refetch);
  if (!data) return <section className={styles.overview}>{error ? <p role="alert">{t(overviewMessages.failed)}</p> : <Spin />}</section>;
  return (
    <section className={styles.overview}>
      {error && <p role="alert">{t(overviewMessages.failed)}</p>}
      <FailingPanel rows={data.failing} onOpen={setOpened} onRetry={act.retry} />
      <RunningPanel rows={data.running} open={data.open} onOpen={setOpened} onStop={act.stop} />
      <FiresPanel now={data.now} rows={data.nextFires} />
      <OverviewPanel title={t(overviewMessages.successRate)} aside={<Link to={`${jobInstanceMenu.path}/index`}>{t(overviewMessages.allRuns)}</Link>}>
        <dl className={styles.rates}>
          {(['day', 'week'] as const).map((period) => (
            <div key={period}>
              <dt>{t(period === 'day' ? overviewMessages.lastDay : overviewMessages.lastWeek)}</dt>
              <dd>
                <RateText rate={data[period]} isLarge />
              </dd>
            </div>
          ))}
        </dl>
      </OverviewPanel>
      <SlowestPanel rows={data.slowest} />
      {data.workers.length > 0 && <WorkersPanel rows={data.workers} />}
      <SidePanel
        open={opened !== undefined}
        title={opened ? `${t(jobMessages.runLog)} · ${opened.jobName}` : ''}
        width={shownLogWidth}
        onClose={() => setOpened(undefined)}
      >
        {opened && <RunDetails key={opened.runId} runId={opened.runId} />}
      </SidePanel>
    </section>
  );
}

/** Requests again after a failure, which ends the polling of a query. */
function useRetry(hasFailed: boolean, refetch: () => void): void {
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(refetch, pollMs);
    return () => clearTimeout(timer);
  }, [hasFailed, refetch]);
}

/** Stops and retries runs, with a message after each. */
function useRunActions(onDone: () => void) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const stop = async (id: string) => {
    if (!(await dialogs.confirm({ title: t(jobMessages.stopQuestion), confirm: t(jobMessages.stop), cancel: t('crud.cancel'), danger: true }))) return;
    if ((await http.send(jobInstance.stop, { ids: [id] })).success) toasts.success(t(jobMessages.stopped));
    onDone();
  };
  const retry = async (id: string) => {
    if ((await http.send(jobInstance.retry, { ids: [id] })).success) toasts.success(t(jobMessages.retried));
    onDone();
  };
  return { stop, retry };
}

interface FailingPanelProps {
  readonly rows: JobOverview['failing'];
  readonly onOpen: (run: OpenedRun) => void;
  readonly onRetry: (runId: string) => Promise<void>;
}

function FailingPanel({ rows, onOpen, onRetry }: FailingPanelProps) {
  const t = useTranslation();
  const mayRetry = useCan('jobinstance_retry');
  const mayRead = useCan(jobInstanceMenu.code);
  return (
    <OverviewPanel title={t(overviewMessages.failing)} empty={rows.length === 0 && t(overviewMessages.noFailures)}>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.jobInfoId}>
            <div className={styles.main}>
              <Link to={jobLink(row.jobInfoId)}>{row.jobName}</Link> <Tag tone="danger">{t(overviewMessages.failures, { count: row.failures })}</Tag>
              {!row.isEnabled && <Tag tone="neutral">{t(jobMessages.paused)}</Tag>}
              <span className={styles.soft}>{t(overviewMessages.lastFailure, { time: row.time })}</span>
              {row.reason && <p className={styles.reason}>{row.reason}</p>}
            </div>
            <div className={styles.buttons}>
              {mayRead && (
                <Button size="small" onClick={() => onOpen(row)}>
                  {t(overviewMessages.openLog)}
                </Button>
              )}
              {mayRetry && (
                <Button size="small" type="primary" onClick={() => void onRetry(row.runId)}>
                  {t(overviewMessages.runAgain)}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </OverviewPanel>
  );
}

interface RunningPanelProps {
  readonly rows: JobOverview['running'];
  readonly open: number;
  readonly onOpen: (run: OpenedRun) => void;
  readonly onStop: (runId: string) => Promise<void>;
}

function RunningPanel({ rows, open, onOpen, onStop }: RunningPanelProps) {
  const t = useTranslation();
  const mayStop = useCan('jobinstance_stop');
  const mayRead = useCan(jobInstanceMenu.code);
  return (
    <OverviewPanel
      title={t(overviewMessages.running)}
      empty={rows.length === 0 && t(overviewMessages.noOpenRuns)}
      aside={open > rows.length && <span className={styles.soft}>{t(overviewMessages.moreOpen, { count: open })}</span>}
    >
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.runId}>
            <div className={styles.main}>
              <Link to={jobLink(row.jobInfoId)}>{row.jobName}</Link> <Tag tone={tones?.[row.state] ?? 'neutral'}>{t(stateLabel(row.state))}</Tag>
              <span className={styles.soft}>
                {t(overviewMessages.elapsed, { time: durationText(row.elapsed, t) })}
                {row.state === runStates.running && row.worker ? ` · ${row.worker}` : ''}
              </span>
            </div>
            <div className={styles.buttons}>
              {mayRead && (
                <Button size="small" onClick={() => onOpen(row)}>
                  {t(overviewMessages.openLog)}
                </Button>
              )}
              {mayStop && (
                <Button size="small" status="danger" onClick={() => void onStop(row.runId)}>
                  {t(jobMessages.stop)}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </OverviewPanel>
  );
}

/** Counts down to the next times, from the server's clock at the time of the answer. */
function FiresPanel({ now, rows }: { readonly now: string; readonly rows: JobOverview['nextFires'] }) {
  const t = useTranslation();
  const [counted, setCounted] = useState({ from: now, ms: 0 });
  // The count of an earlier answer does not apply to this one.
  const elapsedMs = counted.from === now ? counted.ms : 0;
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setCounted({ from: now, ms: performance.now() - start }), 1000);
    return () => clearInterval(timer);
  }, [now]);
  const countdown = (time: string) => {
    const left = Math.floor((serverTimeMs(time) - serverTimeMs(now) - elapsedMs) / 1000) * 1000;
    return left > 0 ? t(overviewMessages.dueIn, { time: durationText(left, t) }) : t(overviewMessages.dueNow);
  };
  return (
    <OverviewPanel
      title={t(overviewMessages.nextFires)}
      aside={<Link to={`${jobInfoMenu.path}/index`}>{t(overviewMessages.allJobs)}</Link>}
      empty={rows.length === 0 && t(overviewMessages.noFires)}
    >
      <ul className={styles.rows}>
        {rows.map(({ jobInfoId, jobName, time, isEstimate }) => (
          <li key={jobInfoId}>
            <div className={styles.main}>
              <Link to={jobLink(jobInfoId)}>{jobName}</Link> {isEstimate && <Tag tone="neutral">{t(overviewMessages.estimate)}</Tag>}
            </div>
            <time className={styles.soft} dateTime={time.replace(' ', 'T')} title={time}>
              {countdown(time)}
            </time>
          </li>
        ))}
      </ul>
    </OverviewPanel>
  );
}

function SlowestPanel({ rows }: { readonly rows: JobOverview['slowest'] }) {
  const t = useTranslation();
  const longest = Math.max(1, ...rows.map(({ p95 }) => p95));
  return (
    <OverviewPanel title={t(overviewMessages.slowest)} help={t(overviewMessages.slowestHelp)} empty={rows.length === 0 && t(overviewMessages.noDurations)}>
      <ul className={styles.rows}>
        {rows.map(({ jobInfoId, jobName, p95, before }) => (
          <li key={jobInfoId}>
            <div className={styles.measured}>
              <Link to={jobLink(jobInfoId)}>{jobName}</Link>
              <span className={styles.bar} style={{ inlineSize: `${(100 * p95) / longest}%` }} aria-hidden="true" />
            </div>
            <span>
              {durationText(p95, t)} <Trend p95={p95} before={before} />
            </span>
          </li>
        ))}
      </ul>
    </OverviewPanel>
  );
}

/** Changes below this share count as none. */
const steadyShare = 0.1;

function Trend({ p95, before }: { readonly p95: number; readonly before: number | null }) {
  const t = useTranslation();
  if (before === null || before === 0) return null;
  const change = p95 / before - 1;
  const percent = Math.round(Math.abs(change) * 100);
  if (Math.abs(change) < steadyShare) return <Tag tone="neutral">{t(overviewMessages.steady)}</Tag>;
  return <Tag tone={change > 0 ? 'warning' : 'good'}>{t(change > 0 ? overviewMessages.slower : overviewMessages.faster, { percent })}</Tag>;
}

function WorkersPanel({ rows }: { readonly rows: JobOverview['workers'] }) {
  const t = useTranslation();
  return (
    <OverviewPanel title={t(overviewMessages.workers)}>
      <ul className={styles.rows}>
        {rows.map(({ name, cpus, memory, disk, inFlight, capacity }) => (
          <li key={name}>
            <div className={styles.main}>
              {name}
              <span className={styles.soft}>{t(overviewMessages.resources, { cpus, memory: memory.toFixed(1), disk: disk.toFixed(0) })}</span>
            </div>
            <Tag tone={inFlight >= capacity ? 'warning' : 'good'}>{t(overviewMessages.load, { inFlight, capacity })}</Tag>
          </li>
        ))}
      </ul>
    </OverviewPanel>
  );
}
