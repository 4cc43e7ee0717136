import { type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { currentActor } from '../audit/actor.ts';
import { typeOfField } from './field-type.ts';
import { isMoment } from './filters.ts';

/** A row, or the part of one that is written, by field names. */
export type Row = Record<string, unknown>;

const now = (): SQL => sql`date_trunc('second', now())`;

/** What an insert writes: the fields of the form, presets for those left out, and whose row it is. */
export function added(entity: Entity, form: object): Row {
  const presets = Object.entries(entity.form.properties as Record<string, TSchema & { default?: unknown }>)
    .filter(([, schema]) => schema.default !== undefined)
    .map(([name, schema]) => [name, schema.default]);
  const actor = currentActor();
  return {
    ...Object.fromEntries(presets),
    ...entered(entity, form),
    createUser: actor?.userId ?? null,
    createDept: actor?.deptId ?? null,
    updateUser: actor?.userId ?? null,
    updateTime: now(),
  };
}

/** What an update writes. */
export function updated(entity: Entity, form: object): Row {
  return { ...entered(entity, form), updateUser: currentActor()?.userId ?? null, updateTime: now() };
}

/** What a removal writes. */
export function removal(): Row {
  return { isDeleted: 1, updateUser: currentActor()?.userId ?? null, updateTime: now() };
}

/** The fields an operator may enter, and no others, whatever the form carries. */
function entered(entity: Entity, form: object): Row {
  const row: Row = {};
  for (const [name, schema] of Object.entries(entity.form.properties as Record<string, TSchema>)) {
    const value = (form as Row)[name];
    if (name === 'id' || value === undefined) continue;
    row[name] = stored(name, schema, value);
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
