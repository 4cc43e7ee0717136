import { sql } from 'drizzle-orm';
import type { SectionItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { HealthSource } from './health-sources.ts';

const longTransactionSeconds = 3600;
const standbyLagSeconds = 60;
/** Share of the connections of PostgreSQL from which none may be left for the next server. */
const manyConnections = 0.9;
const storesKeptMs = 300_000;

/** Facts of the database, and the files by store. */
export const databaseHealth = (db: Database): readonly HealthSource[] => [
  { section: 'database', read: () => db.asPlatform('reads the state of the database', async () => [...(await generalItems(db)), ...(await serverItems(db))]) },
  { section: 'disk', read: storedFiles(db) },
];

async function generalItems(db: Database): Promise<SectionItem[]> {
  const [row] = await queryRows<{ version: string; bytes: number; migrations: number; latest: string }>(
    db,
    sql`select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database())::float8 as bytes, count(*)::integer as migrations,
          to_char(max(applied_at), 'YYYY-MM-DD HH24:MI:SS') as latest from schema_migration`,
  );
  if (!row) return [];
  const { version, bytes, migrations, latest } = row;
  const engine = db.engine === 'embedded' ? (['内嵌 PostgreSQL', 'Embedded PostgreSQL'] as const) : (['PostgreSQL', 'PostgreSQL'] as const);
  return [
    { id: 'version', title: ['版本', 'Version'], text: [`${engine[0]} ${version}`, `${engine[1]} ${version}`] },
    { id: 'size', title: ['大小', 'Size'], value: bytes, unit: 'bytes' },
    { id: 'migrations', title: ['数据表迁移', 'Migrations'], text: [`${migrations} 个，最近 ${latest}`, `${migrations}, last at ${latest}`] },
  ];
}

/** Reads what only a server has: other connections and standbys. */
async function serverItems(db: Database): Promise<SectionItem[]> {
  if (db.engine !== 'postgres') return [];
  const [row] = await queryRows<{ used: number; max: number; seconds: number | null; since: string; hasStatistics: boolean }>(
    db,
    sql`select count(*)::integer as used, current_setting('max_connections')::integer as max, extract(epoch from clock_timestamp() - min(xact_start))::float8 as seconds,
          to_char(min(xact_start), 'YYYY-MM-DD HH24:MI:SS') as since, pg_has_role(session_user, 'pg_read_all_stats', 'member') as "hasStatistics"
        from pg_stat_activity where backend_type = 'client backend'`,
  );
  if (!row) return [];
  const { used, max, seconds, since, hasStatistics } = row;
  const own: LocalizedText = hasStatistics ? ['', ''] : ['（仅本账号）', ' (of this role)'];
  const crowded: LocalizedText = [
    `PostgreSQL 的 ${max} 个连接已用 ${used} 个：请调大 max_connections，或调小各服务器的 DATABASE_CONNECTIONS`,
    `${used} of the ${max} connections of PostgreSQL are in use. Raise max_connections, or lower DATABASE_CONNECTIONS of the servers.`,
  ];
  const long: LocalizedText = [
    '有事务长时间未结束，会阻碍清理与升级：请在 pg_stat_activity 中查明来源并结束它',
    'A transaction has been open for long and holds up vacuum and upgrades. Find its origin in pg_stat_activity and end it.',
  ];
  return [
    {
      id: 'connections',
      title: ['连接', 'Connections'],
      text: [`${used} / ${max}`, `${used} / ${max}`],
      ...(used > max * manyConnections ? { problem: { isUrgent: false, text: crowded } } : {}),
    },
    {
      id: 'transaction',
      title: [`最长事务${own[0]}`, `Longest transaction${own[1]}`],
      value: Math.max(0, seconds ?? 0),
      unit: 'seconds',
      ...((seconds ?? 0) > longTransactionSeconds ? { problem: { isUrgent: false, text: long, since } } : {}),
    },
    ...(await standbys(db)),
  ];
}

/** Lists standbys with their lag; PostgreSQL shows the lag to members of pg_read_all_stats only. */
async function standbys(db: Database): Promise<SectionItem[]> {
  const rows = await queryRows<{ name: string; state: string | null; seconds: number }>(
    db,
    sql`select coalesce(nullif(application_name, ''), client_addr::text, pid::text) as name, state, coalesce(extract(epoch from replay_lag), 0)::float8 as seconds
        from pg_stat_replication order by 1 limit 20`,
  );
  if (rows.length === 0) return [{ id: 'standbys', title: ['备库', 'Standbys'], text: ['无', 'None'] }];
  return rows.map(({ name, state, seconds }, index): SectionItem => {
    const item = { id: `standby:${index}`, title: [`备库 ${name} 延迟`, `Lag of standby ${name}`] as const };
    if (state === null) return { ...item, text: ['本账号不可见（需 pg_read_all_stats）', 'Not visible to this role (it requires pg_read_all_stats)'] };
    const text: LocalizedText = [`备库 ${name} 落后主库：请检查其负载与网络`, `The standby ${name} is behind. Check its load and its network.`];
    return { ...item, value: seconds, unit: 'seconds', ...(seconds > standbyLagSeconds ? { problem: { isUrgent: false, text } } : {}) };
  });
}

const storeNames: Readonly<Record<string, LocalizedText>> = {
  disk: ['DATA_DIR 中的文件', 'Files in DATA_DIR'],
  bucket: ['FILES_BUCKET 中的文件', 'Files in FILES_BUCKET'],
};
const ofTenants: LocalizedText = ['租户对象存储中的文件', 'Files in stores of tenants'];

/** Sums the sizes of files by store, from the rows of all files and therefore at most every five minutes. */
function storedFiles(db: Database): () => Promise<readonly SectionItem[]> {
  let known: { readonly items: readonly SectionItem[]; readonly staleAt: number } | undefined;
  return async () => {
    if (known && Date.now() < known.staleAt) return known.items;
    const rows = await db.asPlatform('sums the files of all tenants', () =>
      queryRows<{ store: string; bytes: number }>(
        db,
        sql`select case when store in ('disk', 'bucket') then store else 'tenants' end as store, sum(size)::float8 as bytes from stored_file group by 1 order by 1`,
      ),
    );
    const items = rows.map(({ store, bytes }): SectionItem => ({ id: `files:${store}`, title: storeNames[store] ?? ofTenants, value: bytes, unit: 'bytes' }));
    known = { items, staleAt: Date.now() + storesKeptMs };
    return items;
  };
}
