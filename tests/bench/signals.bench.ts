import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase } from '../../src/server/data/index.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';
import { serverUrl } from '../support/test-database.ts';
import { median, report } from './report.ts';

const section = 'Signals';
const connections = 16;
const seconds = 3;
const rounds = 3;
/** Share of the commits without signals that remain with them. */
const minShare = 0.8;

describe.skipIf(serverUrl === undefined)('commits that signal', () => {
  let db: Database;
  let cluster: PostgresCluster;

  beforeAll(async () => {
    cluster = await PostgresCluster.make(true);
    db = await openDatabase({ url: cluster.url, timeZone: 'UTC', poolSize: connections });
    await db.asPlatform('a benchmark', () => db.script('create table thing (name text)'));
  });
  afterAll(async () => {
    await db.close();
    cluster.remove();
  });

  /** Returns the commits per second of transactions that write a row and then do this. */
  const commitsPerSecond = async (alsoDo: (name: string) => Promise<unknown>) => {
    const end = performance.now() + seconds * 1000;
    let commits = 0;
    const commit = async (connection: number) => {
      while (performance.now() < end) {
        const name = `${connection}-${commits}`;
        await db.asPlatform('a benchmark', async () => {
          await db.sql.execute(sql`insert into thing values (${name})`);
          await alsoDo(name);
        });
        commits += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, connection) => commit(connection)));
    return commits / seconds;
  };

  test(`keep ${minShare * 100} % of the rate of those that do not`, async () => {
    const works = {
      silent: async () => undefined,
      signalling: (name: string) => db.signal('thing', name),
      notifying: (name: string) => db.sql.execute(sql`select pg_notify('marquee_bench', ${name})`),
    };
    const rates = { silent: [] as number[], signalling: [] as number[], notifying: [] as number[] };
    for (let round = 0; round < rounds; round += 1)
      for (const name of Object.keys(works) as (keyof typeof works)[]) rates[name].push(await commitsPerSecond(works[name]));
    const [silent, signalling, notifying] = [median(rates.silent), median(rates.signalling), median(rates.notifying)];
    const at = `${connections} connections, one row per commit, each on the disk`;
    report({ section, what: 'commits per second without a signal', figure: String(Math.round(silent)), at });
    const share = signalling / silent;
    report({ section, what: 'with a signal after each commit', figure: `${share.toFixed(2)}×`, bound: `≥ ${minShare}×`, isMet: share >= minShare, at });
    report({ section, what: 'with NOTIFY in the transaction, for comparison', figure: `${(notifying / silent).toFixed(2)}×`, at });
    expect(share).toBeGreaterThanOrEqual(minShare);
  }, 120_000);
});
