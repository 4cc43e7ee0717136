import type { LoggedChange } from '#shared/api-log';
import { isEmpty } from '#shared/text';

/** One field that is not what it was; nothing where it was, or is, empty. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a write did to a row, field by field. Fields that are empty on both sides, and who changed it when, are no part of it. */
export function differencesOf({ before, after }: LoggedChange): { verb: 'added' | 'changed' | 'removed'; fields: Difference[]; untouched: number } {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !kept.has(name));
  const said = names.map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }));
  const fields = said.filter((field) => field.before !== field.after);
  const untouched = said.filter((field) => field.before === field.after && field.before !== undefined).length;
  return { verb: before ? (after ? 'changed' : 'removed') : 'added', fields, untouched };
}

/** What the server notes by itself whenever a row is written. */
const kept: ReadonlySet<string> = new Set(['id', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', 'isDeleted']);

function textOf(value: unknown): string | undefined {
  if (isEmpty(value)) return undefined;
  return typeof value === 'object' ? JSON.stringify(value, undefined, 1) : String(value);
}
