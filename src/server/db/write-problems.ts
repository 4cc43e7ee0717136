import { sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import { type Problem, problem, problems, Refusal } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { type Language, say, snakeCase } from '#shared/text';
import { quotaReached, quotaState } from '../tenancy/account-quota.ts';
import type { Database } from './database.ts';

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

/** Index name → the columns that may occur together once. */
export type UniqueIndexes = ReadonlyMap<string, readonly string[]>;

/** Fields that together occur once, and what is said when they would occur twice. */
export interface Unique {
  readonly fields: readonly string[];
  readonly problem?: Problem;
}

/** Read before a write: a transaction that has failed answers nothing, and the error of a table with row level security names no columns. */
export async function readUniqueIndexes(db: Database, table: PgTable): Promise<UniqueIndexes> {
  const rows = await db.sql.execute<{ name: string; columns: string[] }>(sql`
    select indexrelid::regclass::text as name, array(select pg_get_indexdef(indexrelid, place, true) from generate_series(1, indnkeyatts) place) as columns
    from pg_index where indrelid = ${getTableConfig(table).name}::regclass and indisunique`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** What a user can understand of a failed insert or update; anything else stays the error it is. */
export function writeProblem(entity: Entity, uniqueIndexes: UniqueIndexes, declared: readonly Unique[], error: unknown): unknown {
  const { code = '', constraint = '' } = ((error as Error).cause ?? error) as DatabaseError;
  if (code === '23505') {
    const fields = fieldsNamed(entity, uniqueIndexes.get(constraint) ?? []);
    return alreadyExists(entity, declared.find((unique) => isSameSet(unique.fields, fields)) ?? { fields }, error);
  }
  if (code === quotaState) return new Refusal(quotaReached, {}, { cause: error });
  // Values of the wrong length, range or form, and broken references.
  if (code.startsWith('22') || code === '23502' || code === '23503' || code === '23514') return new Refusal(problems.badRequest, {}, { cause: error });
  return error;
}

/** The domain's own words, else what must be unique as the operator knows it: the last of the fields, in the reader's language. */
export function alreadyExists(entity: Entity, { fields, problem: told }: Unique, cause?: unknown): Refusal {
  const field = fields.at(-1);
  if (told) return new Refusal(told, {}, { cause, field });
  const schema = entity.fields[field ?? ''];
  const title = (schema && traitsOf(schema)?.title) ?? (['数据', 'Record'] as const);
  const { status, words } = problems.alreadyExists;
  const named = (language: Language) => say(words, language, { name: title[language === 'zh' ? 0 : 1] });
  return new Refusal(problem(status, [named('zh'), named('en')]), {}, { cause, field });
}

function fieldsNamed(entity: Entity, columns: readonly string[]): string[] {
  const named = (column: string) => Object.keys(entity.fields).filter((field) => new RegExp(`\\b${snakeCase(field)}\\b`).test(column));
  return columns.flatMap(named);
}

const isSameSet = (some: readonly string[], others: readonly string[]) => some.length === others.length && some.every((one) => others.includes(one));
