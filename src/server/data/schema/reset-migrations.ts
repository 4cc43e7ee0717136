import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import { referenceTarget } from '../database/reference-registry.ts';
import { queryRows, textArray } from '../database/rows.ts';
import { type CreatedObjects, createdObjects, tableOwners } from './created-objects.ts';
import { applyMigrations, type Migration } from './migrate.ts';

/** A field of an entity whose values lead to rows of another table, as the last server on this database has declared it. */
export interface TableReference {
  readonly table: string;
  readonly column: string;
  readonly target: string;
}

/** Lists the fields of entities whose values lead to rows of other entities. */
export function tableReferences(entities: ReadonlyMap<string, Entity>): TableReference[] {
  return [...entities.values()].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, schema]) => {
      const target = referenceTarget(schema)?.name;
      return target !== undefined && entities.has(target) ? [{ table: snakeCase(name), column: snakeCase(field), target: snakeCase(target) }] : [];
    }),
  );
}

/** Input of a reset. */
export interface MigrationReset {
  readonly plugin: string;
  /** Migrations of the deployment; those of the plugin are applied again. */
  readonly migrations: readonly Migration[];
  readonly references: readonly TableReference[];
  /** Returns the text of a migration as it was applied, by its hash; undefined if it was not stored. */
  readonly appliedText: (hash: string) => string | undefined;
}

/** Something of another plugin that refers to a table, which therefore cannot be dropped. */
export interface TableHolder {
  readonly table: string;
  /** Plugin of the table, if it is known. */
  readonly plugin: string | undefined;
  /** Table that it refers to. */
  readonly target: string;
  /** Name of the foreign key, or the column whose values lead to rows. */
  readonly by: string;
  /** Number of rows that refer; undefined for a foreign key, which holds the table itself. */
  readonly rows: number | undefined;
}

/** Everything that a reset would drop, and the holders for which it is refused. */
export interface ResetPlan {
  readonly objects: CreatedObjects;
  /** Number of rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Names of the migrations that are applied to the database. */
  readonly applied: readonly string[];
  readonly holders: readonly TableHolder[];
}

const reason = 'a reset drops tables, which belong to no tenant';

/** Finds what the migrations of a plugin have created in this database. */
export const planReset = (db: Database, { plugin, migrations, references, appliedText }: MigrationReset): Promise<ResetPlan> =>
  db.asPlatform(reason, async () => {
    const applied = await queryRows<{ name: string; hash: string }>(db, sql`select name, hash from schema_migration where plugin = ${plugin} order by name`);
    const current = new Map(migrations.filter((one) => one.plugin === plugin).map(({ name, text }) => [name, text]));
    const texts = applied.flatMap(({ name, hash }) => appliedText(hash) ?? current.get(name) ?? []);
    const objects = await existing(db, createdObjects(texts));
    const rows = new Map<string, number>();
    for (const table of objects.tables) {
      const [count] = await queryRows<{ rows: string }>(db, sql`select count(*)::text as rows from ${sql.identifier(table)}`);
      rows.set(table, Number(count?.rows));
    }
    const owners = tableOwners(migrations);
    const holders = [...(await foreignKeys(db, objects.tables, owners)), ...(await referringRows(db, objects.tables, references, owners))];
    return { objects, rows, applied: applied.map(({ name }) => name), holders };
  });

/** Drops what the plan lists and applies the migrations of the plugin, all or nothing; returns the applied files. */
export const resetMigrations = (db: Database, { plugin, migrations }: MigrationReset, plan: ResetPlan): Promise<string[]> =>
  db.asPlatform(reason, async () => {
    await dropObjects(db, plugin, plan);
    return applyMigrations(
      db,
      migrations.filter((one) => one.plugin === plugin),
      true,
    );
  });

/** Drops what the plan lists and forgets that the plugin was ever migrated and seeded. */
export const dropObjects = (db: Database, plugin: string, { objects }: Pick<ResetPlan, 'objects'>): Promise<void> =>
  db.asPlatform(reason, async () => {
    const statements = await dropStatements(db, objects);
    if (statements.length > 0) await db.script(statements.join('; '));
    await forgetTables(db, objects.tables);
    await db.sql.execute(sql`delete from schema_migration where plugin = ${plugin}`);
    await db.sql.execute(sql`delete from seeded_plugin where plugin_id = ${plugin} or plugin_id like ${`${plugin}@%`}`);
  });

/** Says in one sentence why a table cannot be dropped. */
export function holderSentence({ table, plugin, target, by, rows }: TableHolder): string {
  const owner = plugin === undefined ? '' : ` of the plugin ${plugin}`;
  if (rows === undefined) return `The table ${table}${owner} refers to ${target} by the foreign key ${by}.`;
  return `${rows} ${rows === 1 ? 'row' : 'rows'} of ${table}${owner} refer to ${target} by ${by}.`;
}

async function existing(db: Database, { tables, views, types, sequences, routines }: CreatedObjects): Promise<CreatedObjects> {
  const found = async (names: readonly string[], query: (name: SQL) => SQL) => {
    const rows = await queryRows<{ name: string }>(
      db,
      sql`select name from unnest(${textArray(names)}) with ordinality as wanted(name, place)
      where ${query(sql`name`)} order by place`,
    );
    return rows.map(({ name }) => name);
  };
  const relation = (name: SQL) => sql`to_regclass(quote_ident(${name})) is not null`;
  return {
    tables: await found(tables, relation),
    views: await found(views, relation),
    sequences: await found(sequences, relation),
    types: await found(types, (name) => sql`to_regtype(quote_ident(${name})) is not null`),
    routines: await found(routines, (name) => sql`exists (select from pg_proc where proname = ${name} and pronamespace = current_schema()::regnamespace)`),
  };
}

async function foreignKeys(db: Database, tables: readonly string[], owners: ReadonlyMap<string, string>): Promise<TableHolder[]> {
  const rows = await queryRows<{ name: string; table: string; target: string }>(
    db,
    sql`select distinct c.conname as name, c.conrelid::regclass::text as table, c.confrelid::regclass::text as target from pg_constraint c
      where c.contype = 'f' and c.conparentid = 0 and c.confrelid::regclass::text = any(${textArray(tables)}) and not c.conrelid::regclass::text = any(${textArray(tables)})
      order by 1`,
  );
  return rows.map(({ name: by, table, target }) => ({ table, plugin: owners.get(table), target, by, rows: undefined }));
}

async function referringRows(
  db: Database,
  tables: readonly string[],
  references: readonly TableReference[],
  owners: ReadonlyMap<string, string>,
): Promise<TableHolder[]> {
  const holders: TableHolder[] = [];
  for (const { table, column, target } of references) {
    if (!tables.includes(target) || tables.includes(table)) continue;
    const [referring] = await queryRows<{ exists: boolean }>(
      db,
      sql`select exists (select from pg_attribute where attrelid = to_regclass(quote_ident(${table})) and attname = ${column} and not attisdropped) as exists`,
    );
    if (!referring?.exists) continue;
    const [counted] = await queryRows<{ rows: string }>(
      db,
      sql`select count(*)::text as rows from ${sql.identifier(table)} where ${sql.identifier(column)}::text not in ('', '0')`,
    );
    const rows = Number(counted?.rows);
    if (rows > 0) holders.push({ table, plugin: owners.get(table), target, by: column, rows });
  }
  return holders;
}

/** Tables in which the kernel stores what it knows about other tables. */
const tablesByName = ['row_count', 'row_count_delta', 'list_order', 'list_block', 'list_move'];

/** Deletes what the kernel has stored about the rows of tables that are dropped. */
async function forgetTables(db: Database, tables: readonly string[]): Promise<void> {
  for (const name of tablesByName) await db.sql.execute(sql`delete from ${sql.identifier(name)} where table_name = any(${textArray(tables)})`);
  await db.sql.execute(sql`delete from search_term where source in (select id from search_source where entity = any(${textArray(tables)}))`);
  await db.sql.execute(sql`delete from search_source where entity = any(${textArray(tables)})`);
}

async function dropStatements(db: Database, { tables, views, types, sequences, routines }: CreatedObjects): Promise<string[]> {
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const moveFunctions = tables.map((table) => `note_moves_of_${table}`);
  const signatures = await queryRows<{ name: string }>(
    db,
    sql`select oid::regprocedure::text as name from pg_proc where proname = any(${textArray([...routines, ...moveFunctions])}) and pronamespace = current_schema()::regnamespace`,
  );
  const existingViews = await queryRows<{ name: string; kind: string }>(
    db,
    sql`select relname as name, case relkind when 'm' then 'materialized view' else 'view' end as kind from pg_class
      where relname = any(${textArray(views)}) and relnamespace = current_schema()::regnamespace`,
  );
  return [
    ...existingViews.map(({ name, kind }) => `drop ${kind} "${name}"`),
    ...(tables.length > 0 ? [`drop table ${quoted(tables)}`] : []),
    ...signatures.map(({ name }) => `drop routine ${name}`),
    ...(sequences.length > 0 ? [`drop sequence if exists ${quoted(sequences)}`] : []),
    ...(types.length > 0 ? [`drop type ${quoted(types)}`] : []),
  ];
}
