import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import type { Database } from './database.ts';
import { typeOfField } from './field-type.ts';
import { type Milestones, milestoneStep, type Road } from './milestones.ts';
import { orderBy, type Sort } from './order.ts';
import type { NamedTable, PageRequest } from './page-statements.ts';
import { keptCount } from './row-count.ts';

interface Place {
  readonly db: Database;
  readonly entity: Entity;
  readonly table: NamedTable;
  readonly milestones: Milestones;
}

/** Where to start reading and in which direction. */
interface Start {
  readonly from: SQL | undefined;
  readonly reversed: boolean;
  readonly skip: number;
  readonly take: number;
}

/**
 * A page far into an unfiltered list: from the nearest milestone, else from the nearer end. Positions hold only while the table stays as it was when
 * it was counted; the statement that reads the rows looks at that again, and nothing is answered when it has changed.
 */
export async function deepPage(place: Place, request: PageRequest): Promise<{ rows: unknown[]; total: number } | undefined> {
  const { db, entity, table, milestones } = place;
  const [state] = await db.sql.select({ kept: keptCount(entity, table) }).from(sql`(select) nothing`);
  if (!state) return undefined;
  const { rows: total, changes } = state.kept;
  if (request.offset >= total) return { rows: [], total };
  const sort = roadSort(request.sorts);
  const name = `${db.scope?.tenantId} ${sort?.field}`;
  const road = sort && milestones.find(name, changes);
  const start = road ? fromMilestone(request, total, sort, road, place) : fromNearerEnd(request, total);
  const found = await read(place, request, start);
  if (found.some(({ kept }) => kept.changes !== changes)) return undefined;
  if (sort && !road && start.skip > milestoneStep * 5) milestones.walked(name, changes, () => build(place, sort));
  return { rows: found.map(({ row }) => row), total };
}

/** Roads lead along one column that is never null, with `id` behind it. */
function roadSort(sorts: readonly Sort[]): Sort | undefined {
  const [sort, id] = sorts;
  return sort && id && sorts.length === 2 && id.field === 'id' && !sort.nullable && sort.descending === id.descending ? sort : undefined;
}

function fromNearerEnd({ offset, size }: PageRequest, total: number): Start {
  const take = Math.min(size, total - offset);
  const reversed = offset > total / 2;
  return { from: undefined, reversed, take, skip: reversed ? total - offset - take : offset };
}

function fromMilestone({ offset, size }: PageRequest, total: number, sort: Sort, { stones }: Road, { entity, table }: Place): Start {
  const take = Math.min(size, total - offset);
  const rank = sort.descending ? total - offset - take : offset;
  const stone = stones[Math.floor(rank / milestoneStep)];
  if (!stone) return { from: undefined, reversed: sort.descending, take, skip: rank };
  const type = sql.raw(typeOfField(entity.fields[sort.field] as Entity['fields'][string]).sqlType);
  const from = sql`(${sort.column}, ${table.id}) >= (${stone.key}::${type}, ${stone.id}::bigint)`;
  return { from, reversed: sort.descending, take, skip: rank % milestoneStep };
}

function read({ db, entity, table }: Place, { sorts }: PageRequest, { from, reversed, skip, take }: Start) {
  const picked = db.sql
    .select({ id: table.id })
    .from(table)
    .where(and(sql`${table.isDeleted} = 0`, from))
    .orderBy(...orderBy(sorts, reversed))
    .limit(take)
    .offset(skip)
    .as('picked');
  return db.sql
    .select({ row: getTableColumns(table), kept: keptCount(entity, table) })
    .from(table)
    .innerJoin(picked, eq(table.id, picked.id))
    .orderBy(...orderBy(sorts));
}

async function build({ db, entity, table }: Place, { column }: Sort): Promise<Road> {
  const ranked = sql`select ${column} as key, ${table.id} as id, row_number() over (order by ${column}, ${table.id}) - 1 as rank from ${table} where ${table.isDeleted} = 0`;
  const stones = await db.sql
    .select({ key: sql<string>`key::text`, id: sql<string>`id`, kept: keptCount(entity, table) })
    .from(sql`(${ranked}) ranked`)
    .where(sql`rank % ${sql.raw(String(milestoneStep))} = 0`)
    .orderBy(sql`rank`);
  return { changes: stones[0]?.kept.changes ?? -1, stones };
}
