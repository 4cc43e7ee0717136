import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { runStates } from '../run-contract.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobRuns } from './runs.ts';
import type { Workflows } from './workflows.ts';

const batchSize = 100;
const { waiting, running, failed, succeeded, stopped } = runStates;

/**
 * Reconciles runs of jobs that start a workflow: each has a workflow run, starts with it and ends with its result. Every replica compares states repeatedly instead of reacting
 * to events, so nothing is lost when a replica dies.
 */
export class WorkflowJobs {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly runs: JobRuns,
    private readonly workflows: Workflows,
  ) {}

  async tick(): Promise<void> {
    await this.db.asPlatform('tracks workflow runs of all tenants', async () => {
      await limitIdleTransactions(this.db);
      // In this order, and skipping locked runs: nodes are always locked before the runs of their workflows.
      await this.stopNodes();
      await this.reopenRuns();
      await this.endRuns();
      await this.beginRuns();
    });
  }

  /** Stops the open nodes of stopped workflow runs. */
  private async stopNodes(): Promise<void> {
    const nodes = await queryRows<{ id: string }>(
      this.db,
      sql`select i.id::text as id from job_instance i join job_workflow_run w on w.id = i.workflow_run_id
          where i.state in (${waiting}, ${running}) and w.state = ${stopped} order by i.id limit ${batchSize}`,
    );
    await this.workflows.stopNodes(nodes.map(({ id }) => id));
  }

  private async endRuns(): Promise<void> {
    const ended = await queryRows<{ id: string; state: number; runId: string }>(
      this.db,
      sql`select i.id::text as id, w.state, w.id::text as "runId" from job_instance i join job_workflow_run w on w.id = i.own_workflow_run_id
          where i.state = ${running} and w.state <> ${running} order by i.id limit ${batchSize} for no key update of i skip locked`,
    );
    for (const { id, state, runId } of ended) {
      const [run] = await this.runs.lockOpen([id]);
      if (!run) continue;
      if (state === failed) await this.runs.fail(run, await this.workflows.failureReason(runId));
      else await this.runs.end(run, state, state === succeeded ? `${(await this.workflows.nodeRuns(runId)).length} nodes` : '');
    }
  }

  /** Reopens the run of a job whose workflow nodes were retried, even if they have all ended by now. */
  private async reopenRuns(): Promise<void> {
    await queryRows(
      this.db,
      sql`with reopened as (
            select i.id, w.id as run_id from job_workflow_run w join job_instance i on i.own_workflow_run_id = w.id
            where w.reopened for no key update skip locked
          ), opened as (
            update job_instance set state = ${running}, end_time = null, result = null, duration = null
            where state in (${failed}, ${stopped}) and id in (select id from reopened)
          )
          update job_workflow_run set reopened = false where id in (select run_id from reopened)`,
    );
  }

  private async beginRuns(): Promise<void> {
    const waitingRuns = await queryRows<{ id: string; workflowId: string; runId: string | null }>(
      this.db,
      sql`select i.id::text as id, j.workflow_id::text as "workflowId", i.own_workflow_run_id::text as "runId" from job_instance i join job_info j on j.id = i.job_info_id
          where i.state = ${waiting} and j.workflow_id is not null
            and not exists (select from job_instance n where n.workflow_run_id = i.own_workflow_run_id and n.state in (${waiting}, ${running}))
          order by i.id limit ${batchSize} for no key update of i skip locked`,
    );
    for (const { id, workflowId, runId } of waitingRuns) {
      await queryRows(this.db, sql`update job_instance set state = ${running}, began_at = clock_timestamp(), start_time = clock_timestamp() where id = ${id}`);
      if (runId !== null) await this.workflows.resume(runId);
      else if ((await this.workflows.start(workflowId, id)) === '')
        for (const run of await this.runs.lockOpen([id])) await this.runs.fail(run, 'the workflow has no nodes');
    }
  }
}
