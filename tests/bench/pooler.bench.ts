import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import pg from 'pg';
import { auditRecords } from '#plugins/task/contract';
import { type Database, openDatabase } from '../../src/server/data/index.ts';
import type { ListInput } from '../../src/shared/contract/contract.ts';
import { Pgbouncer, pgbouncer, pgbouncerVersion } from '../support/pgbouncer.ts';
import { serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { fillSubmissions, pluginsOfSubmissions, type Submissions } from './many-submissions.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const section = 'Lists through a pooler';
const maxTimes = 1.1;
const tenantId = '000000';
const rowCount = 100_000;
const runs = 400;

const lists: readonly { readonly what: string; readonly input: ListInput }[] = [
  { what: 'first page', input: {} },
  { what: 'pending, oldest first', input: { auditStatus_equal: '0', ascs: 'submit_time' } },
  { what: 'of one claimer', input: { userId_equal: '77' } },
  { what: 'a page in the middle', input: { current: rowCount / 20 } },
];

describe.skipIf(serverUrl === undefined || pgbouncer === undefined)('lists in transactions of a pooler', () => {
  let filled: Submissions;
  const poolers: Pgbouncer[] = [];
  const databases: Database[] = [];
  const servers: TestServer[] = [];

  /** Starts a server on a database; returns how a signed-in user reads its list. */
  const pagesOf = async (db: Database) => {
    databases.push(db);
    const server = await openTestServer({ plugins: pluginsOfSubmissions, db });
    servers.push(server);
    const headers = await server.signIn();
    return async (input: ListInput) => {
      const query = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
      const { status, data } = await server.get(auditRecords.list.path, { headers, query });
      expect(status).toBe(200);
      return data as { readonly total: number };
    };
  };
  const through = async (mode: 'session' | 'transaction') => {
    const pooler = await Pgbouncer.open(filled.url, mode);
    poolers.push(pooler);
    const direct = mode === 'transaction' ? { directUrl: filled.url } : {};
    return pagesOf(await openDatabase({ url: pooler.address, ...direct, timeZone: 'Asia/Shanghai' }));
  };

  beforeAll(async () => {
    filled = await fillSubmissions([tenantId], rowCount);
    // As docs/operating.md recommends: a transaction that sets what its connection has already sends no report of it.
    const client = new pg.Client(filled.url);
    await client.connect();
    const name = new URL(filled.url).pathname.slice(1);
    await client.query(`alter database "${name}" set timezone = 'Asia/Shanghai'; alter database "${name}" set datestyle = 'ISO, YMD'`);
    await client.end();
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const db of databases) await db.close();
    for (const pooler of poolers) pooler.discard();
    await filled?.close();
  });

  test('take hardly longer than in sessions', async () => {
    const [sessions, transactions] = [await through('session'), await through('transaction')];
    const direct = await pagesOf(await openDatabase({ url: filled.url, timeZone: 'Asia/Shanghai' }));
    const missed: string[] = [];
    for (const { what, input } of lists) {
      expect((await transactions(input)).total).toBe((await direct(input)).total);
      const [ours, session, bare] = (
        await inTurn(
          runs,
          () => transactions(input),
          () => sessions(input),
          () => direct(input),
        )
      ).map(median) as [number, number, number];
      const ratio = ours / session;
      const figure = `${times(ratio)} a pooler in session mode (${milliseconds(ours)} to ${milliseconds(session)}; ${milliseconds(bare)} without a pooler)`;
      report({
        section,
        what,
        figure,
        bound: `${maxTimes} ×`,
        isMet: ratio <= maxTimes,
        at: `PgBouncer ${pgbouncerVersion}, ${rowCount.toLocaleString('en')} submissions; ${runs} runs`,
      });
      if (ratio > maxTimes) missed.push(what);
    }
    expect(missed).toEqual([]);
  });
});
