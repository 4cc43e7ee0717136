import { aliasedTable, and, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Condition } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { snakeCase } from '#shared/text';
import { currentActor } from '../audit/actor.ts';
import type { Database } from './database.ts';
import { typeOfField } from './field-type.ts';
import { tableOf } from './table.ts';

/** One way in which rows are somebody's to see. */
export type ScopePart =
  | { readonly kind: 'own' | 'dept' | 'deptAndBelow'; readonly column: string }
  | { readonly kind: 'custom'; readonly condition: Condition }
  | { readonly kind: 'both'; readonly parts: readonly [ScopePart, ScopePart] };

/** What somebody sees of an entity: rows that fit any part, and of them these fields. */
export interface RowScope {
  /** Undefined: all rows. */
  readonly parts: readonly ScopePart[] | undefined;
  /** Undefined: all fields. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** What is seen where both of two limits hold. */
export const bothScopes = (one: RowScope, other: RowScope): RowScope => ({
  parts: one.parts && other.parts ? one.parts.flatMap((part) => (other.parts ?? []).map((further) => bothParts(part, further))) : (one.parts ?? other.parts),
  fields: one.fields && other.fields ? new Set([...one.fields].filter((field) => other.fields?.has(field))) : (one.fields ?? other.fields),
});

const bothParts = (part: ScopePart, further: ScopePart): ScopePart => ({ kind: 'both', parts: [part, further] });

/** Fields without which a row is no row. */
const always = new Set(['id', 'parentId']);

/** The condition under which rows of an entity are those of whoever asks; nothing where they see all. */
export function scopeOf(entity: Entity): SQL | undefined {
  return scopeIn({ entity, table: tableOf(entity) });
}

/**
 * The same for SQL a plugin writes by hand, to be joined with `and`: `true` where all rows are theirs to see. The entity goes by its name, for it may be
 * another plugin's; `as` is what the statement calls its table. Rows of an entity nobody keeps here are hidden from whoever is scoped on them.
 */
export function seenRows(db: Pick<Database, 'entities'>, name: string, as?: string): SQL {
  const entity = db.entities.get(name);
  if (!entity) return currentActor()?.dataScopes?.get(name)?.parts ? sql`false` : sql`true`;
  const table = tableOf(entity);
  return scopeIn({ entity, table: as === undefined ? table : aliasedTable(table, as) }) ?? sql`true`;
}

/** An entity as a statement calls its table. */
interface Asked {
  readonly entity: Entity;
  readonly table: object;
}

function scopeIn(asked: Asked): SQL | undefined {
  const parts = currentActor()?.dataScopes?.get(asked.entity.name)?.parts;
  if (!parts) return undefined;
  return or(sql`false`, ...parts.map((part) => partOf(asked, part)));
}

/** Whether a field is none of theirs who ask: not answered, not asked about, not written. */
export function isHidden(entity: Entity, field: string): boolean {
  const fields = currentActor()?.dataScopes?.get(entity.name)?.fields;
  return fields !== undefined && !fields.has(field) && !always.has(field);
}

/** Whether whoever asks sees every row of an entity, by its name: then what was added up before holds for them. */
export function seesAll(name: string): boolean {
  return currentActor()?.dataScopes?.get(name)?.parts === undefined;
}

/** Whether a field of an entity, both by their names, is shown to whoever asks. */
export function seesField(name: string, field: string): boolean {
  return currentActor()?.dataScopes?.get(name)?.fields?.has(field) !== false;
}

/** The field a scope means, by either of its names; no secret. */
export function scopedField(entity: Entity, name: string): string | undefined {
  return Object.keys(entity.fields).find((field) => (field === name || snakeCase(field) === name) && !isSecret(entity.fields[field] as never));
}

function partOf(asked: Asked, part: ScopePart): SQL {
  const { entity } = asked;
  if (part.kind === 'both') return and(...part.parts.map((each) => partOf(asked, each))) as SQL;
  if (part.kind === 'custom') return conditionOf(asked, part.condition);
  const actor = currentActor();
  const field = scopedField(entity, part.column);
  // A scope that no longer means a column shows nothing, rather than everything.
  if (!actor || field === undefined) return sql`false`;
  const column = columnOf(asked, field);
  if (typeOfField(entity.fields[field] as never).kind !== 'id') return part.kind === 'own' ? sql`${column}::text = ${actor.userId}` : sql`false`;
  if (part.kind === 'own') return sql`${column} = ${actor.userId}::bigint`;
  const own = sql`${`{${(actor.deptIds ?? []).join(',')}}`}::bigint[]`;
  if (part.kind === 'dept') return sql`${column} = any(${own})`;
  return sql`${column} in (with recursive below as (
    select id from dept where id = any(${own}) and is_deleted = 0
    union select deeper.id from dept deeper join below on deeper.parent_id = below.id where deeper.is_deleted = 0
  ) select id from below)`;
}

/** A condition as `holds` judges it, over columns. */
function conditionOf(asked: Asked, condition: Condition): SQL {
  if ('all' in condition) return and(sql`true`, ...condition.all.map((each) => conditionOf(asked, each))) as SQL;
  if ('any' in condition) return or(sql`false`, ...condition.any.map((each) => conditionOf(asked, each))) as SQL;
  const { entity } = asked;
  const field = scopedField(entity, condition.field);
  if (field === undefined) return sql`false`;
  const column = columnOf(asked, field);
  const { kind } = typeOfField(entity.fields[field] as never);
  if ('filled' in condition) return condition.filled ? filled(column, kind) : sql`not ${filled(column, kind)}`;
  const wanted = [('is' in condition ? condition.is : condition.isNot) as unknown].flat().map(String);
  const has = sql`coalesce(${matches(column, kind, wanted)}, false)`;
  return 'is' in condition ? has : sql`not ${has}`;
}

const columnOf = ({ table }: Asked, field: string) => (table as Record<string, PgColumn>)[field] as PgColumn;

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

/** Rows to pick from; each is called by its id where whoever asks does not see the field that names it. */
export function namedAsSeen<Name extends string, Row extends { readonly id: string } & Readonly<Record<Name, string>>>(
  { name: entity }: Pick<Entity, 'name'>,
  rows: readonly Row[],
  field: Name,
): readonly Row[] {
  return seesField(entity, field) ? rows : rows.map((row) => ({ ...row, [field]: row.id }));
}
