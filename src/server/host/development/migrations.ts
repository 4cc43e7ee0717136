import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { snakeCase } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import {
  applyMigrations,
  type Migration,
  MigrationError,
  migrationsOf,
  type TableDifference,
  tableDifferences,
  unappliedMigrations,
} from '../../data/index.ts';
import { tableOwners } from '../../data/schema/created-objects.ts';
import { type MigrationReset, tableReferences } from '../../data/schema/reset-migrations.ts';
import { kernelMigrations } from '../kernel-migrations.ts';
import type { InstalledPlugin } from '../plugin-host/plugin.ts';
import { orderPlugins } from '../plugin-host/plugin-order.ts';

/** A migration that could not be applied; the tables are as they were before it. */
export interface MigrationProblem {
  readonly plugin: string;
  readonly name: string;
  /** Line of the file; undefined if it is unknown. */
  readonly line: number | undefined;
  readonly message: string;
  /** True for a file that was changed after it had been applied. */
  readonly isChanged: boolean;
}

/** Migrations that a development server has applied, as `plugin/file`, and those that failed. */
export interface MigrationReport {
  readonly applied: readonly string[];
  readonly problems: readonly MigrationProblem[];
}

/** A difference between a table and its entity, with the plugin whose migrations create the table. */
export interface OwnedDifference extends TableDifference {
  readonly plugin: string | undefined;
}

/** Folder of the files that development keeps about its databases. */
const folderOf = (dataDirectory: string) => join(dataDirectory, 'development');
const textFile = (dataDirectory: string, hash: string) => join(folderOf(dataDirectory), 'migrations', `${hash}.sql`);
const referencesFile = (dataDirectory: string) => join(folderOf(dataDirectory), 'references.json');

/** Applies the migrations of a build while the server before it still runs, so that a failed one changes nothing. Stores their texts for a reset. */
export async function migrateInDevelopment(db: Database, dataDirectory: string, installed: readonly InstalledPlugin[]): Promise<MigrationReport> {
  const problems: MigrationProblem[] = [];
  const applied: string[] = [];
  const { ordered } = orderPlugins(installed.map(({ plugin }) => plugin));
  const migrations = migrationsOf(
    ordered.flatMap((plugin) => installed.filter((one) => one.plugin === plugin)),
    kernelMigrations,
  );
  for (const migration of await unappliedMigrations(db, migrations)) {
    // Later files of a plugin expect the earlier ones, and all expect the kernel's.
    if (problems.some(({ plugin }) => plugin === migration.plugin || plugin === 'kernel')) continue;
    try {
      applied.push(...(await applyMigrations(db, [migration])));
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      problems.push(await problemOf(db, dataDirectory, error));
    }
  }
  const failed = new Set(problems.map(({ plugin, name }) => `${plugin}/${name}`));
  storeTexts(
    dataDirectory,
    migrationsOf(installed).filter(({ plugin, name }) => plugin !== 'kernel' && !failed.has(`${plugin}/${name}`)),
  );
  return { applied, problems };
}

async function problemOf(db: Database, dataDirectory: string, { migration, message, line, cause }: MigrationError): Promise<MigrationProblem> {
  const { plugin, name, text } = migration;
  if (cause !== undefined && !(cause instanceof MigrationError))
    return { plugin, name, line, message: cause instanceof Error ? cause.message : message, isChanged: false };
  const [row] = await db.asPlatform('reads the ledger of migrations', () =>
    queryRows<{ hash: string }>(db, sql`select hash from schema_migration where plugin = ${plugin} and name = ${name}`),
  );
  const before = row && appliedText(dataDirectory)(row.hash);
  return {
    plugin,
    name,
    line: before === undefined ? undefined : firstDifference(before, text),
    message: 'was changed after it had been applied',
    isChanged: true,
  };
}

function firstDifference(before: string, now: string): number {
  const lines = before.split(/\r?\n/);
  const position = now.split(/\r?\n/).findIndex((line, index) => line !== lines[index]);
  return (position < 0 ? lines.length : position) + 1;
}

function storeTexts(dataDirectory: string, migrations: readonly Migration[]): void {
  mkdirSync(join(folderOf(dataDirectory), 'migrations'), { recursive: true });
  for (const { hash, text } of migrations) {
    const file = textFile(dataDirectory, hash);
    if (!existsSync(file)) writeFileSync(file, text);
  }
}

/** Returns the stored text of a migration by its hash; undefined if development has not applied it. */
const appliedText =
  (dataDirectory: string): MigrationReset['appliedText'] =>
  (hash) =>
    existsSync(textFile(dataDirectory, hash)) ? readFileSync(textFile(dataDirectory, hash), 'utf8') : undefined;

/** Compares the tables of all plugins with their entities, and stores for a reset which tables refer to which. */
export async function compareInDevelopment(db: Database, dataDirectory: string, installed: readonly InstalledPlugin[]): Promise<OwnedDifference[]> {
  const entities = [...db.entities.values()];
  mkdirSync(folderOf(dataDirectory), { recursive: true });
  writeFileSync(referencesFile(dataDirectory), JSON.stringify(tableReferences(db.entities)));
  const owners = tableOwners(migrationsOf(installed, kernelMigrations));
  // Entities of plugins show the rows of some tables of the kernel, and never write them.
  const own = entities.filter(({ name }) => owners.get(snakeCase(name)) !== 'kernel');
  return (await tableDifferences(db, own)).map((difference) => ({ ...difference, plugin: owners.get(difference.table) }));
}

/** Returns what a reset needs to know from the last development server on this data directory. */
export const storedForReset = (dataDirectory: string): Pick<MigrationReset, 'appliedText' | 'references'> => ({
  appliedText: appliedText(dataDirectory),
  references: existsSync(referencesFile(dataDirectory)) ? JSON.parse(readFileSync(referencesFile(dataDirectory), 'utf8')) : [],
});
