import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, ListInput } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { typeOfField } from '../schema/field-type.ts';
import { tableOf } from '../schema/table.ts';
import { isConcealed } from '../scope/personal-fields.ts';
import { isHidden } from './row-scope.ts';

/** One column of an order. */
export interface SortColumn {
  readonly field: string;
  readonly column: PgColumn;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** Builds the order of a list. It is always total: `id` comes last, in the direction of the column before it, so that one index serves both directions. */
export function orderOf(entity: Entity, { ascs, descs }: Pick<ListInput, 'ascs' | 'descs'>): SortColumn[] {
  const requestedSorts = [...namesOf(entity, ascs, false), ...namesOf(entity, descs, true)];
  const sorts = requestedSorts.filter((sort, index) => requestedSorts.findIndex(({ field }) => field === sort.field) === index);
  if (sorts.length === 0) sorts.push(...entity.order.map((field) => sortBy(entity, field, false)));
  if (sorts.length === 0) sorts.push(sortBy(entity, 'createTime', true));
  if (!sorts.some(({ field }) => field === 'id')) sorts.push(sortBy(entity, 'id', sorts.at(-1)?.descending ?? true));
  return sorts;
}

/** Returns the order of removed rows: by the time of their removal, the latest first. */
export const lastChangedFirst = (entity: Entity): SortColumn[] => [sortBy(entity, 'updateTime', true), sortBy(entity, 'id', true)];

/** Converts sort columns to `order by`; `reversed` inverts all directions. */
export function orderBy(sorts: readonly SortColumn[], reversed = false): SQL[] {
  return sorts.map(({ column, descending }) => (descending === reversed ? sql`${column} asc` : sql`${column} desc`));
}

/** Adds an order to a request without one. It leaves out columns that are hidden from the caller, because an order reveals values. */
export function orderedBy(entity: Entity, input: ListInput, order: Pick<ListInput, 'ascs' | 'descs'>): ListInput {
  if (input.ascs || input.descs) return input;
  const isShown = (name: string) =>
    !Object.keys(entity.fields).some((field) => snakeCase(field) === name && (isHidden(entity, field) || isConcealed(entity, field)));
  return { ...input, ...Object.fromEntries(Object.entries(order).map(([key, names]) => [key, String(names).split(',').filter(isShown).join()])) };
}

function namesOf(entity: Entity, text: unknown, descending: boolean): SortColumn[] {
  if (text === undefined || text === null || text === '') return [];
  if (typeof text !== 'string') throw new ApiError(problems.wrongParameter, { name: descending ? 'descs' : 'ascs' });
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => sortBy(entity, fieldNamed(entity, name), descending));
}

function fieldNamed(entity: Entity, name: string): string {
  const field = Object.keys(entity.fields).find((candidate) => candidate === name || snakeCase(candidate) === name);
  const schema = field === undefined ? undefined : entity.fields[field];
  if (field === undefined || !schema || !traitsOf(schema)?.sort || isHidden(entity, field) || isConcealed(entity, field))
    throw new ApiError(problems.unknownSort, { name });
  return field;
}

function sortBy(entity: Entity, field: string, descending: boolean): SortColumn {
  const schema = entity.fields[field];
  return { field, column: tableOf(entity)[field] as PgColumn, descending, nullable: schema !== undefined && typeOfField(schema).nullable };
}

/** A row with its sort position. */
export interface OrderedRow {
  readonly id: string;
  readonly sort: number;
}

/**
 * Assigns the positions 1, 2, … to `rows`, the complete list, in the order of `ids`, and saves the moved ones; throws if `ids` are not exactly the rows' ids. Lock the
 * list first.
 */
export async function reorder(rows: readonly OrderedRow[], ids: readonly string[], save: (moved: OrderedRow) => Promise<unknown>): Promise<void> {
  const positions = new Map(rows.map(({ id, sort }) => [id, sort]));
  if (ids.length !== rows.length || new Set(ids).size !== rows.length || !ids.every((id) => positions.has(id))) throw new ApiError(problems.orderStale);
  for (const [index, id] of ids.entries()) if (positions.get(id) !== index + 1) await save({ id, sort: index + 1 });
}
