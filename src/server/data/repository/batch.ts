import { setImmediate } from 'node:timers/promises';
import { and } from 'drizzle-orm';
import type { BatchResult, Entity, RefusedRow } from '#shared/contract';
import { nameField } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import type { Language } from '#shared/text';
import type { Database } from '../database/database.ts';
import { hasId } from '../database/rows.ts';
import { namedTableOf } from '../schema/table.ts';
import { isHidden, textColumn, visibleRows } from './row-scope.ts';

/** Request on several rows. */
export interface BatchRequest {
  readonly input: { readonly ids: readonly string[]; readonly partial?: boolean };
  readonly language: Language;
}

/** Reason why a row of a batch is not processed. */
export interface BatchRefusal {
  readonly id: string;
  readonly error: ApiError;
}

/** Refuses the ids of a batch that were not found, with one error for all. */
export function missingRows(ids: readonly string[], found: ReadonlySet<string>): BatchRefusal[] {
  const error = new ApiError(problems.notFound);
  return ids.filter((id) => !found.has(id)).map((id) => ({ id, error }));
}

/**
 * Processes the rows of a batch: all or none, with the result null, or in part if the request says so. Then all are tried at once and, if that is refused, halves of them,
 * down to single rows, each in a savepoint, until no further row succeeds: one row may become possible by another. An error that names a field concerns the request and is
 * always thrown.
 */
export async function runBatch(
  db: Database,
  entity: Entity,
  { input: { ids, partial }, language }: BatchRequest,
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<BatchResult | null> {
  if (!partial) {
    await work(ids);
    return null;
  }
  const unique = [...new Set(ids)];
  const attempt = (part: readonly string[]) => refusalOf(db, () => work(part));
  const refusal = await attempt(unique);
  if (!refusal) return { done: unique.length, total: unique.length, rows: [] };
  if (unique.length === 1 || refusal.field !== undefined) throw refusal;
  const refusals = new Map<string, ApiError>();
  const processInHalves = async (part: readonly string[]): Promise<void> => {
    const error = await attempt(part);
    if (error && part.length === 1) refusals.set(part[0] as string, error);
    if (!error || part.length === 1) return;
    const middle = Math.ceil(part.length / 2);
    await processInHalves(part.slice(0, middle));
    await processInHalves(part.slice(middle));
  };
  // Rows are locked in the order of their ids, as everywhere.
  let pending = [...unique].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  for (let before = Number.POSITIVE_INFINITY; pending.length > 0 && pending.length < before; ) {
    before = pending.length;
    refusals.clear();
    await processInHalves(pending);
    pending = [...refusals.keys()];
  }
  return batchResult(db, entity, unique, { language, refusals: [...refusals].map(([id, error]) => ({ id, error })) });
}

/** Number of rows above which the result of a batch is built in several turns of the event loop. */
const largeBatch = 1000;

/** Builds the result of a batch, with the names of the refused rows that the actor may see. */
export async function batchResult(
  db: Database,
  entity: Entity,
  ids: readonly string[],
  { refusals, language }: { readonly refusals: readonly BatchRefusal[]; readonly language: Language },
): Promise<BatchResult> {
  // A batch of ten thousand takes turns with other requests.
  const isLarge = ids.length > largeBatch;
  if (isLarge) await setImmediate();
  const refusedIds = refusals.map(({ id }) => id);
  const titles = await titlesOf(db, entity, refusedIds, language);
  if (isLarge) await setImmediate();
  // Many rows share one error.
  const texts = new Map<ApiError, string>();
  const textOf = (error: ApiError) => texts.get(error) ?? texts.set(error, error.text(language)).get(error) ?? '';
  const refused = new Map(
    refusals.map(({ id, error }): [string, RefusedRow] => [id, { id, title: titles.get(id) ?? null, code: error.problem.status, message: textOf(error) }]),
  );
  const rows = ids.flatMap((id) => refused.get(id) ?? []);
  return { done: ids.length - rows.length, total: ids.length, rows };
}

/** Runs a part of a batch that can fail alone. */
export function inSavepoint<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const { scope } = db;
  return scope ? db.write(scope, work) : work();
}

/** True for errors that a batch reports with its row; failures of the server end it. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.problem.status < 500;

async function refusalOf(db: Database, work: () => Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await inSavepoint(db, work);
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

async function titlesOf(db: Database, entity: Entity, ids: readonly string[], language: Language): Promise<Map<string, string>> {
  const named = nameField(entity);
  if (named === undefined || isHidden(entity, named) || ids.length === 0) return new Map();
  const table = namedTableOf(entity);
  const rows = await db.sql
    .select({ id: table.id, title: textColumn(entity, named, language) })
    .from(table)
    .where(and(hasId(table, ids), visibleRows(db, entity.name)));
  return new Map(rows.map(({ id, title }) => [String(id), String(title ?? '')]));
}
