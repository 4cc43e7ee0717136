import { sql } from 'drizzle-orm';
import { Refusal, rowsOf, type ServerContext } from '#server';
import type { Dag } from '#shared/dag';
import { jobProblems } from '../contract.ts';
import { runStates } from '../run-contract.ts';
import { failurePolicies, workflowTimings } from '../workflow-contract.ts';
import { atMoment, databaseNow, databaseZone } from './clock.ts';
import { nextFire } from './fires.ts';
import type { Runs } from './runs.ts';
import { endAtStandstill } from './standstill.ts';

interface DrawnNode {
  readonly nodeId: string;
  readonly jobInfoId: string;
}

interface Standing {
  readonly failurePolicy: number;
  /** What the job that started it gives to each node. */
  readonly instanceParams: string | null;
  readonly dag: Pick<Dag, 'edges'> & { readonly nodes: readonly DrawnNode[] };
}

interface NodeRun {
  readonly nodeId: string;
  readonly instanceId: string;
  readonly state: number;
}

const atOnce = 100;
const ended: ReadonlySet<number> = new Set([runStates.failed, runStates.succeeded, runStates.cancelled, runStates.stopped]);

/**
 * Runs of workflows: each end of a run of a job moves the workflow on that it is part of. Everything here is part of the transaction under way, which sees
 * all tenants. A run of a job is held before that of its workflow, everywhere: so nobody waits for each other.
 */
export class Workflows {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly runs: Runs,
  ) {}

  /** When a workflow is due next, from now on. Part of the write under way. */
  async place(
    id: string,
    { enable, ...timing }: { readonly enable: number; readonly timeExpressionType: number; readonly timeExpression: string | null },
  ): Promise<void> {
    const { db } = this;
    const isDue = enable === 1 && timing.timeExpressionType === workflowTimings.cron;
    const next = isDue ? nextFire(timing, await databaseNow(db), await databaseZone(db)) : undefined;
    await rowsOf(db, sql`update job_workflow set next_fire = ${next === undefined ? sql`null` : atMoment(next)} where id = ${id}`);
  }

  /** Begins what is due; each moment once, whichever replica looks. What was missed is made up for once. */
  async fireDue(): Promise<void> {
    const { db } = this;
    await db.asPlatform('workflows of all tenants come due', async () => {
      await endAtStandstill(db);
      const due = await rowsOf<{ id: string; timeExpression: string }>(
        db,
        sql`select id::text as id, time_expression as "timeExpression" from job_workflow
            where next_fire <= clock_timestamp() and enable = 1 and is_deleted = 0 order by next_fire limit ${atOnce} for update skip locked`,
      );
      for (const { id, timeExpression } of due) {
        await this.place(id, { enable: 1, timeExpressionType: workflowTimings.cron, timeExpression });
        await this.begin(id);
      }
    });
  }

  /** Begins a run of a workflow with what can begin at once, for a run of a job or for itself; answers its id, nothing where there is nothing to do. */
  async begin(id: string, instanceId?: string): Promise<string> {
    const [run] = await rowsOf<{ id: string }>(
      this.db,
      sql`insert into job_workflow_run (tenant_id, workflow_id, state, failure_policy, dag)
          select tenant_id, id, ${runStates.running}, failure_policy, dag from job_workflow where id = ${id} and jsonb_array_length(dag -> 'nodes') > 0
          returning id::text as id`,
    );
    if (!run) return '';
    if (instanceId) await rowsOf(this.db, sql`update job_instance set own_workflow_run_id = ${run.id} where id = ${instanceId}`);
    await this.advance(run.id);
    return run.id;
  }

  /** Goes on where a run has failed or was stopped. */
  async goOn(runId: string): Promise<void> {
    const again = await this.nodesIn(runId, [runStates.failed, runStates.stopped]);
    if (again.length > 0) await this.retryNodes(again);
    await rowsOf(this.db, sql`update job_workflow_run set state = ${runStates.running}, end_time = null where id = ${runId}`);
    await this.advance(runId);
  }

  /** Why a run has failed: the first of its nodes that has, and what it said. */
  async reasonOf(runId: string): Promise<string> {
    const [node] = await rowsOf<{ reason: string }>(
      this.db,
      sql`select j.job_name || ': ' || coalesce(i.result, '') as reason from job_instance i join job_info j on j.id = i.job_info_id
          where i.workflow_run_id = ${runId} and i.state <> ${runStates.succeeded} order by i.end_time, i.id limit 1`,
    );
    return node?.reason ?? '';
  }

  /** A run of a job has ended for good. */
  async nodeEnded(instanceId: string): Promise<void> {
    const [node] = await rowsOf<{ of: string | null }>(this.db, sql`select workflow_run_id::text as of from job_instance where id = ${instanceId}`);
    if (node?.of) await this.advance(node.of);
  }

  /** Runs of jobs are tried again: what they are part of runs again. */
  async nodesRetried(instanceIds: readonly string[]): Promise<void> {
    await rowsOf(
      this.db,
      sql`update job_workflow_run w set state = ${runStates.running}, end_time = null,
              reopened = exists (select from job_instance where own_workflow_run_id = w.id)
            where state <> ${runStates.running} and id in (select workflow_run_id from job_instance where id = any(${`{${instanceIds.join(',')}}`}::bigint[]))`,
    );
  }

  /** The runs of its nodes that stand as `states` say. */
  async nodesIn(runId: string, states: readonly number[], nodeId?: string): Promise<string[]> {
    const nodes = await this.nodeRuns(runId);
    return nodes.filter((node) => states.includes(node.state) && (nodeId === undefined || node.nodeId === nodeId)).map(({ instanceId }) => instanceId);
  }

  /** Those that have ended meanwhile are left as they are, and those whose workflow goes on again. */
  async stopNodes(instanceIds: readonly string[]): Promise<void> {
    if (instanceIds.length === 0) return;
    await this.runs.holdTasks(instanceIds);
    const held = (await this.runs.held(instanceIds)).map(({ id }) => id);
    // Read once they are held: whoever goes on holds them too.
    const stopped = await rowsOf<{ id: string }>(
      this.db,
      sql`select i.id::text as id from job_instance i join job_workflow_run w on w.id = i.workflow_run_id
          where i.id = any(${`{${held.join(',')}}`}::bigint[]) and w.state = ${runStates.stopped}`,
    );
    await this.runs.stop(stopped.map(({ id }) => id));
  }

  async retryNodes(instanceIds: readonly string[]): Promise<void> {
    await this.runs.retry(instanceIds);
  }

  /** From now on nothing of it begins. */
  async close(runId: string): Promise<void> {
    const closed = await rowsOf(
      this.db,
      sql`update job_workflow_run set state = ${runStates.stopped}, end_time = clock_timestamp() where id = ${runId} and state = ${runStates.running} returning id`,
    );
    if (closed.length === 0) throw new Refusal(jobProblems.notRunning);
  }

  /** Begins what waits for nothing any more; ends the whole where nothing is left to do. */
  private async advance(runId: string): Promise<void> {
    const { db } = this;
    const [run] = await rowsOf<Standing>(
      db,
      sql`select failure_policy as "failurePolicy", dag, (select instance_params from job_instance where own_workflow_run_id = job_workflow_run.id) as "instanceParams" from job_workflow_run where id = ${runId} and state = ${runStates.running} for update`,
    );
    if (!run) return;
    for (;;) {
      const nodes = new Map((await this.nodeRuns(runId)).map((node) => [node.nodeId, node.state]));
      const ready = readyNodes(run, nodes);
      if (ready.length === 0) return this.settle(runId, [...nodes.values()]);
      // One that may not begin has failed at once, so what now can is looked for again.
      await this.runs.begin(ready.map(({ jobInfoId, nodeId }) => ({ jobInfoId, workflowRunId: runId, nodeId, instanceParams: run.instanceParams })));
    }
  }

  private async settle(runId: string, states: readonly number[]): Promise<void> {
    if (states.some((state) => !ended.has(state))) return;
    const outcome = states.every((state) => state === runStates.succeeded) ? runStates.succeeded : runStates.failed;
    await rowsOf(this.db, sql`update job_workflow_run set state = ${outcome}, end_time = clock_timestamp() where id = ${runId}`);
  }

  nodeRuns(runId: string): Promise<NodeRun[]> {
    return rowsOf<NodeRun>(this.db, sql`select node_id as "nodeId", id::text as "instanceId", state from job_instance where workflow_run_id = ${runId}`);
  }
}

/** What has not begun and waits for nothing any more. */
function readyNodes({ dag: { nodes, edges }, failurePolicy }: Standing, states: ReadonlyMap<string, number>): readonly DrawnNode[] {
  const goesOn = failurePolicy === failurePolicies.goOn;
  const hasFailed = [...states.values()].some((state) => ended.has(state) && state !== runStates.succeeded);
  if (hasFailed && !goesOn) return [];
  const isDone = (id: string) => {
    const state = states.get(id);
    return state === runStates.succeeded || (goesOn && state !== undefined && ended.has(state));
  };
  return nodes.filter(({ nodeId }) => !states.has(nodeId) && edges.every(({ from, to }) => to !== nodeId || isDone(from)));
}
