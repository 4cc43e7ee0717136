import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import foundation from './migrations/0001-foundation.sql';
import pagePlaces from './migrations/0002-page-places.sql';
import tenantLookedUpOnce from './migrations/0003-tenant-looked-up-once.sql';
import tenantRow from './migrations/0004-tenant-row.sql';

/** Migrations of the tables that the database layer itself needs. */
export const foundationMigrations: Readonly<Record<string, string>> = {
  '0001-foundation.sql': foundation,
  '0002-page-places.sql': pagePlaces,
  '0003-tenant-looked-up-once.sql': tenantLookedUpOnce,
  '0004-tenant-row.sql': tenantRow,
};

/** A migration file of the kernel or of a plugin. */
export interface Migration {
  readonly plugin: string;
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/** Error of a migration that could not be applied; its message is a sentence. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly migration: Migration,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Line of the file at which PostgreSQL found the error; undefined if it named none, and for a file that was changed after it had been applied. */
  get line(): number | undefined {
    const { position } = (this.cause ?? {}) as { position?: unknown };
    const { text } = this.migration;
    return position === undefined ? undefined : text.slice(0, Math.max(0, Number(position) - 1)).split('\n').length;
  }
}

const reason = 'migrations change tables, which belong to no tenant';

type Installed = readonly { readonly plugin: { readonly id: string }; readonly migrations: Readonly<Record<string, string>> }[];

/** Lists the migrations of a build in the order in which they apply to a new database: the kernel's first, then each plugin's. */
export const migrationsOf = (installed: Installed, kernelMigrations: Readonly<Record<string, string>> = {}): Migration[] => [
  ...filesOf('kernel', { ...foundationMigrations, ...kernelMigrations }),
  ...installed.flatMap(({ plugin, migrations }) => filesOf(plugin.id, migrations)),
];

/**
 * Migrates the database: the kernel's files first, then each plugin's in list order, each file in its own transaction and exactly once even if several servers start
 * together. Returns the applied files; throws if a file has changed since it was applied.
 */
export const migrate = (db: Database, installed: Installed, kernelMigrations: Readonly<Record<string, string>> = {}): Promise<string[]> =>
  applyMigrations(db, migrationsOf(installed, kernelMigrations));

/** Applies those of these migrations that the database does not have yet. In a new database indexes are built in the transaction of the caller. */
export async function applyMigrations(db: Database, migrations: readonly Migration[], isNew = false): Promise<string[]> {
  const ledger = await db.asPlatform(reason, () => readLedger(db));
  const applied: string[] = [];
  for (const migration of migrations) {
    if (!isApplied(ledger, migration) && (await apply(db, migration, isNew))) applied.push(`${migration.plugin}/${migration.name}`);
  }
  return applied;
}

/** Returns those of these migrations that the database does not have, or has with another text. */
export async function unappliedMigrations(db: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  const ledger = await db.asPlatform(reason, () => readLedger(db));
  return migrations.filter(({ plugin, name, hash }) => ledger.get(`${plugin}/${name}`) !== hash);
}

function filesOf(plugin: string, files: Readonly<Record<string, string>>): Migration[] {
  return Object.entries(files)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => ({ plugin, name, text, hash: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') }));
}

/** Hash by `plugin/name`. */
type AppliedMigrations = ReadonlyMap<string, string>;

async function readLedger(db: Database): Promise<AppliedMigrations> {
  const [table] = await db.sql.execute<{ exists: boolean }>(sql`select to_regclass('schema_migration') is not null as exists`);
  if (!table?.exists) return new Map();
  const rows = await db.sql.execute<{ plugin: string; name: string; hash: string }>(sql`select plugin, name, hash from schema_migration`);
  return new Map(rows.map(({ plugin, name, hash }) => [`${plugin}/${name}`, hash]));
}

function isApplied(ledger: AppliedMigrations, migration: Migration): boolean {
  const { plugin, name, hash } = migration;
  const ledgerEntry = ledger.get(`${plugin}/${name}`);
  if (ledgerEntry !== undefined && ledgerEntry !== hash) {
    throw new MigrationError(
      migration,
      `The migration ${plugin}/${name} was changed after it had been applied to this database. Restore its text and put the change into a new file.`,
    );
  }
  return ledgerEntry !== undefined;
}

/** Seconds for which a migration waits for a table that is in use. Everything else that needs the table waits behind it, so it gives up and tries again. */
const lockSeconds = 3;
const pauseMs = 2000;
const maxAttempts = 120;

/** Applies a migration; false if another server was faster. */
async function apply(db: Database, migration: Migration, isNew: boolean): Promise<boolean> {
  const { plugin, name } = migration;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isUnused = isNew || db.engine === 'embedded';
        return await (!isUnused && isConcurrent(migration) ? applyConcurrently(db, migration) : applyInTransaction(db, migration, isUnused));
      } catch (error) {
        if (!isLockConflict(error) || attempt === maxAttempts) throw error;
        await wait(pauseMs);
      }
    }
  } catch (error) {
    throw new MigrationError(migration, `The migration ${plugin}/${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Applies a migration in a transaction. The lock belongs to the transaction, so it does not survive a crash. */
const applyInTransaction = (db: Database, migration: Migration, isUnused: boolean): Promise<boolean> =>
  db.asPlatform(reason, async () => {
    // No timeout: a migration takes time in proportion to its tables, and other servers wait for it as long.
    await db.script(
      'set local statement_timeout = 0; select pg_advisory_xact_lock(20240101); create table if not exists schema_migration (plugin text, name text, hash text not null, applied_at timestamptz not null default now(), primary key (plugin, name))',
    );
    if (isApplied(await readLedger(db), migration)) return false;
    await db.script(`set local lock_timeout = '${lockSeconds}s'`);
    // A new or an embedded database is not in use by others, so an index is built at once.
    await db.script(isUnused ? migration.text.replace(/\bconcurrently\b/gi, '') : migration.text);
    await record(db, migration);
    return true;
  });

/**
 * Applies a migration that builds or drops indexes while its tables are written. Its statements run one by one, and can be repeated: an index that a crash or an error
 * has left invalid is dropped first.
 */
async function applyConcurrently(db: Database, migration: Migration): Promise<boolean> {
  const statements = statementsOf(migration.text);
  if (!statements.every(isConcurrentStatement)) throw new Error('Put the statements with “concurrently” into a file without others.');
  for (;;) {
    if (isApplied(await db.asPlatform(reason, () => readLedger(db)), migration)) return false;
    const names = statements.flatMap((statement) => /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1] ?? []);
    const invalid = await db.asPlatform(reason, () => invalidIndexes(db, names));
    if (await db.runConcurrently([...invalid.map((name) => `drop index concurrently if exists ${name}`), ...statements])) break;
    await wait(pauseMs);
  }
  await db.asPlatform(reason, () => record(db, migration));
  return true;
}

async function invalidIndexes(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.sql.execute<{ name: string }>(
    sql`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid and c.relname = any(${`{${names.join(',')}}`}::text[])`,
  );
  return rows.map(({ name }) => name);
}

const record = (db: Database, { plugin, name, hash }: Migration) =>
  db.sql.execute(sql`insert into schema_migration (plugin, name, hash) values (${plugin}, ${name}, ${hash}) on conflict do nothing`);

/** Tests whether a migration has statements that cannot run in a transaction. It may then have no others. */
const isConcurrent = ({ text }: Migration) => statementsOf(text).some(isConcurrentStatement);

const isConcurrentStatement = (statement: string) => /^(create (unique )?index|drop index|reindex \w+) concurrently\b/i.test(statement);

/** Splits a text into its statements without comments. */
const statementsOf = (text: string) =>
  text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Detects the error of a statement that waited too long for a table, or was part of a deadlock with other work. */
const isLockConflict = (error: unknown): boolean => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === '55P03' || code === '40P01' || (cause instanceof Error && isLockConflict(cause));
};
