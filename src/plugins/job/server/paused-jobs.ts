import { type SQL, sql } from 'drizzle-orm';
import type { Processors, ServerContext } from '#server';

/** Context of the job plugin: the services of the kernel and the processors that it runs. */
export interface JobPluginContext extends ServerContext {
  readonly jobs: Processors;
}

/** Returns the condition that a job is not paused: its tenant is neither suspended nor expired, and the plugin of its processor is enabled. Paused jobs stay due. */
export function isNotPaused(jobs: Pick<Processors, 'paused'>, tenant: SQL, processor: SQL): SQL {
  const paused = jobs.paused();
  const isOpen = sql`exists (select from tenant o where o.tenant_id = ${tenant} and o.status = 1 and (o.expire_time is null or o.expire_time > now()))`;
  if (paused.length === 0) return isOpen;
  return sql`${isOpen} and not exists (select from jsonb_to_recordset(${JSON.stringify(paused)}::jsonb) as p("tenantId" text, processor text)
    where coalesce(p."tenantId", ${tenant}) = ${tenant} and coalesce(p.processor, ${processor}) = ${processor})`;
}
