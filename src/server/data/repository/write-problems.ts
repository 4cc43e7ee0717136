import { sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import { ApiError, type Problem, problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { type Language, localize, snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';

/** SQLSTATE with which the database rejects an account beyond the tenant's quota. */
export const quotaState = 'MQ001';

/** Error for an account beyond the quota. */
export const quotaReached = problem(409, ['租户账号数量已达上限', 'The tenant has reached its account limit.']);

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

/** Columns of unique indexes by index name. */
export type UniqueIndexes = ReadonlyMap<string, readonly string[]>;

/** Fields whose combined values are unique, with the error to report. */
export interface Unique {
  readonly fields: readonly string[];
  readonly problem?: Problem;
}

/** Reads the unique indexes. This happens before a write, because a failed transaction answers no queries and an error on a table with row level security names no columns. */
export async function readUniqueIndexes(db: Database, table: PgTable): Promise<UniqueIndexes> {
  const rows = await db.sql.execute<{ name: string; columns: string[] }>(sql`
    select indexrelid::regclass::text as name, array(select pg_get_indexdef(indexrelid, place, true) from generate_series(1, indnkeyatts) place) as columns
    from pg_index where indrelid = ${getTableConfig(table).name}::regclass and indisunique`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Translates a failed insert or update into an error users can understand; returns other errors unchanged. */
export function writeProblem(entity: Entity, uniqueIndexes: UniqueIndexes, declared: readonly Unique[], error: unknown): unknown {
  const { code = '', constraint = '' } = ((error as Error).cause ?? error) as DatabaseError;
  if (code === '23505') {
    const fields = fieldsNamed(entity, uniqueIndexes.get(constraint) ?? []);
    return alreadyExists(entity, declared.find((unique) => isSameSet(unique.fields, fields)) ?? { fields }, error);
  }
  if (code === quotaState) return new ApiError(quotaReached, {}, { cause: error });
  // Covers values of the wrong length, range or format, and broken references.
  if (code.startsWith('22') || code === '23502' || code === '23503' || code === '23514') return new ApiError(problems.badRequest, {}, { cause: error });
  return error;
}

/** Builds the error for a duplicate: the domain's own message, or one with the title of the last field, in the reader's language. */
export function alreadyExists(entity: Entity, { fields, problem: ownProblem }: Unique, cause?: unknown): ApiError {
  const field = fields.at(-1);
  if (ownProblem) return new ApiError(ownProblem, {}, { cause, field });
  const schema = entity.fields[field ?? ''];
  const title = (schema && traitsOf(schema)?.title) ?? (['数据', 'Record'] as const);
  const { status, message: text } = problems.alreadyExists;
  const named = (language: Language) => localize(text, language, { name: title[language === 'zh' ? 0 : 1] });
  return new ApiError(problem(status, [named('zh'), named('en')]), {}, { cause, field });
}

function fieldsNamed(entity: Entity, columns: readonly string[]): string[] {
  const named = (column: string) => Object.keys(entity.fields).filter((field) => new RegExp(`\\b${snakeCase(field)}\\b`).test(column));
  return columns.flatMap(named);
}

const isSameSet = (some: readonly string[], others: readonly string[]) => some.length === others.length && some.every((one) => others.includes(one));
