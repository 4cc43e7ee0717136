import { Graph, useWords } from '#kernel';
import { traitsOf } from '#shared/fields';
import { JobInstance } from '../run-contract.ts';
import type { WorkflowRun } from '../workflow-contract.ts';
import { workflowWords } from './workflow-words.ts';

const { options, tones } = traitsOf(JobInstance.fields.state) ?? {};
/** Returns the label of a run state; a node without a state has not started. */
export const stateWords = (state: number | null) => options?.find(([known]) => known === state)?.[1] ?? workflowWords.notBegun;

interface NodesOfRunProps {
  readonly run: WorkflowRun;
  /** Called when a node with a run is selected. */
  readonly onOpen: (instanceId: string) => void;
}

/** Shows the progress of each node of a run. */
export function NodesOfRun({ run: { nodes, edges }, onOpen }: NodesOfRunProps) {
  const say = useWords();
  return (
    <Graph
      label={say(workflowWords.graph)}
      nodes={nodes.map(({ nodeId, jobName, state }) => ({
        nodeId,
        title: jobName,
        note: say(stateWords(state)),
        tone: state === null ? 'neutral' : (tones?.[state] ?? 'neutral'),
      }))}
      edges={edges}
      onChoose={(nodeId) => {
        const instanceId = nodes.find((node) => node.nodeId === nodeId)?.instanceId;
        if (instanceId) onOpen(instanceId);
      }}
    />
  );
}
