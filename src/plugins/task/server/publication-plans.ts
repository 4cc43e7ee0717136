import { and, sql } from 'drizzle-orm';
import { City, Platform } from '#plugins/base-data/contract';
import { canSeeField, hasId, idArray, notDeleted, queryRows, type Repository, type ServerContext, tableOf, visibleRows } from '#server';
import { type OfferPreview, type PublicationPlan, PublicationPlanning, type PublicationShare, Task, type TaskRow, taskTransitions } from '../contract.ts';

type Context = Pick<ServerContext, 'db' | 'applyFilters'>;

/** Returns the effect of publishing tasks, without publishing them. */
export async function planPublication({ db, applyFilters }: Context, tasks: Repository<typeof Task>, ids: readonly string[]): Promise<PublicationPlan> {
  const { table } = tasks;
  const rows = await tasks.list(and(hasId(table, ids), sql`${table.status} in ${taskTransitions.publish}`, notDeleted(table)));
  const shares = await applyFilters(PublicationPlanning, await sharesOf(db, ids));
  const seesPrices = canSeeField(Task.name, 'unitPrice');
  const [only] = rows;
  return {
    shares: seesPrices ? [...shares] : shares.map((share) => ({ ...share, cost: null, available: null })),
    preview: only && rows.length === 1 ? await previewOf(db, only, seesPrices) : null,
  };
}

/** Sums the free places of tasks by advertiser. */
function sharesOf(db: ServerContext['db'], ids: readonly string[]): Promise<PublicationShare[]> {
  return queryRows<PublicationShare>(
    db,
    sql`select t.advertiser_id::text as "advertiserId", coalesce(t.advertiser_name, '') as name, count(*)::integer as tasks,
          sum(t.quantity - t.claimed)::float8 as places, sum(t.unit_price::bigint * (t.quantity - t.claimed))::float8 as cost, null as available, false as "isRefused"
        from task t where t.id = any(${idArray(ids)}) and t.status in ${taskTransitions.publish} and t.is_deleted = 0 and ${visibleRows(db, Task.name, 't')}
        group by t.advertiser_id, t.advertiser_name order by t.advertiser_name, t.advertiser_id`,
  );
}

async function previewOf(db: ServerContext['db'], task: TaskRow, seesPrices: boolean): Promise<OfferPreview> {
  const [named] = await queryRows<{ platform: string; cities: string[] | null }>(
    db,
    sql`select (select name from ${tableOf(Platform)} where id = ${task.platformId}) as platform,
          (select array_agg(name order by id) from ${tableOf(City)} where id = any(${idArray(task.cityIds ?? [])})) as cities`,
  );
  const { title, cover = null, quantity, claimed, perUserLimit, endTime = null, requirement, unitPrice } = task;
  return {
    title,
    cover,
    platform: named?.platform ?? '',
    cities: named?.cities ?? [],
    unitPrice: seesPrices ? unitPrice : null,
    places: quantity - claimed,
    perUserLimit,
    endTime,
    requirement,
  };
}
