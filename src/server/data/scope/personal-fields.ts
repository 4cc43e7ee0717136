import type { FieldValues } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { maskedKindOf } from '#shared/fields';
import { isMaskedText, maskPersonal } from '#shared/personal';
import { currentActor } from '../context/actor.ts';

type EntityFields = Pick<Entity, 'fields'>;
const kindOf = ({ fields }: EntityFields, name: string) => (Object.hasOwn(fields, name) ? maskedKindOf(fields[name]) : undefined);

/** Tests whether replies contain the values of a field in masked form only. */
export const isMasked = (entity: EntityFields, field: string): boolean => kindOf(entity, field) !== undefined;

/** Tests whether the actor may not see the values of a masked field: a filter then compares whole values, so that a search tells nothing of a value that it does not already know. */
export function isConcealed(entity: EntityFields & Pick<Entity, 'personal'>, field: string): boolean {
  const actor = currentActor();
  return isMasked(entity, field) && actor !== undefined && actor.codes?.has(entity.personal?.code ?? '') !== true;
}

/** Masks a value of a field; other fields keep theirs. */
export function maskedValue(entity: EntityFields, field: string, value: unknown): unknown {
  const kind = kindOf(entity, field);
  return kind && typeof value === 'string' ? maskPersonal(kind, value) : value;
}

/** Returns a row with masked personal data, for logs and files. */
export function maskedRow<Row extends FieldValues>(entity: EntityFields, row: Row): Row {
  const masked = Object.keys(row).filter((name) => isMasked(entity, name));
  return masked.length === 0 ? row : { ...row, ...Object.fromEntries(masked.map((name) => [name, maskedValue(entity, name, row[name])])) };
}

/** Drops the masked values that a form has got from a reply and sends back: they change nothing. Throws for a masked value that the row does not have. */
export function withoutMaskedValues<Form extends object>(entity: EntityFields, form: Form, before: FieldValues | undefined): Form {
  const returned = Object.entries(form).filter(([name, value]) => isMaskedText(value) && isMasked(entity, name));
  if (returned.length === 0) return form;
  for (const [name, value] of returned)
    if (!before || maskedValue(entity, name, before[name]) !== value) throw new ApiError(problems.maskedValue, {}, { field: name });
  const names = new Set(returned.map(([name]) => name));
  return Object.fromEntries(Object.entries(form).filter(([name]) => !names.has(name))) as Form;
}
