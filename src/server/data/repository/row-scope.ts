import { aliasedTable, and, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import type { Condition } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { snakeCase } from '#shared/text';
import { currentActor, type RowScope, type ScopePart } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { typeOfField } from '../schema/field-type.ts';
import { tableOf } from '../schema/table.ts';

/** Intersects two scopes. */
export const bothScopes = (one: RowScope, other: RowScope): RowScope => ({
  parts:
    one.parts && other.parts ? one.parts.flatMap((part) => (other.parts ?? []).map((otherPart) => bothParts(part, otherPart))) : (one.parts ?? other.parts),
  fields: one.fields && other.fields ? new Set([...one.fields].filter((field) => other.fields?.has(field))) : (one.fields ?? other.fields),
});

const bothParts = (part: ScopePart, otherPart: ScopePart): ScopePart => ({ kind: 'both', parts: [part, otherPart] });

/** Fields that are always visible, because rows cannot be handled without them. */
const alwaysVisible = new Set(['id', 'parentId', 'version']);

/** Returns the condition for the rows of an entity that the actor may see; undefined if all. */
export function scopeOf(entity: Entity): SQL | undefined {
  return scopeIn({ entity, table: tableOf(entity) });
}

/**
 * Returns the same condition for hand-written SQL, to be joined with `and`: `true` if the actor may see all rows. The entity is named because it may belong to another
 * plugin; `as` is the statement's alias of its table. If the entity has no repository here, a scoped actor sees none of its rows.
 */
export function visibleRows(db: Pick<Database, 'entities'>, name: string, as?: string): SQL {
  const entity = db.entities.get(name);
  if (!entity) return currentActor()?.dataScopes?.get(name)?.parts ? sql`false` : sql`true`;
  const table = tableOf(entity);
  return scopeIn({ entity, table: as === undefined ? table : aliasedTable(table, as) }) ?? sql`true`;
}

/** An entity with the table alias of a statement. */
interface ScopedTable {
  readonly entity: Entity;
  readonly table: object;
}

function scopeIn(scopedTable: ScopedTable): SQL | undefined {
  const parts = currentActor()?.dataScopes?.get(scopedTable.entity.name)?.parts;
  if (!parts) return undefined;
  return or(sql`false`, ...parts.map((part) => partOf(scopedTable, part)));
}

/** Tests whether a field is hidden from the actor: it is neither returned nor filtered by nor written. */
export function isHidden(entity: Entity, field: string): boolean {
  const fields = currentActor()?.dataScopes?.get(entity.name)?.fields;
  return fields !== undefined && !fields.has(field) && !alwaysVisible.has(field);
}

/** Drops the fields of a form that are hidden from the actor, because hidden fields must not be changed. */
export const withoutHidden = (entity: Entity, form: object): object => Object.fromEntries(Object.entries(form).filter(([name]) => !isHidden(entity, name)));

/** Tests whether the actor may see every row of an entity, by its name; only then do precomputed totals apply. */
export function hasFullAccess(name: string): boolean {
  return currentActor()?.dataScopes?.get(name)?.parts === undefined;
}

/** Tests whether the actor may see a field of an entity, both by name. */
export function canSeeField(name: string, field: string): boolean {
  return currentActor()?.dataScopes?.get(name)?.fields?.has(field) !== false;
}

/** Resolves the field of a scope by its field or column name; never a secret. */
export function scopedField(entity: Entity, name: string): string | undefined {
  return Object.entries(entity.fields).find(([field, schema]) => (field === name || snakeCase(field) === name) && !isSecret(schema))?.[0];
}

function partOf(scopedTable: ScopedTable, part: ScopePart): SQL {
  const { entity } = scopedTable;
  if (part.kind === 'both') return and(...part.parts.map((each) => partOf(scopedTable, each))) as SQL;
  if (part.kind === 'custom') return conditionOf(scopedTable, part.condition);
  const actor = currentActor();
  const field = scopedField(entity, part.column);
  // A scope whose column no longer exists must hide all rows instead of showing all.
  if (!actor || field === undefined) return sql`false`;
  const column = columnOf(scopedTable, field);
  if (typeOfField(entity.fields[field] as TSchema).kind !== 'id') return part.kind === 'own' ? sql`${column}::text = ${actor.userId}` : sql`false`;
  if (part.kind === 'own') return sql`${column} = ${actor.userId}::bigint`;
  const own = sql`${`{${(actor.deptIds ?? []).join(',')}}`}::bigint[]`;
  if (part.kind === 'dept') return sql`${column} = any(${own})`;
  return sql`${column} in (with recursive below as (
    select id from dept where id = any(${own}) and is_deleted <> 1
    union select deeper.id from dept deeper join below on deeper.parent_id = below.id where deeper.is_deleted <> 1
  ) select id from below)`;
}

/** Converts a condition to SQL with the same meaning as `holds`. */
function conditionOf(scopedTable: ScopedTable, condition: Condition): SQL {
  if ('all' in condition) return and(sql`true`, ...condition.all.map((each) => conditionOf(scopedTable, each))) as SQL;
  if ('any' in condition) return or(sql`false`, ...condition.any.map((each) => conditionOf(scopedTable, each))) as SQL;
  const { entity } = scopedTable;
  const field = scopedField(entity, condition.field);
  if (field === undefined) return sql`false`;
  const column = columnOf(scopedTable, field);
  const { kind } = typeOfField(entity.fields[field] as TSchema);
  if ('filled' in condition) return condition.filled ? filled(column, kind) : sql`not ${filled(column, kind)}`;
  const wanted = [('is' in condition ? condition.is : condition.isNot) as unknown].flat().map(String);
  const has = sql`coalesce(${matches(column, kind, wanted)}, false)`;
  return 'is' in condition ? has : sql`not ${has}`;
}

const columnOf = ({ table }: ScopedTable, field: string) => (table as Record<string, PgColumn>)[field] as PgColumn;

function filled(column: PgColumn, kind: string): SQL {
  if (kind === 'json') return sql`(${column} is not null and ${column} not in ('[]'::jsonb, 'null'::jsonb, '{}'::jsonb, '""'::jsonb))`;
  return kind === 'text' ? sql`(${column} is not null and ${column} not in ('', 'null', 'undefined'))` : sql`(${column} is not null)`;
}

function matches(column: PgColumn, kind: string, wanted: readonly string[]): SQL {
  const list = sql`array[${sql.join([...wanted.map((one) => sql`${one}`), sql`null`], sql`, `)}]::text[]`;
  if (kind === 'json')
    return sql`exists (select 1 from jsonb_array_elements_text(case jsonb_typeof(${column}) when 'array' then ${column} else jsonb_build_array(${column}) end) one where one = any(${list}))`;
  if (kind === 'time') return sql`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS') = any(${list})`;
  return sql`${column}::text = any(${list})`;
}

/** Prepares rows for selection; each is labelled by its id if the actor may not see the field with its name. */
export function withVisibleLabels<Name extends string, Row extends { readonly id: string } & Readonly<Record<Name, string>>>(
  { name: entity }: Pick<Entity, 'name'>,
  rows: readonly Row[],
  field: Name,
): readonly Row[] {
  return canSeeField(entity, field) ? rows : rows.map((row) => ({ ...row, [field]: row.id }));
}
