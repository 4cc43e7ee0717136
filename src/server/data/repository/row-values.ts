import { type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity, FormOf } from '#shared/contract';
import { englishField } from '#shared/entity';
import { ApiError, problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { isWireDateTime } from '#shared/formats';
import { type RowState, rowStates } from '#shared/row-states';
import { type DeclaredTransition, initialStates } from '#shared/states';
import { isEmpty } from '#shared/text';
import { fieldProblem, fieldStateOf } from '#shared/validation';
import type { Encryption } from '../../base/encryption.ts';
import { currentActor } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { idArray, queryRows } from '../database/rows.ts';
import { typeOfField } from '../schema/field-type.ts';
import { maskedSecret, type NamedTable, versionName } from '../schema/table.ts';

/** A row or part of a row, by field names. */
export type RowValues = Record<string, unknown>;

const now = (): SQL => sql`date_trunc('second', now())`;

/** Builds the values of an insert: fields of the form, defaults for missing ones, and ownership. */
export function forInsert(entity: Entity, form: object, encryption: Encryption): RowValues {
  const presets = Object.entries(entity.form.properties as Record<string, TSchema & { default?: unknown }>)
    .filter(([, schema]) => schema.default !== undefined)
    .map(([name, schema]) => [name, schema.default]);
  const actor = currentActor();
  return {
    ...Object.fromEntries(presets),
    ...pickFormFields(entity, form, encryption),
    ...initialStates(entity),
    createUser: actor?.userId || null,
    createDept: actor?.deptId || null,
    updateUser: actor?.userId || null,
    updateTime: now(),
  };
}

/** Builds the values of an update. */
export function forUpdate(entity: Entity, form: object, encryption: Encryption): RowValues {
  return { ...pickFormFields(entity, form, encryption), updateUser: currentActor()?.userId || null, updateTime: now() };
}

/**
 * Evaluates the conditions of fields for the resulting row: returns the values of fields that are then invisible, and throws for a required one that is empty. The console applies
 * the same rules, but only the server has the whole row.
 */
export function applyVisibility(entity: Entity, row: RowValues): RowValues {
  const hiddenValues: RowValues = {};
  for (const [name, schema] of Object.entries(entity.form.properties as Record<string, TSchema & { default?: unknown }>)) {
    const { visible, requiredWhen, keepWhenHidden } = traitsOf(schema) ?? {};
    if (!visible && !requiredWhen) continue;
    const fieldState = fieldStateOf(schema, row, false);
    if (!fieldState.visible && !keepWhenHidden) hiddenValues[name] = schema.default ?? null;
    const message = fieldState.required && isEmpty(row[name]) ? fieldProblem(schema, undefined, true) : undefined;
    if (message) throw new ApiError(problem(400, message), {}, { field: name });
  }
  return hiddenValues;
}

/** Clears the English texts that a form makes outdated, because it changes the field they translate without them; for `complete` of a repository. */
export function withoutOutdatedEnglish<E extends Entity>(entity: E, form: object, { before }: { readonly before: RowValues | undefined }): Partial<FormOf<E>> {
  const changes = form as RowValues;
  const isChanged = (field: string) => changes[field] !== undefined && changes[field] !== before?.[field];
  const outdated = Object.keys(entity.fields).flatMap((field) => {
    const english = englishField(entity, field);
    return before && english !== undefined && isChanged(field) && !isChanged(english) ? [[english, null]] : [];
  });
  return Object.fromEntries(outdated);
}

/** Builds the values of an update by the server, with its author and time. */
export function forChange(values: object): RowValues {
  return { ...values, updateUser: currentActor()?.userId || null, updateTime: now() };
}

/** Builds the values of a declared transition. */
export const forTransition = (values: object, { field, to, time }: DeclaredTransition): object => ({
  ...values,
  [field]: to,
  ...(time === undefined ? {} : { [time]: now() }),
});

/** Builds the values of a soft delete or of archiving. */
export const forState = (state: RowState): RowValues => forChange({ isDeleted: state });

/** Builds the values of a row that comes back into the list. */
export function forReactivation(): RowValues {
  return { isDeleted: rowStates.active, updateTime: now() };
}

/** Days for which deleted rows can be restored where no parameter says otherwise. */
const defaultRecycleDays = 30;

/** Returns the number of days for which deleted rows can be restored. */
export const recycleDaysOf = async (db: Database): Promise<number> => (await db.recycleDays?.()) ?? defaultRecycleDays;

/** Condition for deleted rows that the recycle bin still offers. */
export async function isRecyclable(db: Database, { isDeleted, updateTime }: NamedTable): Promise<SQL> {
  return sql`${isDeleted} = 1 and ${updateTime} > now() - make_interval(days => ${await recycleDaysOf(db)}::integer)`;
}

/** Condition for deleted rows that can be restored: those of the recycle bin, and for a minute those that the actor has deleted. */
export async function isRestorable(db: Database, table: NamedTable): Promise<SQL> {
  const { isDeleted, updateUser, updateTime } = table;
  const isOwn = sql`${isDeleted} = 1 and ${updateUser} = ${currentActor()?.userId || null}::bigint and ${updateTime} > now() - interval '60 seconds'`;
  return sql`((${isOwn}) or (${await isRecyclable(db, table)}))`;
}

/** Adds the names of the users who deleted the rows, in one statement. */
export async function withDeleters<Listed extends object>(db: Database, rows: readonly Listed[]): Promise<(Listed & { deletedBy: string })[]> {
  const deleterOf = (row: Listed) => String((row as { updateUser?: unknown }).updateUser ?? '');
  const ids = [...new Set(rows.map(deleterOf).filter(Boolean))];
  const people =
    ids.length > 0
      ? await queryRows<{ id: string; name: string }>(
          db,
          sql`
    select id::text as id, coalesce(nullif(real_name, ''), account) as name from user_account where id = any(${idArray(ids)})`,
        )
      : [];
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, deletedBy: names.get(deleterOf(row)) ?? '' }));
}

/** Picks the fields that may be entered from a form and ignores all others. */
function pickFormFields(entity: Entity, form: object, encryption: Encryption): RowValues {
  const row: RowValues = {};
  for (const [name, schema] of Object.entries(entity.form.properties as Record<string, TSchema>)) {
    const value = (form as RowValues)[name];
    if (name === 'id' || name === versionName || value === undefined) continue;
    if (traitsOf(schema)?.widget !== 'secret') row[name] = storedValue(name, schema, value);
    // A row read earlier contains the mask; writing it back leaves the secret unchanged.
    else if (value !== maskedSecret && (value !== '' || typeOfField(schema).nullable))
      row[name] = value === null || value === '' ? null : encryption.encrypt(String(value));
  }
  return row;
}

/** Converts a value for storage: an empty text clears a field that is not a text; a value PostgreSQL cannot store is rejected. */
function storedValue(name: string, schema: TSchema, value: unknown): unknown {
  const { kind, nullable } = typeOfField(schema);
  if (value === '' && kind !== 'text' && nullable) return null;
  const isInvalid = (typeof value === 'string' && value.includes('\0')) || (kind === 'time' && typeof value === 'string' && !isWireDateTime(value));
  if (isInvalid) throw new ApiError(problems.wrongParameter, { name });
  return value;
}
