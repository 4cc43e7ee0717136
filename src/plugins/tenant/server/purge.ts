import { and, eq, ne, sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { type Database, Evidence, type Processor, platformTenant, queryRows, type ServerContext, tableOf } from '#server';
import { Integer, Nullable } from '#shared/fields';
import { Tenant } from '../contract.ts';

/** Number of days in which a deleted tenant can be restored. */
const minDays = 30;
const batchSize = 200;
const rowBatchSize = 5000;
const tenants = tableOf(Tenant);
const isDeleted = sql`${tenants.isDeleted} = 1`;
const Days = Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum: minDays, maximum: 3650 })) });

/** Job that permanently removes the data of tenants deleted long ago. Rows that must not be deleted, such as the ledger and the rows it references, remain. */
export function tenantPurge({ db, files, get }: Pick<ServerContext, 'db' | 'files' | 'get'>): Processor {
  const evidence = get(Evidence);
  return {
    title: ['清除已删除租户', 'Purge deleted tenants'],
    help: [
      '永久清除已删除指定天数的租户数据与文件，不可恢复，账本除外；参数 {"days":30}，不少于 30',
      'Permanently removes the data and files of tenants deleted more than this many days ago (at least 30), except the ledger: {"days":30}',
    ],
    platformOnly: true,
    params: Days,
    async run({ params, signal, log }) {
      const days = Math.max(minDays, Number((JSON.parse(params || '{}') as { days?: number }).days ?? minDays));
      let purged = 0;
      for (const tenantId of await tenantsDueForPurge(db, days)) {
        signal.throwIfAborted();
        if (!(await deleteFiles({ db, files }, tenantId))) {
          log('warn', `${tenantId}: some files could not be deleted; the next run retries`);
          continue;
        }
        await evidence.recordPurge({ tenant: tenantId, before: Math.floor(Date.now() / 1000 + 1) * 1000 });
        const undeletable = await deleteRows(db, tenantId);
        for (const [table, reason] of undeletable) log('warn', `${tenantId}: ${table} stays: ${reason}`);
        if (undeletable.size > 0) continue;
        const isPurged = and(eq(tenants.tenantId, tenantId), isDeleted);
        await db.asPlatform('deletes the row of a purged tenant', () => db.sql.delete(tenants).where(isPurged));
        log('info', `${tenantId} purged`);
        purged += 1;
      }
      return String(purged);
    },
  };
}

async function tenantsDueForPurge(db: Database, days: number): Promise<string[]> {
  const { tenantId: code, updateTime, id } = tenants;
  const isDue = and(isDeleted, ne(code, platformTenant), sql`${updateTime} < now() - make_interval(days => ${days})`);
  const rows = await db.asPlatform('finds deleted tenants', () => db.sql.select({ tenantId: code }).from(tenants).where(isDue).orderBy(id));
  return rows.map(({ tenantId }) => tenantId);
}

/** Removes the files of a tenant; resolves to true once no store contains any. */
async function deleteFiles({ db, files }: Pick<ServerContext, 'db' | 'files'>, tenantId: string): Promise<boolean> {
  const batchOf = (stage: 'removed' | 'others') =>
    db.read({ tenantId }, () =>
      queryRows<{ id: string }>(db, sql`select id::text as id from stored_file where (stage = 'removed') = ${stage === 'removed'} limit ${batchSize}`),
    );
  for (let batch = await batchOf('others'); batch.length > 0; batch = await batchOf('others')) {
    const ids = batch.map(({ id }) => id);
    await files.remove(tenantId, ids);
  }
  return (await batchOf('removed')).length === 0;
}

/** Deletes all rows of the tenant, in repeated passes because tables reference one another. Returns the tables that still have rows, with the reason. */
async function deleteRows(db: Database, tenantId: string): Promise<Map<string, string>> {
  const tables = await tablesOf(db);
  for (;;) {
    const undeletable = new Map<string, string>();
    let deleted = 0;
    for (const table of tables)
      try {
        deleted += await emptyTable(db, table, tenantId);
      } catch (error) {
        undeletable.set(table.name, reasonOf(error as Error));
      }
    if (deleted === 0) return undeletable;
  }
}

const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

/** Deletes the rows of one table in batches with a transaction each, so that locks are short and no statement runs into its time limit. */
export async function emptyTable(db: Database, { name, isMarked }: TenantTable, tenantId: string): Promise<number> {
  let deleted = 0;
  // Indexes contain undeleted rows only; the few others are found by reading the table.
  for (const condition of isMarked ? [sql` and is_deleted = 0`, sql``] : [sql``])
    for (let batch = rowBatchSize; batch === rowBatchSize; deleted += batch)
      batch = await db.asPlatform('deletes rows of a purged tenant', async () => {
        await queryRows(db, sql`set local statement_timeout = 0`);
        const [row] = await queryRows<{ count: number }>(
          db,
          sql`with deleted as (
                delete from ${sql.identifier(name)} where ctid = any(array(
                  select ctid from ${sql.identifier(name)} where tenant_id = ${tenantId}${condition} limit ${sql.raw(String(rowBatchSize))})) returning 1
              ) select count(*)::double precision as count from deleted`,
        );
        return row?.count ?? 0;
      });
  return deleted;
}

interface TenantTable {
  readonly name: string;
  /** True if deleted rows are marked. */
  readonly isMarked: boolean;
}

/** Returns every table with a tenant column except the table of tenants; of a partitioned one its partitions, because rows are deleted by their place. */
async function tablesOf(db: Database): Promise<TenantTable[]> {
  const rows = await db.asPlatform('reads table definitions, which belong to no tenant', () =>
    queryRows<TenantTable>(
      db,
      sql`select c.relname as name, has_column(c.oid, 'is_deleted') as "isMarked" from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'tenant' order by c.relname`,
    ),
  );
  return rows;
}
