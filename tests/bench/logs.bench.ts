import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { ApiLogLine } from '#shared/api-log';
import type { Entity } from '#shared/contract';
import { ErrorLogLine } from '#shared/error-log';
import { LoginLogEntry } from '#shared/login-log';
import { SystemLogLine } from '#shared/system-log';
import { withBoundedSearch } from '../../src/plugins/log/server/log-search.ts';
import { type Database, openDatabase, repositoryOf } from '../../src/server/data/index.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import { type ListInput, maxCountedRows, type Page } from '../../src/shared/contract/contract.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { type ComparedList, type ComparedTable, columnsOf, compareList } from './compared-lists.ts';
import { fillApiLog, fillSmallerLogs, smallerLogRows } from './log-lines.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const rowCount = Number(process.env.BENCH_LOG_ROWS ?? 10_000_000);
/** Database that a run has filled before, which stays; a fill of 100,000,000 lines takes 30 minutes and 28 GB. */
const filledUrl = process.env.BENCH_LOG_DATABASE;
const searchedDays = 7;
/** Number of runs of a list; fewer for a machine with much other work. */
const maxRuns = Number(process.env.BENCH_LOG_RUNS ?? 400);
const scope = { tenantId: '000000' };

const from = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
const oneDay = [`${from} 00:00:00`, `${from} 23:59:59`] as const;
const week = new Date(Date.now() - (2 + searchedDays) * 86_400_000).toISOString().slice(0, 10);

const lists: readonly ComparedList[] = [
  { what: 'calls, first page', input: {} },
  { what: 'calls by user, equal', input: { createBy_equal: 'user77' }, where: 'and create_by = $1', values: ['user77'], runs: 100 },
  {
    what: 'calls whose address contains “param/submit”, one in twenty',
    input: { requestUri: 'param/submit' },
    where: 'and request_uri like $1',
    values: ['%param/submit%'],
  },
  { what: 'calls that failed, one in a thousand', input: { statusCode_equal: '500' }, where: 'and status_code = $1', values: ['500'], runs: 40 },
];

/** Lists of the logs with row counters: the first page, and a search for a part of a text that one in twenty lines or one in fifty has. */
const smallerLists: readonly (ComparedList & { readonly entity: Entity })[] = [
  { entity: SystemLogLine, what: 'system log, first page', input: {} },
  { entity: SystemLogLine, what: 'system log whose event contains “settle”', input: { logId: 'settle' }, where: 'and log_id like $1', values: ['%settle%'] },
  { entity: ErrorLogLine, what: 'errors, first page', input: {} },
  {
    entity: ErrorLogLine,
    what: 'errors whose address contains “param/submit”',
    input: { requestUri: 'param/submit' },
    where: 'and request_uri like $1',
    values: ['%param/submit%'],
  },
  { entity: LoginLogEntry, what: 'sign-ins, first page', input: {} },
  { entity: LoginLogEntry, what: 'sign-ins whose account contains “77”', input: { account: '77' }, where: 'and account like $1', values: ['%77%'] },
];

describe.skipIf(serverUrl === undefined)('a list of many million log lines', () => {
  let db: Database;
  let driver: pg.Client;
  let table: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const own = filledUrl === undefined ? await openTestDatabase({ kernelMigrations }) : undefined;
    const url = own?.url ?? (filledUrl as string);
    db = own?.db ?? (await openDatabase({ url, timeZone: 'Asia/Shanghai', poolSize: 4 }));
    driver = await plainClient(url);
    if (own) await fillApiLog(driver, rowCount);
    await fillSmallerLogs(driver, rowCount);
    table = {
      section: 'Logs on PostgreSQL',
      entity: ApiLogLine,
      driver,
      size: `${rowCount.toLocaleString('en')} lines of the api log`,
      page: served(ApiLogLine, { noTotal: true }),
    };
    close = async () => {
      await driver.end();
      await (own ? own.drop() : db.close());
    };
  });
  afterAll(() => close());

  /** Reads pages as the calls of the logs do, with a repository that remembers nothing yet. */
  function served(entity: Entity, options: { readonly noTotal?: boolean } = {}): (input: ListInput) => Promise<Page<{ id: string }>> {
    const lines = repositoryOf(db, entity, options);
    const page: Parameters<typeof withBoundedSearch<{ id: string }, SQL>>[2] = (input, where, more) => lines.page(input, where, more) as never;
    const searched = entity === LoginLogEntry ? page : withBoundedSearch(db, entity, page);
    return (input) => db.read(scope, () => searched(input));
  }

  const runsOf = (list: ComparedList) => Math.min(list.runs ?? maxRuns, maxRuns);

  for (const list of lists) test(list.what, () => compareList(table, { ...list, runs: runsOf(list) }));

  for (const { entity, ...list } of smallerLists)
    test(list.what, () => {
      const size = `${smallerLogRows(rowCount).toLocaleString('en')} lines`;
      return compareList({ ...table, entity, size, page: served(entity) }, { ...list, runs: runsOf(list) });
    });

  test('the first request of a server for a page and its total', async () => {
    const { section, size } = table;
    const where = "is_deleted = 0 and tenant_id = '000000'";
    const bare = async () => {
      await driver.query(`select ${columnsOf(ApiLogLine)} from api_log where ${where} order by create_time desc, id desc limit 10`);
      return driver.query(`select count(*) from (select from api_log where ${where} limit ${maxCountedRows}) counted`);
    };
    const first = () => served(ApiLogLine, { noTotal: true })({});
    expect(await first()).toMatchObject({ total: maxCountedRows, totalExact: false });
    const runs = Math.min(200, maxRuns);
    const [ours, alone] = (await inTurn(runs, first, bare)).map(median) as [number, number];
    const ratio = ours / alone;
    const figure = `${times(ratio)} the bare page and its count up to 10,001 (${milliseconds(ours)} to ${milliseconds(alone)})`;
    report({ section, what: 'calls, first page, nothing is known', figure, bound: '1.3 ×', isMet: ratio <= 1.3, at: `${size}; ${runs} runs` });
    expect(ratio).toBeLessThanOrEqual(1.3);
  });

  test.each([
    ['one day', oneDay[0]],
    ['nine days', `${week} 00:00:00`],
  ])('a rare text in a range of %s is searched with progress', async (days, from) => {
    const { section, size, page: search } = table;
    const range = { createTime_ge: from, createTime_le: oneDay[1] };
    const replies: number[] = [];
    const walk = async () => {
      const found: string[] = [];
      for (let searchedTo: string | undefined; ; ) {
        const started = performance.now();
        const reply = await search({ requestUri: 'rare/call', size: 200, ...range, ...(searchedTo === undefined ? {} : { searchedTo }) });
        replies.push(performance.now() - started);
        found.push(...reply.records.map(({ id }) => id));
        if (!reply.searched || reply.searched.reached <= reply.searched.from) return found;
        searchedTo = reply.searched.reached;
      }
    };
    const bare = () =>
      driver.query({
        text: `select id from api_log where is_deleted = 0 and tenant_id = '000000' and create_time >= $1 and create_time <= $2 and request_uri like $3 order by create_time desc, id desc limit 200`,
        values: [range.createTime_ge, range.createTime_le, '%rare/call%'],
      });
    expect(await walk()).toEqual((await bare()).rows.map(({ id }) => id));
    const [ours, alone] = (await inTurn(Math.min(3, maxRuns), walk, bare)).map(median) as [number, number];
    const ratio = ours / alone;
    const figure = `${times(ratio)} the bare statement (${milliseconds(ours)} to ${milliseconds(alone)})`;
    report({
      section,
      what: `a rare text in a range of ${days}, all slices`,
      figure,
      bound: '1.3 ×',
      isMet: ratio <= 1.3,
      at: `${size}; ${Math.min(3, maxRuns)} runs`,
    });
    report({
      section,
      what: `the longest wait for a reply of the search in ${days}`,
      figure: milliseconds(Math.max(...replies)),
      at: `${replies.length} replies`,
    });
    expect(ratio).toBeLessThanOrEqual(1.3);
  });
});
