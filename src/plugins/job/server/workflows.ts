import { sql } from 'drizzle-orm';
import { ApiError, idArray, queryRows, type ServerContext } from '#server';
import type { Dag } from '#shared/dag';
import { jobProblems } from '../contract.ts';
import { openRunStates, runStates } from '../run-contract.ts';
import { failurePolicies, workflowTimings } from '../workflow-contract.ts';
import { databaseNow, databaseZone, timestampOf } from './clock.ts';
import { nextFire } from './fires.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobRuns } from './runs.ts';

interface WorkflowNode {
  readonly nodeId: string;
  readonly jobInfoId: string;
}

interface WorkflowSnapshot {
  readonly failurePolicy: number;
  /** Parameters the job that started the run passes to each node. */
  readonly instanceParams: string | null;
  readonly dag: Pick<Dag, 'edges'> & { readonly nodes: readonly WorkflowNode[] };
}

interface NodeRun {
  readonly nodeId: string;
  readonly instanceId: string;
  readonly state: number;
}

const batchSize = 100;
const hasEnded = (state: number): boolean => !openRunStates.has(state);

/**
 * Runs of workflows: the end of a node's run advances its workflow. All methods take part in the current transaction, which sees all tenants. Job runs are always
 * locked before their workflow run, which prevents deadlocks.
 */
export class Workflows {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly runs: JobRuns,
  ) {}

  /** Schedules a workflow from now on. Takes part in the current transaction. */
  async schedule(
    id: string,
    { enable, ...timing }: { readonly enable: number; readonly timeExpressionType: number; readonly timeExpression: string | null },
  ): Promise<void> {
    const { db } = this;
    const isDue = enable === 1 && timing.timeExpressionType === workflowTimings.cron;
    const next = isDue ? nextFire(timing, await databaseNow(db), await databaseZone(db)) : undefined;
    await queryRows(db, sql`update job_workflow set next_fire = ${next === undefined ? sql`null` : timestampOf(next)} where id = ${id}`);
  }

  /** Starts due workflows, each scheduled time once across all replicas. Missed times start one run. */
  async fireDue(): Promise<void> {
    const { db } = this;
    await db.asPlatform('finds due workflows of all tenants', async () => {
      await limitIdleTransactions(db);
      const due = await queryRows<{ id: string; timeExpression: string }>(
        db,
        sql`select id::text as id, time_expression as "timeExpression" from job_workflow
            where next_fire <= clock_timestamp() and enable = 1 and is_deleted = 0 order by next_fire limit ${batchSize} for update skip locked`,
      );
      for (const { id, timeExpression } of due) {
        await this.schedule(id, { enable: 1, timeExpressionType: workflowTimings.cron, timeExpression });
        await this.start(id);
      }
    });
  }

  /** Starts a workflow run with the nodes that have no dependencies, optionally for a run of a job. Returns its id, or '' when the workflow has no nodes. */
  async start(id: string, instanceId?: string): Promise<string> {
    const [run] = await queryRows<{ id: string }>(
      this.db,
      sql`insert into job_workflow_run (tenant_id, workflow_id, state, failure_policy, dag)
          select tenant_id, id, ${runStates.running}, failure_policy, dag from job_workflow where id = ${id} and jsonb_array_length(dag -> 'nodes') > 0
          returning id::text as id`,
    );
    if (!run) return '';
    if (instanceId) await queryRows(this.db, sql`update job_instance set own_workflow_run_id = ${run.id} where id = ${instanceId}`);
    await this.advance(run.id);
    return run.id;
  }

  /** Resumes a workflow run at the nodes that failed or were stopped. */
  async resume(runId: string): Promise<void> {
    const failed = await this.nodesIn(runId, [runStates.failed, runStates.stopped]);
    if (failed.length > 0) await this.runs.retry(failed);
    await queryRows(this.db, sql`update job_workflow_run set state = ${runStates.running}, end_time = null where id = ${runId}`);
    await this.advance(runId);
  }

  /** Returns the reason of a failed workflow run: its first failed node with the node's message. */
  async failureReason(runId: string): Promise<string> {
    const [node] = await queryRows<{ reason: string }>(
      this.db,
      sql`select j.job_name || ': ' || coalesce(i.result, '') as reason from job_instance i join job_info j on j.id = i.job_info_id
          where i.workflow_run_id = ${runId} and i.state <> ${runStates.succeeded} order by i.end_time, i.id limit 1`,
    );
    return node?.reason ?? '';
  }

  /** Advances the workflow after a run of one of its nodes has ended for good. */
  async nodeEnded(instanceId: string): Promise<void> {
    const [node] = await queryRows<{ of: string | null }>(this.db, sql`select workflow_run_id::text as of from job_instance where id = ${instanceId}`);
    if (node?.of) await this.advance(node.of);
  }

  /** Reopens the workflow runs whose nodes are retried. */
  async nodesRetried(instanceIds: readonly string[]): Promise<void> {
    await queryRows(
      this.db,
      sql`update job_workflow_run w set state = ${runStates.running}, end_time = null,
              reopened = exists (select from job_instance where own_workflow_run_id = w.id)
            where state <> ${runStates.running} and id in (select workflow_run_id from job_instance where id = any(${idArray(instanceIds)}))`,
    );
  }

  /** Returns the ids of the node runs that are in one of `states`. */
  async nodesIn(runId: string, states: readonly number[], nodeId?: string): Promise<string[]> {
    const nodes = await this.nodeRuns(runId);
    return nodes.filter((node) => states.includes(node.state) && (nodeId === undefined || node.nodeId === nodeId)).map(({ instanceId }) => instanceId);
  }

  /** Stops nodes; those that have ended or whose workflow was resumed meanwhile are skipped. */
  async stopNodes(instanceIds: readonly string[]): Promise<void> {
    if (instanceIds.length === 0) return;
    await this.runs.lockTasks(instanceIds);
    const open = (await this.runs.lockOpen(instanceIds)).map(({ id }) => id);
    // The state is read after locking, because resuming the workflow takes the same locks.
    const stopped = await queryRows<{ id: string }>(
      this.db,
      sql`select i.id::text as id from job_instance i join job_workflow_run w on w.id = i.workflow_run_id
          where i.id = any(${idArray(open)}) and w.state = ${runStates.stopped}`,
    );
    await this.runs.stop(stopped.map(({ id }) => id));
  }

  /** Ends a workflow run as stopped, so that no further node starts. */
  async markStopped(runId: string): Promise<void> {
    const closed = await queryRows(
      this.db,
      sql`update job_workflow_run set state = ${runStates.stopped}, end_time = clock_timestamp() where id = ${runId} and state = ${runStates.running} returning id`,
    );
    if (closed.length === 0) throw new ApiError(jobProblems.notRunning);
  }

  /** Starts the nodes whose dependencies have ended; ends the workflow run when none is left. */
  private async advance(runId: string): Promise<void> {
    const { db } = this;
    const [run] = await queryRows<WorkflowSnapshot>(
      db,
      sql`select failure_policy as "failurePolicy", dag, (select instance_params from job_instance where own_workflow_run_id = job_workflow_run.id) as "instanceParams" from job_workflow_run where id = ${runId} and state = ${runStates.running} for update`,
    );
    if (!run) return;
    for (;;) {
      const nodes = new Map((await this.nodeRuns(runId)).map((node) => [node.nodeId, node.state]));
      const ready = readyNodes(run, nodes);
      if (ready.length === 0) return this.settle(runId, [...nodes.values()]);
      // A node that could not start has failed at once, so the loop looks for further ready nodes.
      await this.runs.create(ready.map(({ jobInfoId, nodeId }) => ({ jobInfoId, workflowRunId: runId, nodeId, instanceParams: run.instanceParams })));
    }
  }

  private async settle(runId: string, states: readonly number[]): Promise<void> {
    if (states.some((state) => !hasEnded(state))) return;
    const outcome = states.every((state) => state === runStates.succeeded) ? runStates.succeeded : runStates.failed;
    await queryRows(this.db, sql`update job_workflow_run set state = ${outcome}, end_time = clock_timestamp() where id = ${runId}`);
  }

  nodeRuns(runId: string): Promise<NodeRun[]> {
    return queryRows<NodeRun>(this.db, sql`select node_id as "nodeId", id::text as "instanceId", state from job_instance where workflow_run_id = ${runId}`);
  }
}

/** Returns the nodes that have not started and whose dependencies have ended. */
function readyNodes({ dag: { nodes, edges }, failurePolicy }: WorkflowSnapshot, states: ReadonlyMap<string, number>): readonly WorkflowNode[] {
  const continues = failurePolicy === failurePolicies.continue;
  const hasFailed = [...states.values()].some((state) => hasEnded(state) && state !== runStates.succeeded);
  if (hasFailed && !continues) return [];
  const isDone = (id: string) => {
    const state = states.get(id);
    return state === runStates.succeeded || (continues && state !== undefined && hasEnded(state));
  };
  return nodes.filter(({ nodeId }) => !states.has(nodeId) && edges.every(({ from, to }) => to !== nodeId || isDone(from)));
}
