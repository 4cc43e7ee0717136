import { Button, Checkbox, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { Graph, LoadedPart, matchesSearch, Toasts, useDraft, useMutation, usePinyin, useQuery, useService, useTranslation, useUnsavedChanges } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { closesCycle } from '#shared/dag';
import { type JobInfoRow, jobInfo, titleOfJob } from '../contract.ts';
import { type JobWorkflowRow, jobWorkflow, type WorkflowGraph } from '../workflow-contract.ts';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

const maxJobs = 200;

type WorkflowDraft = WorkflowGraph & Pick<ReplyOf<typeof jobWorkflow.graph>, 'revision'>;

interface EditorInput {
  readonly graph: WorkflowGraph & { readonly revision: string };
  readonly jobs: readonly Pick<JobInfoRow, 'id' | 'jobName' | 'jobNameEn'>[];
}

/** Loads a workflow and the jobs of its application that can be nodes: those that start a workflow themselves cannot. */
export function WorkflowEditor({ workflow: { id, jobServerId } }: { readonly workflow: Pick<JobWorkflowRow, 'id' | 'jobServerId'> }) {
  const graph = useQuery(jobWorkflow.graph, { id }, { quiet: true });
  const jobs = useQuery(jobInfo.list, { jobServerId, current: 1, size: maxJobs }, { quiet: true });
  return (
    <LoadedPart query={graph}>
      {(stored) => (
        <LoadedPart query={jobs}>
          {({ records }) => <WorkflowCanvas id={id} graph={stored} jobs={records.filter(({ workflowId }) => workflowId === null)} />}
        </LoadedPart>
      )}
    </LoadedPart>
  );
}

function WorkflowCanvas({ id, graph, jobs }: EditorInput & { readonly id: string }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const draft = useDraft<WorkflowDraft>(`${jobWorkflow.saveGraph.path}:${id}`);
  const [edited, setEdited] = useState<WorkflowGraph>(draft.found ?? graph);
  const [saved, setSaved] = useState<WorkflowGraph>(graph);
  // The draft keeps the revision that it was based on, so that the server refuses it if the graph has changed since.
  const [revision, setRevision] = useState(draft.found?.revision ?? graph.revision);
  const [selectedId, setSelectedId] = useState<string>();
  useUnsavedChanges(edited !== saved);
  usePinyin();
  const change = (changed: WorkflowGraph) => {
    setEdited(changed);
    draft.store({ ...changed, revision });
  };
  const { nodes, edges } = edited;
  const add = (jobInfoId: string) => {
    const job = jobs.find((one) => one.id === jobInfoId);
    const jobName = job ? t(titleOfJob(job)) : jobInfoId;
    change({ nodes: [...nodes, { nodeId: crypto.randomUUID().slice(0, 8), jobInfoId, jobName }], edges });
  };
  const remove = (nodeId: string) => {
    setSelectedId(undefined);
    change({ nodes: nodes.filter((node) => node.nodeId !== nodeId), edges: edges.filter(({ from, to }) => from !== nodeId && to !== nodeId) });
  };
  const disconnect = (from: string, to: string) => change({ nodes, edges: edges.filter((edge) => edge.from !== from || edge.to !== to) });
  const connect = (from: string, to: string) => {
    if (edges.some((edge) => edge.from === from && edge.to === to)) disconnect(from, to);
    else if (closesCycle(edited, from, to)) toasts.warning(t(workflowMessages.cycle));
    else change({ nodes, edges: [...edges, { from, to }] });
  };
  const select = (nodeId: string) => {
    if (selectedId !== undefined && selectedId !== nodeId) connect(selectedId, nodeId);
    setSelectedId(selectedId === undefined ? nodeId : undefined);
  };
  const { isPending, mutate } = useMutation(jobWorkflow.saveGraph, {
    onSuccess: (reply) => {
      draft.discard();
      setSaved(edited);
      setRevision(reply.revision);
      toasts.success(t(workflowMessages.saved));
    },
  });
  const save = () => void mutate({ id, nodes: nodes.map(({ nodeId, jobInfoId }) => ({ nodeId, jobInfoId })), edges, revision });
  return (
    <div className={styles.editor}>
      <div className={styles.bar}>
        <Select
          className={styles.adding ?? ''}
          aria-label={t(workflowMessages.addNode)}
          placeholder={t(workflowMessages.addNode)}
          showSearch
          filterOption={(typed, option) => matchesSearch(String((option as { props: { children: string } }).props.children), typed)}
          value={undefined as never}
          onChange={add}
          options={jobs.map((job) => ({ value: job.id, label: t(titleOfJob(job)) }))}
        />
        <Button type="primary" loading={isPending} disabled={edited === saved} onClick={save}>
          {t(workflowMessages.save)}
        </Button>
      </div>
      {nodes.length === 0 ? (
        <p role="status">{t(workflowMessages.empty)}</p>
      ) : (
        <>
          <p className={styles.soft}>{t(workflowMessages.hint)}</p>
          <Graph
            label={t(workflowMessages.graph)}
            nodes={nodes.map(({ nodeId, jobName }) => ({ nodeId, title: jobName }))}
            edges={edges}
            selected={selectedId}
            onSelect={select}
            onConnect={(from, to) => {
              // The click event that follows a drag hits neither of the two nodes.
              setSelectedId(undefined);
              connect(from, to);
            }}
            onRemove={remove}
          />
          <DependencyPicker graph={edited} onConnect={connect} onDisconnect={disconnect} onRemove={remove} />
        </>
      )}
    </div>
  );
}

interface DependencyPickerProps {
  readonly graph: WorkflowGraph;
  readonly onConnect: (from: string, to: string) => void;
  readonly onDisconnect: (from: string, to: string) => void;
  readonly onRemove: (nodeId: string) => void;
}

/** Table view of the workflow graph: each node with its dependencies, and a selector to add more. */
function DependencyPicker({ graph, onConnect, onDisconnect, onRemove }: DependencyPickerProps) {
  const t = useTranslation();
  const { nodes, edges } = graph;
  return (
    <table className={styles.dependencies}>
      <thead>
        <tr>
          <th scope="col">{t(workflowMessages.node)}</th>
          <th scope="col">{t(workflowMessages.dependsOn)}</th>
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
                    const isDependency = edges.some(({ from, to }) => from === other.nodeId && to === nodeId);
                    return (
                      <Checkbox
                        key={other.nodeId}
                        checked={isDependency}
                        disabled={!isDependency && closesCycle(graph, other.nodeId, nodeId)}
                        onChange={(isChecked: boolean) => (isChecked ? onConnect : onDisconnect)(other.nodeId, nodeId)}
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
