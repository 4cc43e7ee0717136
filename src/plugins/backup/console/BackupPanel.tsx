import { Button } from '@arco-design/web-react';
import { Can, formatBytes, Hint, LoadedPart, Tag, Toasts, type Translate, useMutation, useQuery, useService, useTranslation } from '#kernel';
import type { Tone } from '#shared/fields';
import { type BackupRun, backupCalls, backupCodes } from '../contract.ts';
import styles from './backup.module.css';
import { backupMessages, stateMessages } from './messages.ts';

/** Time between requests while a backup waits or runs, and otherwise. */
const [activePollMs, idlePollMs] = [2000, 30_000];
const isUnfinished = ({ state }: BackupRun) => state === 'waiting' || state === 'running';

/** Lists the recent backups on the health screen and requests one. Top task: make a backup before an upgrade and see that it is complete, 1 click (back up now). */
export default function BackupPanel() {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const query = useQuery(backupCalls.state, {}, { quiet: true, refetchIntervalMs: ({ runs }) => (runs.some(isUnfinished) ? activePollMs : idlePollMs) });
  const start = useMutation(backupCalls.start, {
    onSuccess: () => {
      toasts.success(t(backupMessages.requested));
      query.refetch();
    },
  });
  return (
    <LoadedPart query={query}>
      {({ isConfigured, nextTime, runs }) => (
        <div className={styles.panel}>
          {isConfigured ? (
            <div className={styles.bar}>
              <Can code={backupCodes.start}>
                <Button type="primary" loading={start.isPending} disabled={runs.some(isUnfinished)} onClick={() => void start.mutate({})}>
                  {t(backupMessages.start)}
                </Button>
              </Can>
              <span>{t(backupMessages.nextBackup, { time: nextTime })}</span>
            </div>
          ) : (
            <Hint>{t(backupMessages.notConfigured)}</Hint>
          )}
          {runs.length === 0 && isConfigured && <Hint>{t(backupMessages.noRuns)}</Hint>}
          <p className="visually-hidden" role="status">
            {runs[0] && `${t(stateMessages[runs[0].state])} ${runs[0].problem}`}
          </p>
          <ul className={styles.runs} aria-label={t(backupMessages.runs)}>
            {runs.map((run) => (
              <RunItem key={run.id} run={run} />
            ))}
          </ul>
        </div>
      )}
    </LoadedPart>
  );
}

const tones: Readonly<Record<BackupRun['state'], Tone>> = { waiting: 'neutral', running: 'brand', made: 'good', failed: 'danger' };

function RunItem({ run }: { readonly run: BackupRun }) {
  const t = useTranslation();
  const { startTime, state, isRequested, missing } = run;
  return (
    <li>
      <Tag tone={state === 'made' && missing > 0 ? 'warning' : tones[state]}>{t(stateMessages[state])}</Tag>
      <time>{startTime}</time>
      <span>{t(isRequested ? backupMessages.byRequest : backupMessages.bySchedule)}</span>
      <span className={styles.detail}>{detailOf(run, t)}</span>
    </li>
  );
}

function detailOf({ state, server, seconds, bytes, isVerified, missing, problem }: BackupRun, t: Translate): string {
  const duration = t(backupMessages.duration, { minutes: Math.floor(seconds / 60), seconds: Math.round(seconds % 60) });
  if (state === 'waiting') return t(backupMessages.waiting);
  if (state === 'running') return t(backupMessages.inProgress, { server, duration });
  if (state === 'failed') return `${server} · ${problem}`;
  const parts = [
    server,
    t(backupMessages.sizeAndDuration, { size: formatBytes(bytes), duration }),
    t(isVerified ? backupMessages.verified : backupMessages.checked),
  ];
  return [...parts, ...(missing > 0 ? [t(backupMessages.missing, { count: missing })] : [])].join(' · ');
}
