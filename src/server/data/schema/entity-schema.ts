import { sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import { type FieldType, typeOfField } from './field-type.ts';
import { versionName } from './table.ts';

interface RealColumn extends Record<string, unknown> {
  readonly name: string;
  readonly type: string;
  readonly length: number | null;
  readonly precision: number | null;
  readonly nullable: boolean;
  readonly preset: boolean;
}

interface RealTable {
  readonly columns: ReadonlyMap<string, RealColumn>;
  readonly indexes: readonly string[];
  readonly policies: readonly string[];
}

const serverColumns = ['id', 'create_user', 'create_dept', 'create_time', 'update_user', 'update_time', 'status', 'is_deleted'];

/** Compares the table in the database with the entity: one sentence per difference, none if they match. */
export async function compareTables(db: Database, entity: Entity): Promise<string[]> {
  const table = snakeCase(entity.name);
  const real = await db.asPlatform('table definitions belong to no tenant', () => readTable(db, table));
  if (real.columns.size === 0) return [`table ${table} is missing`];
  const differences = columnsOf(entity).flatMap(({ name, type }) => columnDifferences(`${table}.${name}`, type, real.columns.get(name)));
  const columnNames = new Set([...columnsOf(entity).map(({ name }) => name), ...(entity.owner === 'tenant' ? ['tenant_id'] : [])]);
  for (const { name, nullable, preset } of real.columns.values()) {
    if (!columnNames.has(name) && !nullable && !preset) differences.push(`${table}.${name} is not null and has no default, but the entity has no such field`);
  }
  if (!real.policies.includes(entity.owner === 'tenant' ? 'tenant' : 'platform_writes'))
    differences.push(`${table} lacks: call own_by_${entity.owner}('${table}')`);
  for (const column of sortedColumns(entity)) {
    const wanted = `(${entity.owner === 'tenant' ? 'tenant_id, ' : ''}${column}, id) WHERE (is_deleted = 0)`;
    if (!real.indexes.some((index) => index.endsWith(wanted))) differences.push(`${table} lacks: call sort_by('${table}', '${column}')`);
  }
  return differences;
}

/** Generates the migration for an entity: the whole table, or the columns missing in the database. */
export async function createTableSql(entity: Entity, db?: Database): Promise<string> {
  const table = snakeCase(entity.name);
  const real = db && (await db.asPlatform('table definitions belong to no tenant', () => readTable(db, table)));
  if (real && real.columns.size > 0) {
    const missing = columnsOf(entity).filter(({ name }) => !real.columns.has(name));
    return missing.map(({ name, type }) => `alter table ${table} add column ${definition(name, type)};\n`).join('');
  }
  const own = columnsOf(entity).filter(({ name }) => !serverColumns.includes(name));
  const lines = ['like base_row including all', ...own.map(({ name, type }) => definition(name, type))];
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
    .map(([field, schema]) => ({ name: snakeCase(field), type: typeOfField(schema) }));

const sortedColumns = (entity: Entity) =>
  Object.entries(entity.fields)
    .filter(([, schema]) => traitsOf(schema)?.sort)
    .map(([field]) => snakeCase(field));

function columnDifferences(name: string, type: FieldType, real: RealColumn | undefined): string[] {
  if (!real) return [`${name} is missing`];
  const differences: string[] = [];
  if (!isCompatible(type, real)) differences.push(`${name} is ${real.type}${real.length === null ? '' : `(${real.length})`}, but should be ${type.sqlType}`);
  if (real.nullable !== type.nullable) differences.push(`${name} should ${type.nullable ? 'be nullable' : 'be not null'}`);
  return differences;
}

function isCompatible({ kind, sqlType, maxLength }: FieldType, { type, length, precision }: RealColumn): boolean {
  if (kind === 'text') return type === 'text' || (type === 'character varying' && (length === null || (maxLength !== undefined && length >= maxLength)));
  if (kind === 'time') return type === 'timestamp with time zone' && precision === 0;
  if (kind === 'clock') return type === 'time without time zone' && precision === 0;
  if (kind === 'whole' && sqlType === 'integer') return type === 'integer' || type === 'smallint';
  return type === sqlType;
}

async function readTable(db: Database, table: string): Promise<RealTable> {
  const columns = await db.sql.execute<RealColumn>(sql`
    select column_name as name, data_type as type, character_maximum_length as length, datetime_precision as precision,
      is_nullable = 'YES' as nullable, column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as preset
    from information_schema.columns where table_schema = current_schema() and table_name = ${table}`);
  const indexes = await db.sql.execute<{ text: string }>(
    sql`select indexdef as text from pg_indexes where schemaname = current_schema() and tablename = ${table}`,
  );
  const policies = await db.sql.execute<{ name: string }>(
    sql`select policyname as name from pg_policies where schemaname = current_schema() and tablename = ${table}`,
  );
  return {
    columns: new Map(columns.map((column) => [column.name, column])),
    indexes: indexes.map(({ text }) => text),
    policies: policies.map(({ name }) => name),
  };
}
