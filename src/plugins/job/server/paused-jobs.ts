import { type SQL, sql } from 'drizzle-orm';
import type { ServerContext } from '#server';

/** Whether a job, by the columns of its tenant and its processor, belongs to no plugin that is switched off. What is paused stays due and waits. */
export function isNotPaused(jobs: Pick<ServerContext['jobs'], 'paused'>, tenant: SQL, processor: SQL): SQL {
  const paused = jobs.paused();
  if (paused.length === 0) return sql`true`;
  return sql`not exists (select from jsonb_to_recordset(${JSON.stringify(paused)}::jsonb) as p("tenantId" text, processor text)
    where coalesce(p."tenantId", ${tenant}) = ${tenant} and coalesce(p.processor, ${processor}) = ${processor})`;
}
