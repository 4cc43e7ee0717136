import type { LoggedChange } from '#shared/api-log';
import { isEmpty } from '#shared/text';

/** One changed field; a side without a value is `undefined`. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Compares a row before and after a write field by field. Fields that are empty on both sides and audit fields are left out. */
export function differencesOf({ before, after }: LoggedChange): { verb: 'added' | 'changed' | 'removed'; fields: Difference[]; untouched: number } {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !kept.has(name));
  const said = names.map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }));
  const fields = said.filter((field) => field.before !== field.after);
  const untouched = said.filter((field) => field.before === field.after && field.before !== undefined).length;
  return { verb: before ? (after ? 'changed' : 'removed') : 'added', fields, untouched };
}

/** Audit fields the server sets on every write. */
const kept: ReadonlySet<string> = new Set(['id', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', 'isDeleted']);

function textOf(value: unknown): string | undefined {
  if (isEmpty(value)) return undefined;
  return typeof value === 'object' ? JSON.stringify(value, undefined, 1) : String(value);
}
