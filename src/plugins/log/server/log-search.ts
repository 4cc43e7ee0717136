import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import { type Database, type PageOptions, queryRows, type Repository } from '#server';
import type { Entity, ListInput, Page, RowOf } from '#shared/contract';
import { isWireDateTime } from '#shared/formats';
import { isEmpty } from '#shared/text';

type ReadPage<Row, Where> = (input: ListInput, where?: Where, options?: PageOptions) => Promise<Page<Row>>;

const hourMs = 3_600_000;
const presetRangeMs = 24 * hourMs;
/** Time after which a search replies with what it has found so far. */
const budgetMs = 800;
/** Lengths of the slices, and times that reading one takes: after a quick one the next is longer, as far as its time allows, and after a slow one shorter. */
const slices = { firstMs: hourMs, quickMs: 100, slowMs: 300, maxGrowth: 24, longestMs: 31 * 24 * hourMs };

const lowerBounds = ['createTime_ge', 'createTime_gt', 'createTime_datege', 'createTime_dategt'];
const upperBounds = ['createTime_le', 'createTime_lt', 'createTime_datele', 'createTime_datelt'];
const textOperators = /_(like|likeleft|likeright|notlike|match)$/;
/** Parameters with which a list is no plain first page, newest rows first. */
const elaborate = ['ascs', 'descs', 'exactTotal', 'totals', 'groups', 'ids'];

/**
 * Reads the pages of a log. A filter by a part of a text has no index, so it is bounded by a time range: the requested one, or the last 24 hours. The first page is searched
 * backwards in slices of time; after 0.8 seconds the reply has the rows found so far and the time reached, from which `searchedTo` continues.
 */
export function searchedLog<Row, Where>(db: Database, entity: Entity, readPage: ReadPage<Row, Where>): ReadPage<Row, Where> {
  const now = databaseClock(db);
  /** Lengths of slices that were read in a short time, by tenant, with which the next search begins. */
  const lengths = new LRUCache<string, number>({ max: 500 });
  return async ({ searchedTo, ...input }, where) => {
    const bounds = [...lowerBounds, ...upperBounds].filter((name) => !isEmpty(input[name]));
    const isTextSearch = where !== undefined || hasTextFilter(entity, input);
    if (!isTextSearch || bounds.some((name) => !isWireDateTime(String(input[name])))) return readPage(input, where);
    const { from, to } = rangeOf(await now(), input);
    const filters = Object.fromEntries(Object.entries(input).filter(([name]) => !bounds.includes(name)));
    const within = (start: number, end: number): ListInput => ({ ...filters, createTime_ge: toWire(start), createTime_lt: toWire(end) });
    const isPlain = elaborate.every((name) => isEmpty(input[name])) && Number(input.current ?? 1) <= 1 && Number(input.size ?? 10) > 0;
    if (!isPlain || from >= to)
      return { ...(await readPage(within(from, to), where)), searched: { from: toWire(from), to: toWire(to), reached: toWire(from) } };
    const begin = isWireDateTime(String(searchedTo)) ? Math.min(to, toMs(String(searchedTo))) : to;
    const tenantKey = db.tenantId ?? '';
    const { records, reached, hasMore, size, length } = await searchBack(
      { from, begin, length: lengths.get(tenantKey) ?? slices.firstMs },
      (start, end, size) => readPage({ ...within(start, end), size }, where, { withoutTotal: true }),
      input.size,
    );
    lengths.set(tenantKey, Math.min(Math.max(length, slices.firstMs), presetRangeMs));
    const total = records.length + (hasMore ? 1 : 0);
    const searched = { from: toWire(from), to: toWire(to), reached: toWire(reached) };
    return { records, total, totalExact: !hasMore && reached <= from && begin === to, size, current: 1, pages: Math.ceil(total / size), searched };
  };
}

/** Reads slices of time from the latest on, until the page is full, the range is searched or the time is up. */
async function searchBack<Row>(
  { from, begin, length: firstLength }: { readonly from: number; readonly begin: number; readonly length: number },
  read: (start: number, end: number, size: number) => Promise<Page<Row>>,
  requestedSize: ListInput['size'],
) {
  const started = performance.now();
  const records: Row[] = [];
  let [reached, length] = [begin, firstLength];
  let size = Number(requestedSize ?? 10);
  let hasMore = false;
  while (reached > from && !hasMore && performance.now() - started < budgetMs) {
    const start = Math.max(from, reached - length);
    const before = performance.now();
    const page = await read(start, reached, size - records.length);
    const took = performance.now() - before;
    // The server limits the size of a page.
    if (records.length === 0) size = page.size;
    records.push(...page.records);
    hasMore = page.total > page.records.length || (records.length >= size && start > from);
    length = nextLength({ length, took, readMs: reached - start, isWhole: !hasMore && start > from });
    reached = start;
  }
  return { records, reached, hasMore, size, length };
}

/** Returns the length of the next slice in milliseconds, whole seconds. A slice that was not read to its end, or that the range cut short, says nothing about a longer one. */
function nextLength({ length, took, readMs, isWhole }: { readonly length: number; readonly took: number; readonly readMs: number; readonly isWhole: boolean }) {
  const growth = Math.min(slices.quickMs / took, slices.maxGrowth);
  if (took > slices.slowMs) return wholeSeconds(Math.max(readMs / 2, slices.firstMs / 60));
  return isWhole && growth > 1 ? wholeSeconds(Math.min(readMs * growth, slices.longestMs)) : length;
}

/** Tests whether a request searches for a part of a text; a name without a suffix does. */
function hasTextFilter({ fields }: Entity, input: ListInput): boolean {
  return Object.entries(input).some(([name, value]) => {
    if (isEmpty(value)) return false;
    return name === 'where' ? /like|match/.test(String(value)) : textOperators.test(name) || Object.hasOwn(fields, name);
  });
}

/** Time for which the clock of the process is trusted to run like that of the database. */
const clockAgeMs = 60_000;

/** Returns the time of the database, which it reads once a minute. */
function databaseClock(db: Database): () => Promise<number> {
  let read: { readonly time: number; readonly at: number } | undefined;
  return async () => {
    const at = performance.now();
    if (!read || at - read.at > clockAgeMs) {
      const [row] = await queryRows<{ now: string }>(db, sql`select to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.MS') as now`);
      read = { time: toMs(row?.now ?? ''), at };
    }
    return read.time + performance.now() - read.at;
  };
}

function rangeOf(now: number, input: ListInput): { from: number; to: number } {
  const ends = (names: readonly string[], inclusive: readonly string[]) =>
    names.filter((name) => !isEmpty(input[name])).map((name) => toMs(String(input[name])) + (inclusive.some((suffix) => name.endsWith(suffix)) ? 0 : 1000));
  const to = Math.min(wholeSeconds(now) + 1000, ...ends(upperBounds, ['lt']));
  return { from: Math.max(...ends(lowerBounds, ['ge']), ...(lowerBounds.some((name) => !isEmpty(input[name])) ? [] : [to - presetRangeMs])), to };
}

/** Converts times of the wire, which are compared with each other only, so that their zone does not matter. */
const toMs = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000;
const toWire = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Milliseconds of the first id, and the time around that of an id in which its entry was written. */
const ids = { epochMs: 1_704_067_200_000n, bits: 22n, aroundMs: 24 * hourMs };

/** Reads an entry by its id. The id contains its time, so that one partition is read; an entry that was written at another time is looked up in all. */
export async function entryById<E extends Entity>(entries: Repository<E>, id: string): Promise<RowOf<E>> {
  const at = /^\d{1,19}$/.test(id) ? Number((BigInt(id) >> ids.bits) + ids.epochMs) : 0;
  const { id: idColumn, createTime } = entries.table as unknown as { readonly id: PgColumn; readonly createTime: PgColumn };
  const [from, to] = [at - ids.aroundMs, at + ids.aroundMs].map((ms) => sql`to_timestamp(${ms / 1000})`);
  const [entry] = at > 0 ? await entries.list(sql`${idColumn} = ${id}::bigint and ${createTime} between ${from} and ${to}`) : [];
  return entry ?? entries.detail(id);
}
