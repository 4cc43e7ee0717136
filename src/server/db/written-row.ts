import { type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { problem, problems, Refusal } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { isMoment } from '#shared/formats';
import { isEmpty } from '#shared/text';
import { fieldProblem, standingOf } from '#shared/validation';
import { currentActor } from '../audit/actor.ts';
import { typeOfField } from './field-type.ts';
import type { Seals } from './seals.ts';
import { struckSecret } from './table.ts';

/** A row, or the part of one that is written, by field names. */
export type Row = Record<string, unknown>;

const now = (): SQL => sql`date_trunc('second', now())`;

/** What an insert writes: the fields of the form, presets for those left out, and whose row it is. */
export function added(entity: Entity, form: object, seals: Seals): Row {
  const presets = Object.entries(entity.form.properties as Record<string, TSchema & { default?: unknown }>)
    .filter(([, schema]) => schema.default !== undefined)
    .map(([name, schema]) => [name, schema.default]);
  const actor = currentActor();
  return {
    ...Object.fromEntries(presets),
    ...entered(entity, form, seals),
    createUser: actor?.userId || null,
    createDept: actor?.deptId || null,
    updateUser: actor?.userId || null,
    updateTime: now(),
  };
}

/** What an update writes. */
export function updated(entity: Entity, form: object, seals: Seals): Row {
  return { ...entered(entity, form, seals), updateUser: currentActor()?.userId || null, updateTime: now() };
}

/**
 * What fields that depend on others come to in the row as it will stand: one that is then out of sight is emptied, one that must then be filled in
 * and is not is refused. Both halves judge by the same rules, but only here is the whole row known.
 */
export function settled(entity: Entity, row: Row): Row {
  const emptied: Row = {};
  for (const [name, schema] of Object.entries(entity.form.properties as Record<string, TSchema & { default?: unknown }>)) {
    const { visible, requiredWhen } = traitsOf(schema) ?? {};
    if (!visible && !requiredWhen) continue;
    const standing = standingOf(schema, row, false);
    if (!standing.visible) emptied[name] = schema.default ?? null;
    const words = standing.required && isEmpty(row[name]) ? fieldProblem(schema, undefined, true) : undefined;
    if (words) throw new Refusal(problem(400, words), {}, { field: name });
  }
  return emptied;
}

/** What a removal writes. */
export function removal(): Row {
  return { isDeleted: 1, updateUser: currentActor()?.userId || null, updateTime: now() };
}

/** What bringing a row back writes. */
export function revival(): Row {
  return { isDeleted: 0, updateTime: now() };
}

/** The rows a removal by this user may still be undone for. */
export function undoable({ isDeleted, updateUser, updateTime }: Record<'isDeleted' | 'updateUser' | 'updateTime', unknown>): SQL {
  return sql`${isDeleted} = 1 and ${updateUser} = ${currentActor()?.userId || null}::bigint and ${updateTime} > now() - interval '60 seconds'`;
}

/** The fields an operator may enter, and no others, whatever the form carries. */
function entered(entity: Entity, form: object, seals: Seals): Row {
  const row: Row = {};
  for (const [name, schema] of Object.entries(entity.form.properties as Record<string, TSchema>)) {
    const value = (form as Row)[name];
    if (name === 'id' || value === undefined) continue;
    if (traitsOf(schema)?.widget !== 'secret') row[name] = stored(name, schema, value);
    // A row that was read shows the mask; writing it back changes nothing.
    else if (value !== struckSecret && (value !== '' || typeOfField(schema).nullable))
      row[name] = value === null || value === '' ? null : seals.seal(String(value));
  }
  return row;
}

/** An empty text clears whatever is not a text; what PostgreSQL could not store is refused by name. */
function stored(name: string, schema: TSchema, value: unknown): unknown {
  const { kind, nullable } = typeOfField(schema);
  if (value === '' && kind !== 'text' && nullable) return null;
  const wrong = (typeof value === 'string' && value.includes('\0')) || (kind === 'time' && typeof value === 'string' && !isMoment(value));
  if (wrong) throw new Refusal(problems.wrongParameter, { name });
  return value;
}
