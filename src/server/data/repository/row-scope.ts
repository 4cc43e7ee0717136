import { aliasedTable, and, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { englishField } from '#shared/entity';
import type { ScopeCondition } from '#shared/scopes';
import { isEmpty, type Language } from '#shared/text';
import { type Actor, currentActor, type RowScope, type ScopePart } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { namedTableOf, tableOf } from '../schema/table.ts';
import { conditionSql, relationSql, type ScopedTable } from '../scope/scope-conditions.ts';

/** Intersects two scopes. */
export const intersectScopes = (one: RowScope, other: RowScope): RowScope => ({
  parts:
    one.parts && other.parts
      ? one.parts.flatMap((part) => (other.parts ?? []).map((otherPart) => intersectParts(part, otherPart)))
      : (one.parts ?? other.parts),
  fields: one.fields && other.fields ? new Set([...one.fields].filter((field) => other.fields?.has(field))) : (one.fields ?? other.fields),
});

const intersectParts = (part: ScopePart, otherPart: ScopePart): ScopePart => ({ kind: 'both', parts: [part, otherPart] });

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

function partOf(scopedTable: ScopedTable, part: ScopePart): SQL {
  if (part.kind === 'both') return and(...part.parts.map((each) => partOf(scopedTable, each))) as SQL;
  return part.kind === 'custom' ? conditionSql(scopedTable, part.condition) : relationSql(scopedTable, part.column, relationOf[part.kind]);
}

const relationOf = { own: 'me', dept: 'department', deptAndBelow: 'departmentAndBelow' } as const;

/** Combines parts of a scope into one condition. With a user, relations become ids of this user, so that the condition can also limit rows for others. */
export function boundOf(parts: readonly ScopePart[], user?: Pick<Actor, 'userId' | 'deptIds'>): ScopeCondition {
  return { any: parts.map((part) => partCondition(part, user)) };
}

function partCondition(part: ScopePart, user: Pick<Actor, 'userId' | 'deptIds'> | undefined): ScopeCondition {
  if (part.kind === 'both') return { all: part.parts.map((each) => partCondition(each, user)) };
  const condition = part.kind === 'custom' ? part.condition : { field: part.column, of: relationOf[part.kind] };
  return user ? resolveRelations(condition, user) : condition;
}

function resolveRelations(condition: ScopeCondition, user: Pick<Actor, 'userId' | 'deptIds'>): ScopeCondition {
  if ('all' in condition) return { all: condition.all.map((each) => resolveRelations(each, user)) };
  if ('any' in condition) return { any: condition.any.map((each) => resolveRelations(each, user)) };
  if (!('of' in condition)) return condition;
  const { field, of } = condition;
  if (of === 'me') return { field, is: user.userId };
  return of === 'department' ? { field, is: [...(user.deptIds ?? [])] } : { field, below: [...(user.deptIds ?? [])] };
}

type ScopedEntity = Pick<Entity, 'name' | 'fields'>;

/**
 * Prepares rows for selection: each is labelled by its name in the language, in Chinese by default, or by its id if the actor may not see the field with its name.
 */
export function withVisibleLabels<Name extends string, Row extends { readonly id: string } & Readonly<Record<Name, string>>>(
  entity: ScopedEntity,
  rows: readonly Row[],
  field: Name,
  language: Language = 'zh',
): readonly Row[] {
  if (!canSeeField(entity.name, field)) return rows.map((row) => ({ ...row, [field]: row.id }));
  return rows.map((row) => ({ ...row, [field]: textIn(entity, row, field, language) }));
}

/** Returns the field that translates a field into this language; undefined if there is none or the actor may not see it. */
function translatedField(entity: ScopedEntity, field: string, language: Language): string | undefined {
  const english = language === 'en' ? englishField(entity, field) : undefined;
  return english !== undefined && canSeeField(entity.name, english) ? english : undefined;
}

/** Returns the text of a field in a language; without an English one that the actor may see, it is the field's own. */
export function textIn(entity: ScopedEntity, row: Readonly<Record<string, unknown>>, field: string, language: Language): string {
  const english = translatedField(entity, field, language);
  return String(english === undefined || isEmpty(row[english]) ? row[field] : row[english]);
}

/** Selects the text of a field of the entity's table in a language; without an English one that the actor may see, it is the field's own. */
export function textColumn(entity: Entity, field: string, language: Language): SQL<string> {
  const columns = getTableColumns(namedTableOf(entity));
  const translated = columns[translatedField(entity, field, language) ?? field];
  return sql`coalesce(nullif(${translated}::text, ''), ${columns[field]}::text)`;
}
