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
/** Time after which a search returns the rows that it has found so far. */
const budgetMs = 800;
/** Lengths of the slices of time that are read one by one. After a read shorter than `quickReadMs` the next slice is longer in proportion, after one longer than `slowReadMs` it is half as long. */
const slices = { initialMs: hourMs, minMs: hourMs / 60, maxMs: 31 * 24 * hourMs, quickReadMs: 100, slowReadMs: 300, maxGrowth: 24 };

const lowerBounds = ['createTime_ge', 'createTime_gt', 'createTime_datege', 'createTime_dategt'];
const upperBounds = ['createTime_le', 'createTime_lt', 'createTime_datele', 'createTime_datelt'];
const textOperators = /_(like|likeleft|likeright|notlike|match)$/;
/** Parameters that change the order of a list or add to its reply. Such a list is not searched slice by slice. */
const unslicedParameters = ['ascs', 'descs', 'exactTotal', 'totals', 'groups', 'ids'];

/**
 * Reads the pages of a log. No index helps to find a part of a text, so such a search is bounded by a time range: the requested one, or the last 24 hours. The first page is
 * searched backwards in slices of time; after 0.8 seconds the reply has the rows found so far and the time reached. A request with this time in `searchedTo` continues the search.
 */
export function withBoundedSearch<Row, Where>(db: Database, entity: Entity, readPage: ReadPage<Row, Where>): ReadPage<Row, Where> {
  const now = databaseClock(db);
  /** Length of the last slice of each tenant's last search, with which the next search begins. */
  const lastLengths = new LRUCache<string, number>({ max: 500 });
  return async ({ searchedTo, ...input }, where) => {
    const bounds = [...lowerBounds, ...upperBounds].filter((name) => !isEmpty(input[name]));
    const isTextSearch = where !== undefined || hasTextFilter(entity, input);
    if (!isTextSearch || bounds.some((name) => !isWireDateTime(String(input[name])))) return readPage(input, where);
    const { from, to } = rangeOf(await now(), input);
    const filters = Object.fromEntries(Object.entries(input).filter(([name]) => !bounds.includes(name)));
    const within = (start: number, end: number): ListInput => ({ ...filters, createTime_ge: toWire(start), createTime_lt: toWire(end) });
    const isPlain = unslicedParameters.every((name) => isEmpty(input[name])) && Number(input.current ?? 1) <= 1 && Number(input.size ?? 10) > 0;
    if (!isPlain || from >= to)
      return { ...(await readPage(within(from, to), where)), searched: { from: toWire(from), to: toWire(to), reached: toWire(from) } };
    const begin = isWireDateTime(String(searchedTo)) ? Math.min(to, toMs(String(searchedTo))) : to;
    const tenantKey = db.tenantId ?? '';
    const { records, reached, hasMore, size, lengthMs } = await searchBackwards(
      { from, begin, lengthMs: lastLengths.get(tenantKey) ?? slices.initialMs },
      (start, end, size) => readPage({ ...within(start, end), size }, where, { withoutTotal: true }),
      input.size,
    );
    lastLengths.set(tenantKey, Math.min(Math.max(lengthMs, slices.initialMs), presetRangeMs));
    const total = records.length + (hasMore ? 1 : 0);
    const searched = { from: toWire(from), to: toWire(to), reached: toWire(reached) };
    return { records, total, totalExact: !hasMore && reached <= from && begin === to, size, current: 1, pages: Math.ceil(total / size), searched };
  };
}

/** Reads slices of time, the latest first, until the page is full, the range is searched or the time is up. */
async function searchBackwards<Row>(
  { from, begin, lengthMs: initialLengthMs }: { readonly from: number; readonly begin: number; readonly lengthMs: number },
  read: (start: number, end: number, size: number) => Promise<Page<Row>>,
  requestedSize: ListInput['size'],
) {
  const started = performance.now();
  const records: Row[] = [];
  let [reached, lengthMs] = [begin, initialLengthMs];
  let size = Number(requestedSize ?? 10);
  let hasMore = false;
  while (reached > from && !hasMore && performance.now() - started < budgetMs) {
    const start = Math.max(from, reached - lengthMs);
    const before = performance.now();
    const page = await read(start, reached, size - records.length);
    const tookMs = performance.now() - before;
    // The server limits the size of a page.
    if (records.length === 0) size = page.size;
    records.push(...page.records);
    hasMore = page.total > page.records.length || (records.length >= size && start > from);
    lengthMs = nextLengthMs({ lengthMs, tookMs, readMs: reached - start, isWhole: !hasMore && start > from });
    reached = start;
  }
  return { records, reached, hasMore, size, lengthMs };
}

interface ReadSlice {
  readonly lengthMs: number;
  readonly tookMs: number;
  /** Part of the length that lies within the range. */
  readonly readMs: number;
  readonly isWhole: boolean;
}

/** Returns the length of the next slice, in whole seconds. It grows only after a whole slice: one that the page or the range cut short took less time than its length would. */
function nextLengthMs({ lengthMs, tookMs, readMs, isWhole }: ReadSlice): number {
  const growth = Math.min(slices.quickReadMs / tookMs, slices.maxGrowth);
  if (tookMs > slices.slowReadMs) return wholeSeconds(Math.max(readMs / 2, slices.minMs));
  return isWhole && growth > 1 ? wholeSeconds(Math.min(readMs * growth, slices.maxMs)) : lengthMs;
}

/** Tests whether a request searches for a part of a text. A field's name without an operator does so too. */
function hasTextFilter({ fields }: Entity, input: ListInput): boolean {
  return Object.entries(input).some(([name, value]) => {
    if (isEmpty(value)) return false;
    return name === 'where' ? /like|match/.test(String(value)) : textOperators.test(name) || Object.hasOwn(fields, name);
  });
}

/** Interval at which the time of the database is read again; in between it is computed with the clock of the process. */
const clockIntervalMs = 60_000;

/** Returns a function that tells the time of the database. */
function databaseClock(db: Database): () => Promise<number> {
  let read: { readonly time: number; readonly at: number } | undefined;
  return async () => {
    const at = performance.now();
    if (!read || at - read.at > clockIntervalMs) {
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

/** Parses a time of the wire as UTC. Such times are compared only with each other, so their zone does not matter. */
const toMs = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000;
const toWire = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Time in an id: milliseconds since the epoch, above the lowest bits. An entry is written at most `toleranceMs` before or after it. */
const idTime = { epochMs: 1_704_067_200_000n, lowBits: 22n, toleranceMs: 24 * hourMs };

/** Reads an entry by its id. The id contains a time, so only the partitions around it are read; all others are read if the entry is not there. */
export async function entryById<E extends Entity>(entries: Repository<E>, id: string): Promise<RowOf<E>> {
  const at = /^\d{1,19}$/.test(id) ? Number((BigInt(id) >> idTime.lowBits) + idTime.epochMs) : 0;
  const { id: idColumn, createTime } = entries.table as unknown as { readonly id: PgColumn; readonly createTime: PgColumn };
  const [from, to] = [at - idTime.toleranceMs, at + idTime.toleranceMs].map((ms) => sql`to_timestamp(${ms / 1000})`);
  const [entry] = at > 0 ? await entries.list(sql`${idColumn} = ${id}::bigint and ${createTime} between ${from} and ${to}`) : [];
  return entry ?? entries.detail(id);
}
