import { sql } from 'drizzle-orm';
import { problems, Refusal, repositoryOf, rowsOf, type ServerContext } from '#server';
import { JobInstance, type jobInstance } from '../run-contract.ts';
import type { Engine } from './engine.ts';

/** Runs: looking at them, following what they say, stopping them and running them once more. */
export function runRoutes({ serve, db }: ServerContext, calls: typeof jobInstance, engine: Engine): void {
  const runs = repositoryOf(db, JobInstance, { uncounted: true });
  serve(calls.list, ({ input }) => runs.page(input));
  serve(calls.detail, ({ input: { id } }) => runs.detail(id));
  serve(calls.log, async ({ input: { id, after } }) => {
    // Asked first: when it has ended, every line of it is there.
    const { state } = await runs.detail(id);
    return { state, lines: await engine.log.lines(id, after) };
  });

  /** Ids of the tenant's own runs; the work itself sees all tenants. */
  const mustBeOwn = (tenantId: string, ids: readonly string[]) =>
    db.read({ tenantId }, async () => {
      const own = await rowsOf(db, sql`select from job_instance where id = any(${`{${ids.join(',')}}`}::bigint[])`);
      if (own.length !== new Set(ids).size) throw new Refusal(problems.notFound);
    });
  serve(
    calls.stop,
    async ({ input: { ids }, principal: { tenantId } }) => {
      await mustBeOwn(tenantId, ids);
      await db.asPlatform('a run that is stopped is taken from any worker', () => engine.runs.stop(ids));
      return null;
    },
    { ownTransactions: true },
  );
  serve(
    calls.retry,
    async ({ input: { ids }, principal: { tenantId } }) => {
      await mustBeOwn(tenantId, ids);
      await db.asPlatform('a run that is tried again is given to any worker', () => engine.runs.retry(ids));
      return null;
    },
    { ownTransactions: true },
  );
}
