import { sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import { queryRows, textArray } from '../database/rows.ts';
import { type FieldType, typeOfField } from './field-type.ts';
import { versionName } from './table.ts';

interface ActualColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly length: number | null;
  readonly precision: number | null;
  readonly nullable: boolean;
  readonly preset: boolean;
}

interface ActualTable {
  readonly columns: ReadonlyMap<string, ActualColumn>;
  readonly indexes: readonly string[];
  readonly policies: readonly string[];
}

const serverColumns = ['id', 'create_user', 'create_dept', 'create_time', 'update_user', 'update_time', 'status', 'is_deleted'];

/** A difference between a table and its entity, with the SQL that removes it. */
export interface TableDifference {
  readonly table: string;
  readonly sentence: string;
  readonly sql: string;
}

const reason = 'table definitions belong to no tenant';

/**
 * Compares the table in the database with the entity: one sentence per difference, none if they match. With `isPartial` the entity shows some fields of a table
 * that others create and write, so only these are compared.
 */
export const compareTables = async (db: Database, entity: Entity, { isPartial = false } = {}): Promise<string[]> =>
  (await tableDifferences(db, [entity], isPartial)).map(({ sentence }) => sentence);

/** Compares the tables in the database with their entities, with the SQL that removes each difference. The entities of views have no table. */
export async function tableDifferences(db: Database, entities: readonly Entity[], isPartial = false): Promise<TableDifference[]> {
  const names = entities.map(({ name }) => snakeCase(name));
  const [tables, views] = await db.asPlatform(reason, async () => [await readTables(db, names), await viewsAmong(db, names)] as const);
  return entities.flatMap((entity) => {
    const table = snakeCase(entity.name);
    if (views.has(table)) return [];
    const others = [...(db.declaredFields.get(entity.name) ?? [])].map(snakeCase);
    return differencesOf(entity, table, tables(table), isPartial ? undefined : others).map((difference) => ({ table, ...difference }));
  });
}

type ColumnDifference = Omit<TableDifference, 'table'>;

function differencesOf(entity: Entity, table: string, actual: ActualTable, others: readonly string[] | undefined): ColumnDifference[] {
  if (actual.columns.size === 0) return [{ sentence: `table ${table} is missing`, sql: tableSql(entity) }];
  const differences = columnsOf(entity).flatMap((column) => columnDifferences(table, column, actual.columns.get(column.name)));
  if (!others) return differences;
  const columnNames = new Set([...columnsOf(entity).map(({ name }) => name), ...others, ...(entity.owner === 'tenant' ? ['tenant_id'] : [])]);
  for (const { name, nullable, preset } of actual.columns.values()) {
    if (!columnNames.has(name) && !nullable && !preset)
      differences.push({
        sentence: `${table}.${name} is not null and has no default, but the entity has no such field`,
        sql: `alter table ${table} alter column ${name} drop not null;`,
      });
  }
  const lacks = (call: string): ColumnDifference => ({ sentence: `${table} lacks: ${call}`, sql: `${call};` });
  if (!actual.policies.includes(entity.owner === 'tenant' ? 'tenant' : 'platform_writes')) differences.push(lacks(`call own_by_${entity.owner}('${table}')`));
  for (const column of sortedColumns(entity)) {
    const wanted = `(${entity.owner === 'tenant' ? 'tenant_id, ' : ''}${column}, id) WHERE (is_deleted = 0)`;
    if (!actual.indexes.some((index) => index.endsWith(wanted))) differences.push(lacks(`call sort_by('${table}', '${column}')`));
  }
  return differences;
}

/** Generates the migration for an entity: the whole table, or the columns missing in the database. */
export async function createTableSql(entity: Entity, db?: Database): Promise<string> {
  const table = snakeCase(entity.name);
  const actual = db && (await db.asPlatform(reason, () => readTables(db, [table])))(table);
  if (!actual || actual.columns.size === 0) return tableSql(entity);
  const missing = columnsOf(entity).filter(({ name }) => !actual.columns.has(name));
  return missing.map(({ name, type }) => `alter table ${table} add column ${definition(name, type)};\n`).join('');
}

function tableSql(entity: Entity): string {
  const table = snakeCase(entity.name);
  const own = columnsOf(entity).filter(({ name }) => !serverColumns.includes(name));
  const lines = [`like ${entity.owner === 'tenant' ? 'tenant_row' : 'base_row'} including all`, ...own.map(({ name, type }) => definition(name, type))];
  const sorts = sortedColumns(entity).filter((name) => name !== 'create_time');
  return [
    `create table ${table} (\n  ${lines.join(',\n  ')}\n);\n`,
    `call own_by_${entity.owner}('${table}');\n`,
    ...sorts.map((name) => `call sort_by('${table}', '${name}');\n`),
  ].join('\n');
}

const definition = (name: string, { sqlType, nullable }: FieldType) => `${name} ${sqlType}${nullable ? '' : ' not null'}`;

const columnsOf = (entity: Entity) =>
  Object.entries(entity.fields)
    .filter(([field]) => field !== versionName)
    .map(([field, schema]) => ({ name: snakeCase(field), type: typeOfField(schema), preset: (schema as { default?: unknown }).default }));

const sortedColumns = (entity: Entity) =>
  Object.entries(entity.fields)
    .filter(([, schema]) => traitsOf(schema)?.sort)
    .map(([field]) => snakeCase(field));

function columnDifferences(table: string, { name, type, preset }: ReturnType<typeof columnsOf>[number], actual: ActualColumn | undefined): ColumnDifference[] {
  const column = `${table}.${name}`;
  const alter = (change: string) => `alter table ${table} alter column ${name} ${change};`;
  if (!actual) {
    // The rows of a table need a value of a column that is not null.
    const filled = type.nullable ? '' : ` default ${literal(preset ?? emptyValues[type.kind])}`;
    return [{ sentence: `${column} is missing`, sql: `alter table ${table} add column ${definition(name, type)}${filled};` }];
  }
  const differences: ColumnDifference[] = [];
  if (!isCompatible(type, actual))
    differences.push({
      sentence: `${column} is ${actual.type}${actual.length === null ? '' : `(${actual.length})`}, but should be ${type.sqlType}`,
      sql: alter(`type ${type.sqlType} using ${name}::${type.sqlType}`),
    });
  if (actual.nullable !== type.nullable)
    differences.push({
      sentence: `${column} should ${type.nullable ? 'be nullable' : 'be not null'}`,
      sql: alter(`${type.nullable ? 'drop' : 'set'} not null`),
    });
  return differences;
}

/** Values for the rows of a table that gets a column which is not null. */
const emptyValues: Readonly<Record<FieldType['kind'], unknown>> = {
  id: 0,
  time: '2000-01-01 00:00:00',
  day: '2000-01-01',
  clock: '00:00:00',
  whole: 0,
  number: 0,
  text: '',
  flag: false,
  json: [],
};

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
}

function isCompatible({ kind, sqlType, maxLength }: FieldType, { type, length, precision }: ActualColumn): boolean {
  if (kind === 'text') return type === 'text' || (type === 'character varying' && (length === null || (maxLength !== undefined && length >= maxLength)));
  if (kind === 'time') return type === 'timestamp with time zone' && precision === 0;
  if (kind === 'clock') return type === 'time without time zone' && precision === 0;
  if (kind === 'whole' && sqlType === 'integer') return type === 'integer' || type === 'smallint';
  return type === sqlType;
}

async function viewsAmong(db: Database, names: readonly string[]): Promise<ReadonlySet<string>> {
  const views = await queryRows<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relkind in ('v', 'm') and relnamespace = current_schema()::regnamespace and relname = any(${textArray(names)})`,
  );
  return new Set(views.map(({ name }) => name));
}

/** Reads the definitions of tables; the result answers a missing one without columns. */
async function readTables(db: Database, names: readonly string[]): Promise<(table: string) => ActualTable> {
  const tables = textArray(names);
  const columns = await queryRows<ActualColumn>(
    db,
    sql`select table_name as table, column_name as name, data_type as type, character_maximum_length as length, datetime_precision as precision,
      is_nullable = 'YES' as nullable, column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as preset
    from information_schema.columns where table_schema = current_schema() and table_name = any(${tables}) order by table_name, ordinal_position`,
  );
  const indexes = await queryRows<{ table: string; text: string }>(
    db,
    sql`select tablename as table, indexdef as text from pg_indexes where schemaname = current_schema() and tablename = any(${tables})`,
  );
  const policies = await queryRows<{ table: string; name: string }>(
    db,
    sql`select tablename as table, policyname as name from pg_policies where schemaname = current_schema() and tablename = any(${tables})`,
  );
  const of = <Row extends { readonly table: string }>(rows: readonly Row[], table: string) => rows.filter((row) => row.table === table);
  return (table) => ({
    columns: new Map(of(columns, table).map((column) => [column.name, column])),
    indexes: of(indexes, table).map(({ text }) => text),
    policies: of(policies, table).map(({ name }) => name),
  });
}
