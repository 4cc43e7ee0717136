import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { Param } from '#plugins/settings/contract';
import type { ListInput } from '#shared/contract';
import { repositoryOf } from '../../src/server/db/index.ts';
import { serverUrl } from '../support/test-database.ts';
import { type MillionParams, openMillionParams, rowCount } from './million-params.ts';
import { inTurn, median, milliseconds, report, timed, times } from './report.ts';

const section = 'Lists on PostgreSQL';
const rows = `${rowCount.toLocaleString('en')} rows, 10 a page`;
const scope = { tenantId: '000000' };
const columns = 'id, param_name, param_key, param_value, remark, create_user, create_dept, create_time, update_user, update_time, status, is_deleted';

/** A request, and its page as one would write it by hand. */
interface List {
  readonly what: string;
  readonly input: ListInput;
  readonly where?: string;
  readonly values?: readonly string[];
  readonly order?: string;
  readonly offset?: number;
  /** Fewer where a page takes long by nature. */
  readonly runs?: number;
}

const newestFirst = 'create_time desc, id desc';
const byName = { input: { descs: 'param_name' }, order: 'param_name desc, id desc' };

const lists: readonly List[] = [
  { what: 'first page', input: {} },
  { what: 'first page by paramName, descending', ...byName },
  { what: 'page 100', input: { current: 100 }, offset: 990 },
  {
    what: 'one day of createTime, 2,880 rows',
    input: { createTime_dategt: '2024-05-31 23:59:59', createTime_datelt: '2024-06-02 00:00:00' },
    where: 'and create_time > $1 and create_time < $2',
    values: ['2024-05-31 23:59:59', '2024-06-02 00:00:00'],
  },
  { what: 'paramKey contains “key.09”, 100,000 rows', input: { paramKey: 'key.09' }, where: 'and param_key like $1', values: ['%key.09%'] },
  {
    what: 'paramKey begins with “bench.key.0123”, 1,000 rows',
    input: { paramKey_likeright: 'bench.key.0123' },
    where: 'and param_key like $1',
    values: ['bench.key.0123%'],
    runs: 10,
  },
  { what: 'paramKey equals, 1 row', input: { paramKey_equal: 'bench.key.0500000' }, where: 'and param_key = $1', values: ['bench.key.0500000'] },
];

const deepLists: readonly List[] = [
  { what: 'page 50,000', input: { current: 50_000 }, offset: 499_990 },
  { what: 'page 50,000 by paramName, descending', ...byName, input: { current: 50_000, ...byName.input }, offset: 499_990 },
  { what: 'page 99,990', input: { current: 99_990 }, offset: 999_890 },
];

const pageText = ({ where = '', order = newestFirst, offset = 0 }: List) =>
  `select ${columns} from param where is_deleted = 0 ${where} order by ${order} limit 10${offset > 0 ? ` offset ${offset}` : ''}`;

const countText = ({ where = '' }: List) => `select count(*) from param where is_deleted = 0 ${where}`;

const isHere = serverUrl !== undefined;

describe.skipIf(!isHere)('a list of a million rows', () => {
  let params: MillionParams;

  beforeAll(async () => {
    if (isHere) params = await openMillionParams();
  });
  afterAll(async () => {
    if (isHere) await params.close();
  });

  const repository = () => {
    const opened = repositoryOf(params.db, Param);
    return (list: List) => params.db.read(scope, () => opened.page(list.input));
  };
  const bare = (list: List) => params.driver.query({ text: pageText(list), values: [...(list.values ?? [])] });
  const prepared = (list: List) => params.driver.query({ name: list.what, text: pageText(list), values: [...(list.values ?? [])] });
  const counted = (list: List) => params.driver.query({ text: countText(list), values: [...(list.values ?? [])] });
  const requested = async ({ input }: List) => {
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
    const reply = await params.server.app.inject({ url: `/api/blade-system/param/list?${query}`, headers: params.headers });
    if (reply.statusCode !== 200) throw new Error(reply.body);
  };

  /** Only the same rows are worth a comparison. */
  async function expectSameRows(page: ReturnType<typeof repository>, list: List): Promise<void> {
    const [ours, theirs, count] = [await page(list), await bare(list), await counted(list)];
    expect(ours.records.map(({ id }) => id)).toEqual(theirs.rows.map(({ id }) => id));
    const total = Number(count.rows[0]?.count);
    expect(ours.total).toBe(ours.totalExact ? total : Math.min(total, 10_001));
  }

  /** Each piece of work with a change of some row just before it, which makes worthless what was remembered of the table. */
  async function afterWrites(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> {
    const figures = works.map(() => [] as number[]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, work] of works.entries()) {
        await params.driver.query(`update param set remark = $1 where param_key = 'bench.key.0000002'`, [`round ${round}`]);
        figures[place]?.push(await timed(work));
      }
    }
    return figures.map(median);
  }

  for (const list of lists) {
    test(`${list.what}: the page with its total against the page alone`, async () => {
      const page = repository();
      await expectSameRows(page, list);
      const runs = list.runs ?? 300;
      const figures = await inTurn(
        runs,
        () => page(list),
        () => bare(list),
        () => prepared(list),
        () => requested(list),
      );
      const [ours, alone, planned, whole] = figures.map(median) as [number, number, number, number];
      const writes = Math.min(runs, 30);
      const [oursAnew = 0, aloneAnew = 0] = await afterWrites(
        writes,
        () => page(list),
        () => bare(list),
      );
      const naive = median((await inTurn(10, () => counted(list)))[0]);
      const row = (what: string, figure: string, count: number, kept?: boolean) =>
        report({ section, what: `${list.what}${what}`, figure, at: `${rows}; ${count} runs`, ...(kept === undefined ? {} : { bound: '1.3 ×', kept }) });
      const against = `${times(ours / alone)} the bare page (${milliseconds(ours)} to ${milliseconds(alone)})`;
      row('', `${against}, ${times(ours / planned)} the same as a prepared statement`, runs, ours / alone <= 1.3);
      const anew = `${times(oursAnew / aloneAnew)} the bare page (${milliseconds(oursAnew)} to ${milliseconds(aloneAnew)})`;
      row(', right after a write', anew, writes, oursAnew / aloneAnew <= 1.3);
      row(', the whole request', `${milliseconds(whole)}, ${times(whole / alone)} the bare page`, runs);
      row(', a naive count(*) alone', `${milliseconds(naive)}, ${times(naive / alone)} the bare page`, 10);
    });
  }

  for (const list of deepLists) {
    test(`${list.what} is quick once somebody has been in the neighbourhood`, async () => {
      const page = repository();
      const first = await timed(() => page(list));
      // What makes it quick is built beside the answers.
      for (let round = 0; round < 100 && (await timed(() => page(list))) > 5; round += 1) await new Promise((resolve) => setTimeout(resolve, 100));
      await expectSameRows(page, list);
      const ours = median((await inTurn(200, () => page(list)))[0]);
      const alone = median((await inTurn(10, () => bare(list)))[0]);
      const [anew = 0] = await afterWrites(10, () => page(list));
      const row = (what: string, figure: string, kept?: boolean) =>
        report({ section, what: `${list.what}${what}`, figure, at: rows, ...(kept === undefined ? {} : { bound: '5 ms', kept }) });
      row('', `${milliseconds(ours)}, the bare page by offset ${milliseconds(alone)}`, ours <= 5);
      row(', for the first time', milliseconds(first), first <= 5);
      row(', right after a write', milliseconds(anew), anew <= 5);
    });
  }
});
