import { sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import { isSecret, nameField } from '#shared/entity';
import { ApiError, type Problem, problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { type Language, type LocalizedText, localize, snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import type { RowValues } from './row-values.ts';

/** Returns an `ApiError` and throws any other error. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

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
    return alreadyExists(entity, declared.find((unique) => isSameSet(unique.fields, fields)) ?? { fields }, { cause: error });
  }
  if (code === quotaState) return new ApiError(quotaReached, {}, { cause: error });
  // Covers values of the wrong length, range or format, and broken references.
  if (code.startsWith('22') || code === '23502' || code === '23503' || code === '23514') return new ApiError(problems.badRequest, {}, { cause: error });
  return error;
}

/** A stored record that has the unique values of another; `name` is absent if the reader may not see it. */
export interface DuplicateHolder {
  readonly id: string;
  readonly name?: string;
  readonly isArchived?: boolean;
}

interface DuplicateDetails {
  readonly cause?: unknown;
  /** The rejected row. */
  readonly row?: RowValues;
  /** Absent if it is unknown or outside the reader's data scope. */
  readonly holder?: DuplicateHolder | undefined;
}

/**
 * Builds the error for a duplicate: the domain's own message, or one with the title of the last field and the name of the record that has its value. `{name}` and
 * `{value}` of the domain's message are filled with the title and the value of that field.
 */
export function alreadyExists(entity: Entity, { fields, problem: ownProblem }: Unique, { cause, row = {}, holder }: DuplicateDetails = {}): ApiError {
  const field = fields.at(-1) ?? '';
  const title = localizedTitle(entity, field);
  const value = localizedValue(entity, field, row[field]);
  // A record whose name is the duplicate value itself would be named twice.
  const isNamed = holder?.name !== undefined && !fields.includes(nameField(entity) ?? '');
  const isArchived = holder?.isArchived === true && holder.name !== undefined;
  const base = isArchived ? problems.takenByArchived : (ownProblem ?? (isNamed ? problems.takenBy : problems.alreadyExists));
  const inLanguage = (language: Language) => {
    const place = language === 'zh' ? 0 : 1;
    const quoted = language === 'zh' ? `${title[0]}「${value?.[0]}」` : `${title[1]} “${value?.[1]}”`;
    const name = (isArchived || base === problems.takenBy) && value ? quoted : title[place];
    return localize(base.message, language, {
      name,
      ...(value ? { value: value[place] } : {}),
      ...(holder?.name === undefined ? {} : { holder: holder.name }),
    });
  };
  const [zh, en] = [inLanguage('zh'), inLanguage('en')];
  const isFilled = zh !== base.message[0] || en !== base.message[1];
  return new ApiError(isFilled ? problem(base.status, [zh, en]) : base, {}, { cause, field: fields.at(-1), ...(holder ? { data: holder } : {}) });
}

function localizedTitle(entity: Entity, field: string): LocalizedText {
  const schema = entity.fields[field];
  return (schema && traitsOf(schema)?.title) ?? ['数据', 'Record'];
}

/** Returns the value of a field as its users read it; undefined for secrets, ids and lists. */
function localizedValue(entity: Entity, field: string, value: unknown): LocalizedText | undefined {
  const schema = entity.fields[field];
  if (!schema || isSecret(schema) || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const { options, reference, widget } = traitsOf(schema) ?? {};
  const option = options?.find(([one]) => String(one) === String(value));
  if (option) return option[1];
  const isPlain = (widget === 'text' && (schema as { format?: string }).format !== 'int64') || widget === 'number' || widget === 'url';
  return isPlain && !reference ? [String(value), String(value)] : undefined;
}

function fieldsNamed(entity: Entity, columns: readonly string[]): string[] {
  const named = (column: string) => Object.keys(entity.fields).filter((field) => new RegExp(`\\b${snakeCase(field)}\\b`).test(column));
  return columns.flatMap(named);
}

const isSameSet = (some: readonly string[], others: readonly string[]) => some.length === others.length && some.every((one) => others.includes(one));
