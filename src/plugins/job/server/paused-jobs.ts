import { type SQL, sql } from 'drizzle-orm';
import type { Processors, ServerContext } from '#server';

/** Context of the job plugin: the services of the kernel and the processors that it runs. */
export interface JobPluginContext extends ServerContext {
  readonly jobs: Processors;
}

/** Returns a condition that holds when a job, by the columns of its tenant and its processor, belongs to a tenant that is neither suspended nor expired and to no plugin that is switched off. What is paused stays due and waits. */
export function isNotPaused(jobs: Pick<Processors, 'paused'>, tenant: SQL, processor: SQL): SQL {
  const paused = jobs.paused();
  const open = sql`exists (select from tenant o where o.tenant_id = ${tenant} and o.status = 1 and (o.expire_time is null or o.expire_time > now()))`;
  if (paused.length === 0) return open;
  return sql`${open} and not exists (select from jsonb_to_recordset(${JSON.stringify(paused)}::jsonb) as p("tenantId" text, processor text)
    where coalesce(p."tenantId", ${tenant}) = ${tenant} and coalesce(p.processor, ${processor}) = ${processor})`;
}
