import { and, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import type { Relation, ScopeCondition } from '#shared/scopes';
import { snakeCase } from '#shared/text';
import { currentActor } from '../context/actor.ts';
import { idArray, isId, textArray } from '../database/rows.ts';
import { typeOfField } from '../schema/field-type.ts';
import { namedTableOf, tableOf } from '../schema/table.ts';

/** An entity with the table, or the alias of it, that a statement reads. */
export interface ScopedTable {
  readonly entity: Entity;
  readonly table: object;
}

/** Field at the end of a path. `through` turns a test of its column into a test of the row where the path begins. */
interface ResolvedField {
  readonly schema: TSchema;
  readonly column: PgColumn;
  through(test: SQL): SQL;
}

/** Resolves the field of a scope by its field or column name; never a secret. */
export function scopedField(entity: Entity, name: string): string | undefined {
  return Object.entries(entity.fields).find(([field, schema]) => (field === name || snakeCase(field) === name) && !isSecret(schema))?.[0];
}

/** Returns the schema of the field at the end of a path such as `taskId.advertiserId`; undefined if there is none. */
export function schemaAt(entity: Entity, path: string): TSchema | undefined {
  return resolve({ entity, table: tableOf(entity) }, path)?.schema;
}

function resolve({ entity, table }: ScopedTable, path: string): ResolvedField | undefined {
  const [name = '', ...rest] = path.split('.');
  const field = scopedField(entity, name);
  if (field === undefined) return undefined;
  const column = (table as Record<string, PgColumn>)[field] as PgColumn;
  if (rest.length === 0) return { schema: entity.fields[field] as TSchema, column, through: (test) => test };
  const owner = entity.belongsTo?.[field];
  if (!owner) return undefined;
  const owners = tableOf(owner.entity);
  const further = resolve({ entity: owner.entity, table: owners }, rest.join('.'));
  const key = getTableColumns(namedTableOf(owner.entity))[owner.field ?? 'id'] as PgColumn;
  // A subquery without outer columns is a semi-join alone and a hash beside other conditions; it never runs once for each row.
  return further && { ...further, through: (test) => sql`${column} in (select ${key} from ${owners} where ${further.through(test)})` };
}

/** Converts a condition to SQL with the same meaning as `holds`; a field that does not exist matches no row. */
export function conditionSql(scoped: ScopedTable, condition: ScopeCondition): SQL {
  if ('all' in condition) return and(sql`true`, ...condition.all.map((each) => conditionSql(scoped, each))) as SQL;
  if ('any' in condition) return or(sql`false`, ...condition.any.map((each) => conditionSql(scoped, each))) as SQL;
  if ('of' in condition) return relationSql(scoped, condition.field, condition.of);
  const found = resolve(scoped, condition.field);
  if (!found) return sql`false`;
  const { schema, column, through } = found;
  const { kind } = typeOfField(schema);
  if ('below' in condition) return through(isAmong(column, kind, below(condition.below)));
  if ('filled' in condition) return condition.filled ? through(filled(column, kind)) : isNot(through(filled(column, kind)));
  const wanted = [('is' in condition ? condition.is : condition.isNot) as unknown].flat().map(String);
  const has = through(matches(column, schema, wanted));
  return 'is' in condition ? has : isNot(has);
}

/** Compares a field with the user who reads, or with their departments. Matches no row without a user. */
export function relationSql(scoped: ScopedTable, path: string, relation: Relation): SQL {
  const actor = currentActor();
  const found = resolve(scoped, path);
  // A scope whose field no longer exists must hide all rows instead of showing all.
  if (!actor || !found) return sql`false`;
  const { schema, column, through } = found;
  const { kind } = typeOfField(schema);
  if (relation === 'me') return through(kind === 'id' ? sql`${column} = ${actor.userId}::bigint` : isAmongTexts(column, kind, textArray([actor.userId])));
  const own = actor.deptIds ?? [];
  if (relation === 'departmentAndBelow') return through(isAmong(column, kind, below(own)));
  return through(kind === 'id' ? sql`${column} = any(${idArray(own)})` : isAmongTexts(column, kind, textArray(own)));
}

const isNot = (has: SQL): SQL => sql`not coalesce(${has}, false)`;

/** Selects departments and all below them. */
const below = (ids: readonly string[]): SQL => sql`with recursive below as (
    select id from dept where id = any(${idArray(ids.filter(isId))}) and is_deleted <> 1
    union select deeper.id from dept deeper join below on deeper.parent_id = below.id where deeper.is_deleted <> 1
  ) select id from below`;

/** Tests whether a column has an id that a query selects. */
function isAmong(column: PgColumn, kind: string, ids: SQL): SQL {
  return kind === 'id' ? sql`${column} in (${ids})` : isAmongTexts(column, kind, sql`array(select one::text from (${ids}) as listed (one))`);
}

const isAmongTexts = (column: PgColumn, kind: string, texts: SQL): SQL =>
  kind === 'json' ? sql`coalesce(${column} ?| ${texts}, false)` : sql`${column}::text = any(${texts})`;

function filled(column: PgColumn, kind: string): SQL {
  if (kind === 'json') return sql`(${column} is not null and ${column} not in ('[]'::jsonb, 'null'::jsonb, '{}'::jsonb, '""'::jsonb))`;
  return kind === 'text' ? sql`(${column} is not null and ${column} not in ('', 'null', 'undefined'))` : sql`(${column} is not null)`;
}

/** Compares references as they are stored, so that their indexes apply, and everything else as text. */
function matches(column: PgColumn, schema: TSchema, wanted: readonly string[]): SQL {
  const { kind } = typeOfField(schema);
  if (kind === 'id') return sql`${column} = any(${idArray(wanted.filter((one) => isId(one) && String(BigInt(one)) === one))})`;
  const list = sql`array[${sql.join([...wanted.map((one) => sql`${one}`), sql`null`], sql`, `)}]::text[]`;
  if (kind === 'json' && traitsOf(schema)?.reference) return sql`${column} ?| ${textArray(wanted)}`;
  if (kind === 'json')
    return sql`exists (select 1 from jsonb_array_elements_text(case jsonb_typeof(${column}) when 'array' then ${column} else jsonb_build_array(${column}) end) one where one = any(${list}))`;
  if (kind === 'time') return sql`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS') = any(${list})`;
  return sql`${column}::text = any(${list})`;
}
