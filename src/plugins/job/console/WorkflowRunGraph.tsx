import { Graph, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { JobInstance, runStates } from '../run-contract.ts';
import type { WorkflowRun } from '../workflow-contract.ts';
import { workflowMessages } from './workflow-messages.ts';

const { options, tones } = traitsOf(JobInstance.fields.state) ?? {};
/** Returns the label of a run state; a node without a state has not started. */
export const stateLabel = (state: number | null) => options?.find(([optionState]) => optionState === state)?.[1] ?? workflowMessages.notStarted;

/** Returns the time until a run is read again, which ends with the run. */
export const refetchIntervalMsOf = ({ state }: { readonly state: number }) => (state === runStates.running ? 2000 : undefined);

interface WorkflowRunGraphProps {
  readonly run: WorkflowRun;
  /** Called when a node with a run is selected. */
  readonly onOpen: (instanceId: string) => void;
}

/** Shows the progress of each node of a run. */
export function WorkflowRunGraph({ run: { nodes, edges }, onOpen }: WorkflowRunGraphProps) {
  const t = useTranslation();
  return (
    <Graph
      label={t(workflowMessages.graph)}
      nodes={nodes.map(({ nodeId, jobName, state }) => ({
        nodeId,
        title: jobName,
        note: t(stateLabel(state)),
        tone: state === null ? 'neutral' : (tones?.[state] ?? 'neutral'),
      }))}
      edges={edges}
      onSelect={(nodeId) => {
        const instanceId = nodes.find((node) => node.nodeId === nodeId)?.instanceId;
        if (instanceId) onOpen(instanceId);
      }}
    />
  );
}
