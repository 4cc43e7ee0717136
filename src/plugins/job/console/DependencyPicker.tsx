import { Button, Checkbox } from '@arco-design/web-react';
import { useTranslation } from '#kernel';
import { closesCircle } from '#shared/dag';
import type { WorkflowGraph } from '../workflow-contract.ts';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

interface DependencyPickerProps {
  readonly graph: WorkflowGraph;
  readonly onConnect: (from: string, to: string) => void;
  readonly onPart: (from: string, to: string) => void;
  readonly onRemove: (nodeId: string) => void;
}

/** Table view of the workflow graph: each node with its dependencies, and a selector to add more. */
export function DependencyPicker({ graph, onConnect, onPart, onRemove }: DependencyPickerProps) {
  const t = useTranslation();
  const { nodes, edges } = graph;
  return (
    <table className={styles.waits}>
      <thead>
        <tr>
          <th scope="col">{t(workflowMessages.node)}</th>
          <th scope="col">{t(workflowMessages.after)}</th>
          <th scope="col">{t('crud.actions')}</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map(({ nodeId, jobName }) => (
          <tr key={nodeId}>
            <th scope="row">{jobName}</th>
            <td>
              <div className={styles.bar}>
                {nodes
                  .filter((other) => other.nodeId !== nodeId)
                  .map((other) => {
                    const isBefore = edges.some(({ from, to }) => from === other.nodeId && to === nodeId);
                    return (
                      <Checkbox
                        key={other.nodeId}
                        checked={isBefore}
                        disabled={!isBefore && closesCircle(graph, other.nodeId, nodeId)}
                        onChange={(isChecked: boolean) => (isChecked ? onConnect : onPart)(other.nodeId, nodeId)}
                      >
                        {other.jobName}
                      </Checkbox>
                    );
                  })}
              </div>
            </td>
            <td>
              <Button size="small" status="danger" aria-label={t(workflowMessages.removeNode, { name: jobName })} onClick={() => onRemove(nodeId)}>
                {t(workflowMessages.remove)}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
