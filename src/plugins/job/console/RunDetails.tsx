import type { ReactNode } from 'react';
import { LoadedPart, Tag, useQuery, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { JobInstance, type JobInstanceRow, jobInstance, openRunStates } from '../run-contract.ts';
import { durationText, serverTimeMs } from './duration.ts';
import { jobMessages } from './messages.ts';
import { RunLog } from './RunLog.tsx';
import styles from './run.module.css';
import { stateLabel } from './WorkflowRunGraph.tsx';

const pollMs = 2000;
const { fields } = JobInstance;
const titleOf = (name: keyof typeof fields) => traitsOf(fields[name])?.title ?? [name, name];
const { tones } = traitsOf(fields.state) ?? {};
const triggers = traitsOf(fields.trigger)?.options ?? [];

/** Returns the duration of a run as far as it is known; runs of PowerJob may have an end without a duration. */
const durationOf = ({ duration, startTime, endTime }: JobInstanceRow) =>
  duration ?? (startTime && endTime ? Math.max(0, serverTimeMs(endTime) - serverTimeMs(startTime)) : undefined);

/** Shows a run: its state, times, trigger, server, result and log, updated while it runs. */
export function RunDetails({ runId }: { readonly runId: string }) {
  const t = useTranslation();
  const query = useQuery(jobInstance.detail, { id: runId }, { quiet: true, refetchIntervalMs: ({ state }) => (openRunStates.has(state) ? pollMs : undefined) });
  return (
    <div className={styles.run}>
      <LoadedPart query={query}>
        {(run) => (
          <dl className={styles.facts}>
            <Fact title={titleOf('state')}>
              <Tag tone={tones?.[run.state] ?? 'neutral'}>{t(stateLabel(run.state))}</Tag>
            </Fact>
            <Fact title={titleOf('trigger')}>{t(triggers.find(([value]) => value === run.trigger)?.[1] ?? ['—', '—'])}</Fact>
            <Fact title={titleOf('startTime')}>{run.startTime}</Fact>
            <Fact title={titleOf('endTime')}>{run.endTime}</Fact>
            <Fact title={jobMessages.durationTitle}>{durationOf(run) !== undefined && durationText(durationOf(run) ?? 0, t)}</Fact>
            <Fact title={titleOf('worker')}>{run.worker}</Fact>
            {run.stoppedBy && <Fact title={titleOf('stoppedBy')}>{run.stoppedBy}</Fact>}
            <Fact title={titleOf('runningTimes')}>{run.runningTimes}</Fact>
            {run.result && (
              <Fact title={titleOf('result')} isWide>
                {run.result}
              </Fact>
            )}
          </dl>
        )}
      </LoadedPart>
      <RunLog runId={runId} />
    </div>
  );
}

interface FactProps {
  readonly title: LocalizedText;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Fact({ title, isWide = false, children }: FactProps) {
  const t = useTranslation();
  return (
    <div data-wide={isWide}>
      <dt>{t(title)}</dt>
      <dd>{children || '—'}</dd>
    </div>
  );
}
