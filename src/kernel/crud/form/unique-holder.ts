import type { RequestResult } from '../../platform/http/observe-request.ts';

/** A stored record that has the value of a unique field. */
export interface UniqueHolder {
  /** Name of the field. */
  readonly field: string;
  /** The value that was refused: another value has another holder. */
  readonly value: unknown;
  readonly id: string;
  /** Absent if the user may not see it. */
  readonly name?: string;
}

/** Reads the record that the server names in its refusal of a duplicate, if it names one. */
export function uniqueHolderOf(answer: RequestResult, field: string, value: unknown): UniqueHolder | undefined {
  const { id, name } = (('details' in answer && answer.details) || {}) as { readonly id?: unknown; readonly name?: unknown };
  if (typeof id !== 'string') return undefined;
  return { field, value, id, ...(typeof name === 'string' ? { name } : {}) };
}
