import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, crud, entity, get, NoContent, post, type RowOf, withoutCalls } from '#shared/contract';
import { BooleanInt, Id, Nullable, Reference, Select, Text } from '#shared/fields';
import { enabledField } from './field-contract.ts';
import { jobWorkflowMenu } from './menus.ts';
import { jobServer } from './server-contract.ts';

const path = '/api/blade-job/job-workflow';
const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });

/** Policies for the remaining nodes after a node has failed. */
export const failurePolicies = { stop: 1, continue: 2 } as const;
export const workflowTimings = { api: 1, cron: 2 } as const;
const isTimed = { field: 'timeExpressionType', is: workflowTimings.cron } as const;

/** Graph of jobs that depend on each other. */
export const JobWorkflow = entity(
  'job_workflow',
  {
    id: Id(),
    jobServerId: Reference({
      title: ['任务应用', 'Application'],
      onDelete: 'refuse',
      from: { call: jobServer.select, entity: jobServer.entity.name, title: 'jobAppName', lookup: 'ids' },
      search: true,
      immutable: true,
      help: [
        '须为内置引擎的应用；PowerJob 的工作流在其控制台编排和运行',
        'Select an application of the built-in engine. PowerJob workflows are edited and run in the PowerJob console',
      ],
    }),
    workflowName: Text({ title: ['工作流名称', 'Workflow'], maxLength: 128, search: true }),
    workflowDescription: Nullable(Text({ title: ['描述', 'Description'], maxLength: 255, list: false })),
    enable: BooleanInt(enabledField),
    failurePolicy: Select({
      title: ['节点失败时', 'On node failure'],
      options: [
        [failurePolicies.stop, ['停止', 'Stop']],
        [failurePolicies.continue, ['继续后续节点', 'Continue']],
      ],
      default: failurePolicies.stop,
    }),
    timeExpressionType: Select({
      title: ['定时信息', 'Schedule'],
      options: [
        [workflowTimings.api, ['API', 'API']],
        [workflowTimings.cron, ['CRON', 'CRON']],
      ],
      default: workflowTimings.api,
    }),
    timeExpression: Nullable(
      Text({
        title: ['时间表达式', 'Time expression'],
        maxLength: 128,
        visible: isTimed,
        requiredWhen: isTimed,
        controlWhen: [{ when: isTimed, widget: 'cron' }],
      }),
    ),
  },
  { archivable: false },
);
export type JobWorkflowRow = RowOf<typeof JobWorkflow>;

const nodeId = text(32, 1);
const Edge = Type.Object({ from: nodeId, to: nodeId });
const Graph = Type.Object({ nodes: Type.Array(Type.Object({ nodeId, jobInfoId: Id(), jobName: text(128) })), edges: Type.Array(Edge) });
/** Identifies the content of a graph: a change by another user changes it. */
const Revision = Type.Object({ revision: Type.String() });
const StoredGraph = Type.Object({ ...Graph.properties, ...Revision.properties });
/** Graph of a workflow. */
export type WorkflowGraph = Static<typeof Graph>;

const RunGraph = Type.Object({
  id: Id(),
  state: Type.Integer(),
  nodes: Type.Array(
    Type.Object({
      nodeId,
      jobInfoId: Id(),
      jobName: text(128),
      /** State of the node's run; null when it has not started. */
      state: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      instanceId: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  ),
  edges: Type.Array(Edge),
});
/** Workflow run with the state of each node. */
export type WorkflowRun = Static<typeof RunGraph>;
const RunSummary = Type.Object({ id: Id(), state: Type.Integer(), startTime: text(19), endTime: Type.Unsafe<string | null>({ type: ['string', 'null'] }) });
/** Workflow run in a list. */
export type WorkflowRunSummary = Static<typeof RunSummary>;

const workflowCalls = withoutCalls(crud(path, JobWorkflow, { menu: jobWorkflowMenu.code }), 'export', 'import');
const readAccess = { code: jobWorkflowMenu.code };
const runAccess = { code: 'jobworkflow_run' };

export const jobWorkflow = {
  ...workflowCalls,
  graph: get(`${path}/graph`, { title: ['工作流图', 'Workflow graph'], access: readAccess, input: ById, reply: StoredGraph }),
  /** Replaces the graph; runs in progress keep the graph they started with. Refused with 409 if the graph has another `revision` by now. */
  saveGraph: post(`${path}/draw`, {
    title: ['编排工作流', 'Edit workflow graph'],
    access: { code: 'jobworkflow_edit' },
    input: Type.Object({
      id: Id(),
      nodes: Type.Array(Type.Object({ nodeId, jobInfoId: Id() }), { maxItems: 200 }),
      edges: Type.Array(Edge, { maxItems: 1000 }),
      revision: Type.Optional(Type.String({ maxLength: 32 })),
    }),
    reply: Revision,
  }),
  /** Returns the id of the run. */
  run: post(`${path}/run`, { title: ['运行工作流', 'Run workflow'], access: runAccess, input: ById, reply: Id() }),
  /** Returns the latest runs of a workflow, newest first, at most twenty. */
  runs: get(`${path}/runs`, { title: ['工作流实例', 'Workflow runs'], access: readAccess, input: ById, reply: Type.Array(RunSummary) }),
  runGraph: get(`${path}/run-graph`, { title: ['工作流实例图', 'Workflow run graph'], access: readAccess, input: ById, reply: RunGraph }),
  stop: post(`${path}/stop`, { title: ['停止工作流', 'Stop workflow'], access: runAccess, input: ById, reply: NoContent }),
  /** Retries one failed node or all of them, and continues from there. */
  retry: post(`${path}/retry`, {
    title: ['重试工作流', 'Retry workflow'],
    access: runAccess,
    input: Type.Object({ id: Id(), nodeId: Type.Optional(nodeId) }),
    reply: NoContent,
  }),
};
