import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';
import { ApiError } from '#shared/errors';
import { transferProblems } from './problems.ts';

/** Maximum number of transfers that a process runs at a time. The limits per tenant and user are lower, so that others can run theirs. */
export const maxRunning = 3;
const maxRunningPerTenant = maxRunning - 1;
const maxRunningPerUser = 1;
/** Maximum number of waiting transfers. */
const maxWaitingPerUser = 10;
const maxWaitingPerTenant = 100;

/**
 * Orders the waiting transfers of all tenants. Tenants alternate, as do the users of each: the next is the one with fewer transfers, including running ones, and then
 * the one not served for the longest time.
 */
const queue = sql`
  with active as (
    select id, tenant_id, owner_id, target, state = 'running' and lease_until >= now() as is_running from transfer where state in ('queued', 'running')
  ), served as (
    select tenant_id, owner_id, max(begin_time) as at, max(max(begin_time)) over (partition by tenant_id) as tenant_at from transfer group by tenant_id, owner_id
  ), of_users as (
    select active.*, count(*) filter (where is_running) over (partition by tenant_id, owner_id) as user_running,
      count(*) filter (where is_running) over (partition by tenant_id) as tenant_running,
      row_number() over (partition by tenant_id, owner_id order by is_running desc, id) as user_turn
    from active
  ), of_tenants as (
    select u.*, s.tenant_at, row_number() over (partition by u.tenant_id order by u.is_running desc, u.user_turn, s.at nulls first, u.id) as tenant_turn
    from of_users u join served s on s.tenant_id = u.tenant_id and s.owner_id = u.owner_id
  )
  select id, target, user_running, tenant_running, row_number() over (order by tenant_turn, tenant_at nulls first, id)::integer as place
  from of_tenants where not is_running`;

/** Selects the next transfer of these targets whose user and tenant are below their limits. */
export const nextInQueue = (targets: readonly string[]): SQL => sql`
  select id::text as id from (${queue}) waiting
  where target = any(${`{${targets.join(',')}}`}::text[]) and user_running < ${maxRunningPerUser} and tenant_running < ${maxRunningPerTenant} order by place limit 1`;

/** Returns the position of each waiting transfer, 1 for the next. */
export async function queuePositions(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.asPlatform('reads the queue of transfers of all tenants', () =>
    queryRows<{ id: string; place: number }>(db, sql`select id::text as id, place from (${queue}) waiting where id = any(${`{${ids.join(',')}}`}::bigint[])`),
  );
  return new Map(rows.map(({ id, place }) => [id, place]));
}

/** Throws if a user or tenant has too many waiting transfers. The surrounding transaction serializes such checks of a tenant. */
export async function assertQueueCapacity(db: Database, { tenantId, userId }: { readonly tenantId: string; readonly userId: string }): Promise<void> {
  await db.lock(`waiting transfers of ${tenantId}`);
  const [waiting] = await queryRows<{ own: number; all: number }>(
    db,
    sql`select count(*) filter (where owner_id = ${userId})::integer as own, count(*)::integer as all from transfer where state = 'queued'`,
  );
  if ((waiting?.own ?? 0) >= maxWaitingPerUser) throw new ApiError(transferProblems.userQueueFull, { count: maxWaitingPerUser });
  if ((waiting?.all ?? 0) >= maxWaitingPerTenant) throw new ApiError(transferProblems.tenantQueueFull, { count: maxWaitingPerTenant });
}
