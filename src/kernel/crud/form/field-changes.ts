import type { FieldValues } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { isEmpty } from '#shared/text';
import type { Answer } from '../../platform/http/http.ts';
import { withLists } from '../../platform/http/http-client.ts';
import type { RequestResult } from '../../platform/http/observe-request.ts';
import type { Row } from '../model/crud-screen.ts';
import type { FormField } from '../model/entity-fields.ts';

/** A record as another user has saved it. */
export interface RecordConflict {
  readonly current: Row;
  /** Name of the user who saved it; null if no user did. */
  readonly changedBy: string | null;
  /** Time in the format of the API. */
  readonly changedAt: string;
}

/** A field that one side or both have changed since the form was opened. */
export interface FieldChange {
  readonly field: FormField;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly isChangedByMe: boolean;
  readonly isChangedByThem: boolean;
}

/** Tests for a refused save that is based on an earlier version of its row. */
export const isConflict = (answer: Answer<unknown>): boolean => readConflict(answer) !== undefined;

/** Reads the record that the server sends with the refusal of an earlier version, if it is one. */
export function recordConflictOf(answer: RequestResult, { row }: Pick<Entity, 'row'>): RecordConflict | undefined {
  const conflict = 'localizedMessage' in answer ? undefined : readConflict(answer);
  return conflict && { ...conflict, current: withLists(conflict.current, row) as Row };
}

function readConflict(answer: Answer<unknown>): RecordConflict | undefined {
  if (answer.success || answer.code !== 409) return undefined;
  const { current, changedBy, changedAt } = (answer.details ?? {}) as Partial<RecordConflict>;
  if (typeof current?.id !== 'string' || typeof changedAt !== 'string') return undefined;
  return { current, changedBy: changedBy ?? null, changedAt };
}

/** Compares three states of a form and returns the fields whose values the two sides have changed to different ones, or that only one of them has changed. */
export function fieldChanges(
  fields: readonly FormField[],
  { base, mine, theirs }: { readonly base: FieldValues; readonly mine: FieldValues; readonly theirs: FieldValues },
): FieldChange[] {
  return fields.flatMap((field) => {
    const { name } = field;
    const isChangedByMe = !isSameValue(mine[name], base[name]) && !isSameValue(mine[name], theirs[name]);
    const isChangedByThem = !isSameValue(theirs[name], base[name]) && !isSameValue(mine[name], theirs[name]);
    return isChangedByMe || isChangedByThem ? [{ field, base: base[name], mine: mine[name], theirs: theirs[name], isChangedByMe, isChangedByThem }] : [];
  });
}

/** Tests whether two values of a field are the same: links to one file differ by their signatures, and an absent value equals an empty one. */
export const isSameValue = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

const signaturePattern = /expires=\d+&(amp;)?signature=[\w-]+/g;

function textOf(value: unknown): string {
  if (isEmpty(value)) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(signaturePattern, '');
}
