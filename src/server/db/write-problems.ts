import { getTableName } from 'drizzle-orm';
import type { Entity, RowOf } from '#shared/contract';
import { problem, problems, Refusal } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { type Language, say, snakeCase } from '#shared/text';
import { tableOf } from './table.ts';

interface DatabaseError {
  readonly code?: string;
  readonly detail?: string;
  readonly table?: string;
}

/** What a user can understand of a failed insert or update; anything else stays the error it is. */
export function writeProblem(entity: Entity, error: unknown): unknown {
  const { code = '', detail = '', table } = ((error as Error).cause ?? error) as DatabaseError;
  if (code === '23505') {
    const columns = /\(([^)]*)\)=/.exec(detail)?.[1]?.split(', ') ?? [];
    const fields = table === undefined || table === getTableName(tableOf(entity)) ? fieldsNamed(entity, columns) : [];
    return alreadyExists(entity, fields, error);
  }
  // Values of the wrong length, range or form, and broken references.
  if (code.startsWith('22') || code === '23502' || code === '23503' || code === '23514') return new Refusal(problems.badRequest, {}, { cause: error });
  return error;
}

/** Names what must be unique as the operator knows it: the last of the fields, in the reader's language. */
export function alreadyExists<E extends Entity>(entity: E, fields: readonly (keyof RowOf<E> & string)[], cause?: unknown): Refusal {
  const schema = entity.fields[fields.at(-1) ?? ''];
  const title = (schema && traitsOf(schema)?.title) ?? (['数据', 'Record'] as const);
  const { status, words } = problems.alreadyExists;
  const named = (language: Language) => say(words, language, { name: title[language === 'zh' ? 0 : 1] });
  return new Refusal(problem(status, [named('zh'), named('en')]), {}, { cause });
}

function fieldsNamed(entity: Entity, columns: readonly string[]): string[] {
  return columns.flatMap((column) => Object.keys(entity.fields).filter((field) => column.replace(/^lower\((.*?)\)?$/, '$1') === snakeCase(field)));
}
