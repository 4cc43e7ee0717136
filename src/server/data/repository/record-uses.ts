import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import { type Entity, maxCountedRows } from '#shared/contract';
import { isFilterable, nameField } from '#shared/entity';
import { ApiError, problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { InUseData, RecordUse } from '#shared/record-uses';
import { dictionaryEntity, stripBusinessPrefix } from '#shared/rich-fields';
import { rowStates } from '#shared/row-states';
import { isEmpty, type LocalizedText, localize } from '#shared/text';
import { platformTenant } from '../context/identity.ts';
import type { Database } from '../database/database.ts';
import { type ReferenceField, referenceTarget } from '../database/reference-registry.ts';
import { idArray, textArray } from '../database/rows.ts';
import { typeOfField } from '../schema/field-type.ts';
import { namedTableOf } from '../schema/table.ts';
import { isHidden } from './row-scope.ts';
import type { RowValues } from './row-values.ts';

/** Throws `inUse` with all uses if archived or live rows refer to these rows; the rows are locked by the caller. */
export async function assertUnused(db: Database, entity: Entity, rows: readonly RowValues[], target: string = entity.name): Promise<void> {
  if (rows.length === 0) return;
  // Rows of the platform are referred to by the rows of every tenant.
  const count = () => usesOf(db, entity, rows, target);
  const uses = entity.owner === 'platform' && db.scope ? await db.asPlatform('counts the uses of rows that every tenant shares', count) : await count();
  if (uses.length === 0) return;
  const data: InUseData = { uses };
  const [only] = rows.length === 1 ? rows : [];
  const { one, several } = entity.archivable
    ? { one: problems.inUseArchivable, several: problems.someInUseArchivable }
    : { one: problems.inUse, several: problems.someInUse };
  throw only ? new ApiError(one, { name: rowName(entity, only) }, { data }) : new ApiError(several, {}, { data });
}

async function usesOf(db: Database, entity: Entity, rows: readonly RowValues[], target: string): Promise<RecordUse[]> {
  const uses: RecordUse[] = [];
  // One after the other, because a transaction runs one statement at a time.
  for (const fields of db.references.fieldsTo(target)) uses.push(...(await usesIn(db, entity, rows, fields)));
  const ids = rows.map(({ id }) => String(id));
  for (const declared of db.references.declaredFor(target)) {
    const count = await declared.count(ids);
    const list = ids.length === 1 ? declared.rows?.(ids[0] as string) : undefined;
    if (count > 0) uses.push({ title: declared.title, count, ...(list ? { rows: list } : {}) });
  }
  return uses;
}

/** Counts the uses by the fields of one entity, in one statement. */
async function usesIn(db: Database, target: Entity, rows: readonly RowValues[], fields: readonly ReferenceField[]): Promise<RecordUse[]> {
  const counts = fields.map((reference, index) => sql`(select count(*)::integer from ${matching(target, rows, reference)} used) as ${sql.raw(`use_${index}`)}`);
  const [found] = await db.sql.execute<Record<string, number>>(sql`select ${sql.join(counts, sql`, `)}`);
  return fields.flatMap((reference, index) => {
    const count = Number(found?.[`use_${index}`] ?? 0);
    return count > 0 ? [describeUse(db, reference, count, fields.length > 1, rows)] : [];
  });
}

function matching(target: Entity, rows: readonly RowValues[], { entity, field, targetField }: ReferenceField): SQL {
  const table = namedTableOf(entity);
  // A row that is deleted together with the row it refers to does not count as a use.
  const others = entity.name === target.name ? sql`not (${table.id} = any(${idArray(rows.map(({ id }) => String(id)))}))` : undefined;
  const values = rows.flatMap((row) => (isEmpty(row[targetField]) ? [] : [String(row[targetField])]));
  const where = and(sql`${table.isDeleted} <> 1`, refersTo(table[field] as PgColumn, entity.fields[field] as TSchema, values), others);
  return sql`(select from ${table} where ${where} limit ${maxCountedRows})`;
}

/** Builds the condition for rows whose field has one of these values. */
export function refersTo(column: PgColumn, schema: TSchema, values: readonly string[]): SQL {
  const { kind } = typeOfField(schema);
  if (kind === 'id') return sql`${column} = any(${idArray(values)})`;
  const texts = textArray(values);
  return kind === 'json' ? sql`${column} ?| ${texts}` : sql`${column} = any(${texts})`;
}

function describeUse(
  db: Database,
  { entity, field, targetField }: ReferenceField,
  count: number,
  isOneOfSeveral: boolean,
  rows: readonly RowValues[],
): RecordUse {
  const page = db.references.pageOf(entity.name);
  const [row] = rows.length === 1 ? rows : [];
  const hasFilter = row && page?.list !== undefined && isFilterable(entity, field) && !isHidden(entity, field);
  return {
    title: referringTitle(db, entity, field, isOneOfSeveral),
    count,
    ...(hasFilter
      ? { rows: { menu: page.menu, list: page.list as string, conditions: [{ field, operator: 'equal' as const, value: String(row[targetField]) }] } }
      : {}),
  };
}

/** Names the rows that refer to a record: their page, and the field if several refer to it. */
export function referringTitle(db: Database, entity: Entity, field: string, isOneOfSeveral: boolean): LocalizedText {
  const title = db.references.pageOf(entity.name)?.title ?? ([entity.name, entity.name] as const);
  const fieldTitle = traitsOf(entity.fields[field] as TSchema)?.title ?? ([field, field] as const);
  return isOneOfSeveral ? [`${title[0]}（${fieldTitle[0]}）`, `${title[1]} (${fieldTitle[1]})`] : title;
}

/** Returns the text by which users know a row: its name if they may see it, or else its id. */
export function rowName(entity: Entity, row: RowValues): string {
  const named = nameField(entity);
  return String((named !== undefined && !isHidden(entity, named) && row[named]) || row.id);
}

/** A row to be written, and the stored one whose references it may keep. */
export interface ReferringRow {
  readonly row: RowValues;
  readonly before: RowValues | undefined;
}

interface LockOptions {
  /** True for rows that come back: what they refer to may have been archived meanwhile. */
  readonly allowsArchived?: boolean;
}

/** New values of one field, and the rows that they refer to. */
interface NewReferences {
  readonly field: string;
  readonly title: LocalizedText;
  readonly target: Entity;
  readonly values: ReadonlySet<string>;
  /** True for entries of dictionaries, beside which other keys are accepted. */
  readonly isDictionary: boolean;
  readonly where: SQL;
  /** Column whose value is stored. */
  readonly column: PgColumn;
}

type FoundStates = Readonly<Record<string, number>>;

/** Throws if a new reference of a row leads to a missing or archived row, as `unusableReferences` finds it. */
export async function lockReferences(db: Database, entity: Entity, row: ReferringRow, options?: LockOptions): Promise<void> {
  const [found] = (await unusableReferences(db, entity, [row], options)).values();
  if (found) throw found;
}

/**
 * Locks the rows that new references of these rows lead to, so that none of them is deleted or archived before the transaction ends, and returns the rows with a
 * reference to a missing or archived one. One statement covers all fields and rows; a second one covers tables that the tenant cannot lock.
 */
export async function unusableReferences(
  db: Database,
  entity: Entity,
  rows: readonly ReferringRow[],
  { allowsArchived = false }: LockOptions = {},
): Promise<Map<RowValues, ApiError>> {
  const references = Object.keys(entity.fields).flatMap((field) => newReferences(db, entity, field, rows) ?? []);
  if (references.length === 0) return new Map();
  const isForeign = ({ target }: NewReferences) => target.owner === 'platform' && db.scope !== undefined && db.scope.tenantId !== platformTenant;
  const own = references.filter((reference) => !isForeign(reference));
  const foreign = references.filter(isForeign);
  const found = new Map<string, FoundStates>();
  for (const [field, states] of await lockAll(db, own)) found.set(field, states);
  if (foreign.length > 0) {
    const states = await db.asPlatform('locks rows that every tenant shares, which a tenant cannot', () => lockAll(db, foreign));
    for (const [field, one] of states) found.set(field, one);
  }
  const unusable = new Map<RowValues, ApiError>();
  for (const { row, before } of rows) {
    const error = references.map((reference) => errorOf(reference, { row, before }, found.get(reference.field) ?? {}, allowsArchived)).find(Boolean);
    if (error) unusable.set(row, error);
  }
  return unusable;
}

function newReferences(db: Database, entity: Entity, field: string, rows: readonly ReferringRow[]): NewReferences | undefined {
  const schema = entity.fields[field] as TSchema;
  const target = referenceTarget(schema);
  if (!target) return undefined;
  const values = new Set(rows.flatMap((one) => addedValues(one, field)));
  const { title = [field, field], dictionary } = traitsOf(schema) ?? {};
  const targetEntity = db.entities.get(dictionary === undefined ? target.name : dictionaryEntity(dictionary));
  if (values.size === 0 || !targetEntity) return undefined;
  const table = namedTableOf(targetEntity);
  const column = table[target.field] as PgColumn;
  const isId = typeOfField(targetEntity.fields[target.field] as TSchema).kind === 'id';
  const hasValue = sql`${column} = any(${isId ? idArray(values) : textArray([...values])})`;
  const ofDictionary = dictionary === undefined ? undefined : eq(table.code as PgColumn, stripBusinessPrefix(dictionary));
  return { field, title, target: targetEntity, values, isDictionary: dictionary !== undefined, where: and(hasValue, ofDictionary) as SQL, column };
}

/** Returns the values of a field that the stored row does not have. */
function addedValues({ row, before }: ReferringRow, field: string): string[] {
  const current = new Set(valuesOf(before?.[field]));
  return valuesOf(row[field]).filter((value) => !current.has(value));
}

const valuesOf = (value: unknown): string[] => (isEmpty(value) || value === '0' ? [] : [value].flat().map(String));

/** Locks the referenced rows in one statement, and returns their states by field and value. */
async function lockAll(db: Database, references: readonly NewReferences[]): Promise<(readonly [string, FoundStates])[]> {
  if (references.length === 0) return [];
  const selected = references.map((reference, index) => sql`(${lockedStates(reference)}) as ${sql.raw(`found_${index}`)}`);
  const [states] = await db.sql.execute<Record<string, string>>(sql`select ${sql.join(selected, sql`, `)}`);
  return references.map(({ field }, index) => [field, JSON.parse(states?.[`found_${index}`] ?? '{}') as FoundStates]);
}

const lockedStates = (reference: NewReferences) =>
  sql`select coalesce(jsonb_object_agg(locked.value, locked.state), '{}')::text from ${lockedRows(reference)} locked`;

function lockedRows({ target, where, column }: NewReferences): SQL {
  const table = namedTableOf(target);
  const present = sql`${table.isDeleted} <> ${sql.raw(String(rowStates.deleted))}`;
  return sql`(select ${column}::text as value, ${table.isDeleted} as state from ${table} where ${and(where, present)} for key share)`;
}

function errorOf({ field, title, isDictionary }: NewReferences, row: ReferringRow, states: FoundStates, allowsArchived: boolean): ApiError | undefined {
  for (const value of addedValues(row, field)) {
    const state = states[value];
    const isArchived = state === rowStates.archived;
    if (state === rowStates.active || (isArchived && allowsArchived) || (state === undefined && isDictionary)) continue;
    const { status, message } = isArchived ? problems.referenceArchived : problems.referenceGone;
    const [zh, en] = [localize(message, 'zh', { name: title[0] }), localize(message, 'en', { name: title[1] })];
    return new ApiError(problem(status, [zh, en]), {}, { field });
  }
  return undefined;
}
