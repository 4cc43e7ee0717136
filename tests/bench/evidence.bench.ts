import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { secretKeysOf } from '../../src/server/base/configuration/secret-key.ts';
import type { Database } from '../../src/server/data/index.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import { Evidence } from '../../src/server/platform/evidence/evidence.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { median, report } from './report.ts';

/** Rows that are sealed and verified at once. */
const rowCount = Number(process.env.BENCH_EVIDENCE_ROWS ?? 200_000);
const section = 'Seals of logs and money';
const [roundMs, rounds, writers] = [3000, 5, 8];

const insertLine = (source: string) => sql`
  insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip, method_class, method_name, params, time, create_by,
    user_id, status_code, request_id, changes)
  select 'tenant' || n % 10, '提交', 'marquee', 'host', '10.0.0.1', 'production', 'POST', '/api/bench/submit', repeat('Mozilla/5.0 ', 10), '10.0.0.2', 'bench', 'submit',
    repeat('{"name":"value"}', 10), '12', 'admin', 1, 200, 'request-' || n, jsonb_build_array(jsonb_build_object('id', n, 'before', repeat('a', 200), 'after', repeat('b', 200)))
  from ${sql.raw(source)}`;

describe.each(serverUrl === undefined ? ['embedded'] : ['PostgreSQL'])('seals of a log on %s', (engine) => {
  let db: Database;
  let drop: () => Promise<void>;
  let evidence: Evidence;
  const insert = (source: string) => db.asPlatform('a benchmark', () => db.sql.execute(insertLine(source)));

  beforeAll(async () => {
    ({ db, drop } = await openTestDatabase({ kernelMigrations }));
    evidence = new Evidence({ db, keys: secretKeysOf('a key of the benchmark of evidence').evidence, tables: () => [], marginMs: 0 });
    await evidence.seal();
  });
  afterAll(() => drop());

  /** Counts the lines that writers add in one round, each in a transaction of its own, while another work runs. */
  async function written(meanwhile: (isOver: () => boolean) => Promise<void>): Promise<number> {
    const end = performance.now() + roundMs;
    const isOver = () => performance.now() >= end;
    let count = 0;
    const write = async () => {
      for (; !isOver(); count += 1) await insert(`generate_series(${count}, ${count}) n`);
    };
    await Promise.all([...Array.from({ length: writers }, write), meanwhile(isOver)]);
    return (count * 1000) / roundMs;
  }

  test('lines are written while others are sealed, and rows are sealed and verified', async () => {
    const counts: { alone: number[]; sealing: number[] } = { alone: [], sealing: [] };
    // Sixty times as often as the server seals, because a round is short.
    const sealing = async (isOver: () => boolean) => {
      while (!isOver()) {
        await evidence.seal();
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    };
    for (let round = 0; round < rounds; round += 1) {
      counts.alone.push(await written(async () => undefined));
      counts.sealing.push(await written(sealing));
      await evidence.seal();
    }
    const ratio = median(counts.sealing.map((count, index) => count / (counts.alone[index] ?? count)));
    const at = `${engine}, ${writers} writers, ${median(counts.alone).toFixed(0)} lines a second without`;
    report({ section, what: 'API log lines written while they are sealed every second, as a share of those without', figure: ratio.toFixed(2), at });
    await evidence.seal();
    for (let from = 0; from < rowCount; from += 50_000) await insert(`generate_series(${from + 1}, ${Math.min(from + 50_000, rowCount)}) n`);
    const start = performance.now();
    const sealed = await evidence.seal();
    const sealedAt = performance.now();
    const { rows, differences } = await evidence.verify();
    const verifiedAt = performance.now();
    expect(differences).toEqual([]);
    const speed = (count: number, ms: number) => `${Math.round((count * 1000) / ms).toLocaleString('en')} rows/s`;
    report({ section, what: 'sealing', figure: speed(sealed, sealedAt - start), at: `${engine}, ${sealed.toLocaleString('en')} API log lines of 10 tenants` });
    report({
      section,
      what: 'verifying',
      figure: speed(rows, verifiedAt - sealedAt),
      at: `${engine}, ${rows.toLocaleString('en')} API log lines of 10 tenants`,
    });
  });
});
