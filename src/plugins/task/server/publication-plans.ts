import { and, sql } from 'drizzle-orm';
import { Advertiser, City, Platform } from '#plugins/base-data/contract';
import { canSeeField, hasId, idArray, notDeleted, queryRows, type Repository, type ServerContext, tableOf, visibleRows } from '#server';
import { type OfferPreview, type PublicationPlan, PublicationPlanning, type PublicationShare, Task, type TaskRow, taskTransitions } from '../contract.ts';

type Context = Pick<ServerContext, 'db' | 'applyFilters'>;

/** Returns the effect of publishing tasks, without publishing them. */
export async function planPublication({ db, applyFilters }: Context, tasks: Repository<typeof Task>, ids: readonly string[]): Promise<PublicationPlan> {
  const { table } = tasks;
  const shares = await applyFilters(PublicationPlanning, await sharesOf(db, ids));
  const seesPrices = canSeeField(Task.name, 'unitPrice');
  const isOne = shares.length === 1 && shares[0]?.tasks === 1;
  const isCandidate = and(hasId(table, ids), sql`${table.status} in ${taskTransitions.publish}`, notDeleted(table));
  const [only] = isOne ? await tasks.list(isCandidate) : [];
  return {
    shares: seesPrices ? [...shares] : shares.map((share) => ({ ...share, cost: null, least: null, available: null })),
    preview: only ? await previewOf(db, only, seesPrices) : null,
  };
}

const isPublishable = sql`t.status in ${taskTransitions.publish} and t.is_deleted = 0 and t.claimed < t.quantity and (t.end_time is null or t.end_time > now())`;

/** Sums the free places of tasks by advertiser. */
function sharesOf(db: ServerContext['db'], ids: readonly string[]): Promise<PublicationShare[]> {
  return queryRows<PublicationShare>(
    db,
    sql`select t.advertiser_id::text as "advertiserId", a.name, count(*)::integer as tasks, sum(t.quantity - t.claimed)::float8 as places,
          sum(t.unit_price::bigint * (t.quantity - t.claimed))::float8 as cost, min(t.unit_price::bigint * (t.quantity - t.claimed))::float8 as least,
          null as available, false as "isLimited", false as "isRefused"
        from task t join ${tableOf(Advertiser)} a on a.id = t.advertiser_id
        where t.id = any(${idArray(ids)}) and ${isPublishable} and ${visibleRows(db, Task.name, 't')} group by t.advertiser_id, a.name order by a.name, t.advertiser_id`,
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
    cover: canSeeField(Task.name, 'cover') ? cover : null,
    platform: named?.platform ?? '',
    cities: canSeeField(Task.name, 'cityIds') ? (named?.cities ?? []) : [],
    unitPrice: seesPrices ? unitPrice : null,
    places: quantity - claimed,
    perUserLimit,
    endTime,
    requirement: canSeeField(Task.name, 'requirement') ? requirement : '',
  };
}
