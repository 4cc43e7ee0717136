import { type SQL, sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { type Processor, queryRows, recycleDaysOf, type ServerContext } from '#server';
import { Flag, Integer, Nullable } from '#shared/fields';

type OrphansDeps = Pick<ServerContext, 'db' | 'files'>;

/** Minimum age in days, because an unsaved form may still refer to an uploaded file. */
const minDays = 7;
const defaultDays = 30;
const batchSize = 200;
/** Maximum number of files per run; the next run continues. */
const maxPerRun = 10_000;
const params = Type.Object({
  days: Nullable(Integer({ title: ['天数', 'Days'], minimum: minDays, maximum: 3650 })),
  dry: Nullable(Flag({ title: ['仅统计', 'Count only'] })),
});

interface OrphanedFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** Job that deletes uploads without references, except protected ones. References from records deleted within those days count, because these can be restored. */
export function orphanSweep({ db, files }: OrphansDeps): Processor {
  return {
    title: ['清理无引用文件', 'Delete unreferenced files'],
    help: [
      '删除本租户上传满若干天、没有任何记录引用的文件，不可恢复；附件管理中保留的除外。参数 {"days":30,"dry":true}，不少于 7 天，dry 只统计不删除',
      'Permanently deletes files of this tenant uploaded more than this many days ago (at least 7) that no record references, except kept attachments; dry only counts: {"days":30,"dry":true}',
    ],
    params,
    async run({ tenantId, params: rawParams, signal, log }) {
      const { days = defaultDays, dry = false } = JSON.parse(rawParams || '{}') as { days?: number; dry?: boolean };
      const orphans = await orphansOf(db, tenantId, Math.max(minDays, days));
      const bytes = orphans.reduce((sum, { size }) => sum + size, 0);
      for (const { name, size } of orphans.slice(0, batchSize)) log('info', `${name}, ${size} bytes`);
      if (orphans.length === maxPerRun) log('warn', `there may be more than ${maxPerRun}; the next run continues`);
      for (let from = 0; !dry && from < orphans.length; from += batchSize) {
        signal.throwIfAborted();
        const batch = orphans.slice(from, from + batchSize).map(({ id }) => id);
        await files.remove(tenantId, batch);
      }
      return `${dry ? 'dry: ' : ''}${orphans.length} files, ${bytes} bytes`;
    },
  };
}

/** Finds orphans, the oldest first. Scans every table once, except logs and the tables of stored files. */
async function orphansOf(db: OrphansDeps['db'], tenantId: string, days: number): Promise<OrphanedFile[]> {
  const before = sql`now() - make_interval(days => ${days})`;
  const restorableSince = sql`now() - make_interval(days => ${Math.max(days, await recycleDaysOf(db))})`;
  return db.asPlatform('records of any tenant may refer to files of the platform', async () => {
    const references = (await referencingTables(db)).map((table) => keysIn(table, tenantId, restorableSince));
    return queryRows<OrphanedFile>(
      db,
      sql`select f.id::text as id, f.name, f.size::double precision as size from stored_file f join (
            select key from stored_file
            where tenant_id = ${tenantId} and stage = 'kept' and purpose = 'upload' and not is_kept and expires_at is null and create_time < ${before}
            except select found[1] from (${sql.join(references, sql` union all `)}) links
          ) orphan on orphan.key = f.key order by f.id limit ${maxPerRun}`,
    );
  });
}

const textTypes = '{text,varchar,json,jsonb,text[],varchar[]}';

interface ReferencingTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isOfTenants: boolean;
  readonly isSoftlyDeleted: boolean;
}

/** Returns every table that can contain a link: links can be in texts, lists, formatted texts and columns outside the entities. */
function referencingTables(db: OrphansDeps['db']): Promise<ReferencingTable[]> {
  return queryRows<ReferencingTable>(
    db,
    sql`select c.relname as name, bool_or(a.attname = 'tenant_id') as "isOfTenants", bool_or(a.attname = 'is_deleted') as "isSoftlyDeleted",
          jsonb_agg(a.attname) filter (where a.attname <> 'tenant_id' and a.atttypid = any(${textTypes}::regtype[])) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
          and c.relname !~ '_log$' and c.relname not in ('stored_file', 'stored_part', 'live_event', 'record_change')
        group by c.relname having bool_or(a.attname <> 'tenant_id' and a.atttypid = any(${textTypes}::regtype[]))`,
  );
}

function keysIn({ name, columns, isOfTenants, isSoftlyDeleted }: ReferencingTable, tenantId: string, restorableSince: SQL): SQL {
  const links = sql.join(
    columns.map((column) => sql`${sql.identifier(column)}::text`),
    sql`, `,
  );
  const ofTenant = isOfTenants ? sql`(tenant_id = ${tenantId} or ${tenantId} = '000000')` : sql`true`;
  const isPresent = isSoftlyDeleted ? sql`(is_deleted <> 1 or update_time is null or update_time > ${restorableSince})` : sql`true`;
  return sql`select regexp_matches(concat_ws(' ', ${links}), '[0-9a-f]{32}', 'g') as found from ${sql.identifier(name)} where ${ofTenant} and ${isPresent}`;
}
