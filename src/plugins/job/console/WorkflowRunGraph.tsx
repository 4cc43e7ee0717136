import { Graph, Tag, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { JobInstance, runStates } from '../run-contract.ts';
import type { WorkflowRun } from '../workflow-contract.ts';
import { jobMessages } from './messages.ts';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

const { options, tones } = traitsOf(JobInstance.fields.state) ?? {};
/** Returns the label of a run state; a node without a state has not started. */
export const stateLabel = (state: number | null) => options?.find(([optionState]) => optionState === state)?.[1] ?? workflowMessages.notStarted;

/** Returns the time until a run is read again, which ends with the run. */
export const refetchIntervalMsOf = ({ state }: { readonly state: number }) => (state === runStates.running ? 2000 : undefined);

/** Marks of the states, which tell them apart without colour. */
const marks: Readonly<Record<number, string>> = {
  [runStates.waiting]: '…',
  [runStates.dispatched]: '…',
  [runStates.running]: '▶',
  [runStates.failed]: '✕',
  [runStates.succeeded]: '✓',
  [runStates.cancelled]: '⊘',
  [runStates.stopped]: '■',
};
const toneOf = (state: number | null) => (state === null ? 'neutral' : (tones?.[state] ?? 'neutral'));
const markOf = (state: number | null) => (state === null ? '○' : (marks[state] ?? ''));
const legendStates = [null, runStates.waiting, runStates.running, runStates.succeeded, runStates.failed, runStates.stopped] as const;

interface WorkflowRunGraphProps {
  readonly run: WorkflowRun;
  /** Called when a node with a run is selected. */
  readonly onOpen: (instanceId: string) => void;
}

/** Shows the progress of each node of a run. */
export function WorkflowRunGraph({ run: { nodes, edges }, onOpen }: WorkflowRunGraphProps) {
  const t = useTranslation();
  return (
    <>
      <ul className={styles.legend} aria-label={t(jobMessages.legend)}>
        {legendStates.map((state) => (
          <li key={state}>
            <Tag tone={toneOf(state)}>
              <span aria-hidden="true">{markOf(state)}</span> {t(stateLabel(state))}
            </Tag>
          </li>
        ))}
      </ul>
      <Graph
        label={t(workflowMessages.graph)}
        nodes={nodes.map(({ nodeId, jobName, state }) => ({ nodeId, title: jobName, note: `${markOf(state)} ${t(stateLabel(state))}`, tone: toneOf(state) }))}
        edges={edges}
        onSelect={(nodeId) => {
          const instanceId = nodes.find((node) => node.nodeId === nodeId)?.instanceId;
          if (instanceId) onOpen(instanceId);
        }}
      />
    </>
  );
}
