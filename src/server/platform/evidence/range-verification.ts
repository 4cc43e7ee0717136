import type { Database } from '../../data/database/database.ts';
import { everyTenant, isMarked, RowDigest, type RowMark, readMarks, type Seal } from './seal.ts';
import type { SealStore } from './seal-store.ts';
import { type RowRange, readRows, type SealedRow } from './sealed-table.ts';

const rowsAtOnce = 500;
/** Largest number of rows that are named for one seal and one kind of difference. */
const maxNamed = 20;

/** Rows of one seal to compare; the range begins after the id `after`, where the seal before it ends. */
interface SealedRange {
  readonly seal: Seal;
  readonly after: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** Result for the range of a seal. */
interface RangeResult {
  readonly rows: number;
  readonly purged: number;
  readonly differences: readonly string[];
}

interface RangeDeps {
  readonly db: Database;
  readonly store: SealStore;
}

/** Compares the rows of a range with their seal: by their common hash, and row by row if it differs. */
export async function verifyRows({ db, store }: RangeDeps, { seal, after, columns }: SealedRange): Promise<RangeResult> {
  const { tenant, source, rowCount, number } = seal;
  const names = seal.columns.split(',');
  const lost = names.filter((name) => !columns.has(name));
  if (lost.length > 0) return { rows: 0, purged: 0, differences: [`the columns ${lost.join(', ')} of seal ${number} do not exist any more`] };
  const sealed = new Map(names.map((name) => [name, columns.get(name) ?? '']));
  const range = { tenant, after, to: seal.toId };
  const read = () => rowsOf(db, source, sealed, range);
  const sum = new RowDigest(source);
  for await (const row of read()) sum.add(row);
  if (sum.count === rowCount && sum.end().digest === seal.digest) return { rows: rowCount, purged: 0, differences: [] };
  return compareRows({ db, store }, seal, read());
}

/** Reads the rows of a range, each page in a transaction of its own. */
async function* rowsOf(db: Database, table: string, columns: ReadonlyMap<string, string>, range: RowRange): AsyncGenerator<SealedRow> {
  let { after } = range;
  for (let page: SealedRow[] | undefined; page === undefined || page.length === rowsAtOnce; ) {
    const from = after;
    page = await db.asPlatform('compares the rows of all tenants with their seals', () => readRows(db, table, columns, { ...range, after: from }, rowsAtOnce));
    after = page.at(-1)?.id ?? after;
    yield* page;
  }
}

/** Names the rows that differ from the marks of their seal. A missing row is no difference if the product has deleted the rows of its time. */
async function compareRows({ db, store }: RangeDeps, seal: Seal, rows: AsyncGenerator<SealedRow>): Promise<RangeResult> {
  const { tenant, source, number, fromId, toId } = seal;
  const marks = await db.asPlatform('compares the rows of all tenants with their seals', async () => readMarks(await store.marksOf(seal), seal));
  const place = `seal ${number}, ids ${fromId} to ${toId}`;
  if (!marks) return { rows: 0, purged: 0, differences: [`rows differ (${place}); the seal has lost the marks that name them`] };
  const expected = new Map<string, RowMark>(marks.map((mark) => [mark.id, mark]));
  const found = { changed: [] as string[], inserted: [] as string[], deleted: [] as string[] };
  let same = 0;
  for await (const row of rows) {
    const mark = expected.get(row.id);
    expected.delete(row.id);
    if (!mark) found.inserted.push(row.id);
    else if (!isMarked(source, row, mark)) found.changed.push(row.id);
    else same += 1;
  }
  const purgedBefore = await purgedBeforeOf(db, store, tenant, source);
  let purged = 0;
  for (const { id, at } of expected.values()) {
    if (at * 1000 < purgedBefore) purged += 1;
    else found.deleted.push(id);
  }
  const differences = Object.entries(found).flatMap(([what, ids]) =>
    ids.length === 0 ? [] : [`${named(ids)} ${ids.length === 1 ? 'was' : 'were'} ${what} (${place})`],
  );
  if (differences.length === 0 && purged === 0) differences.push(`rows differ (${place}), though each looks like the one that was sealed`);
  return { rows: same, purged, differences };
}

/** Returns the time, in milliseconds, before which the product has deleted rows of a chain. */
const purgedBeforeOf = (db: Database, store: SealStore, tenant: string, source: string): Promise<number> =>
  db.asPlatform('compares the rows of all tenants with their seals', async () => {
    const heads = [await store.headOf(tenant, source), await store.headOf(everyTenant, source)];
    return Math.max(0, ...heads.map((head) => (head && store.isSigned(head) ? head.purgedBefore : 0)));
  });

const named = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'row' : 'rows'} ${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''}`;
