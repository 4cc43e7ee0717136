import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { type Client, Product } from '../journeys/product.ts';
import { containedBell } from '../support/contained-bell.ts';
import { packageKey } from '../support/package-archive.ts';
import { ownDatabase } from './own-database.ts';
import { report } from './report.ts';

const section = 'A contained plugin, and what a hostile one costs the others';
const rounds = 300;
const acme = packageKey();

const calls = `read('count', async () => (await queryRows(db, sql.raw('select count(*)::integer as count from ' + id + ' where is_deleted = 0')))[0].count),
  write('ring', async () => { await db.sql.execute(sql.raw('update ' + id + ' set rings = rings + 1')); }),
  read('spin', async () => { for (;;); }),
  read('heap', async () => { const kept = []; for (;;) kept.push(new Array(1000).fill(Math.random())); }),
  read('buffers', async () => { const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1)); }),
  read('statements', async () => { for (let end = Date.now() + 5000; Date.now() < end; ) await Promise.all(Array.from({ length: 50 }, () => db.sql.execute(sql.raw('select count(*) from ' + id)))); }),
  read('log', async () => { for (let end = Date.now() + 3000; Date.now() < end; ) { for (let line = 0; line < 1000; line++) systemLog.log({ level: 'info', event: id + ':flood', data: 'x'.repeat(1000) }); await new Promise((resolve) => setTimeout(resolve)); } }),
  write('hang', async () => { await db.sql.execute(sql.raw('update ' + id + ' set rings = 0')); await new Promise(() => {}); }),`;

async function install({ address }: Product, client: Client, archive: Buffer): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)]), 'bell.tgz');
  const path = '/api/blade-system/plugin/package';
  const reply = await fetch(`${address}${path}/upload`, { method: 'POST', body: form, headers: client.headers });
  const { data, msg } = (await reply.json()) as { data: { digest: string } | null; msg: string };
  expect(data?.digest, msg).toBeTruthy();
  const installed = await client.post(`${path}/install`, { digest: data?.digest });
  expect(installed.status, installed.msg).toBe(200);
}

const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] as number;

async function timed(work: () => Promise<{ status: number }>): Promise<number> {
  const started = performance.now();
  expect((await work()).status).toBe(200);
  return performance.now() - started;
}

/** Calls the rest of the product until the attack is over; returns the times of these calls and the number of those that failed. */
async function duringAttack(client: Client, attack: Promise<unknown>): Promise<{ times: number[]; failed: number }> {
  let isOver = false;
  void attack.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  let failed = 0;
  while (!isOver) {
    const started = performance.now();
    const { status } = await client.get('/api/blade-system/menu/list');
    if (status === 200) times.push(performance.now() - started);
    else failed += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { times, failed };
}

test('a call of a contained plugin costs at most twice as much, and a hostile one costs the others a fifth at most', async () => {
  test.setTimeout(900_000);
  const server = process.env.TEST_DATABASE_URL;
  test.skip(!server, 'the embedded database cannot interrupt a statement: TEST_DATABASE_URL');
  const database = await ownDatabase(server as string);
  const product = new Product({
    PLUGIN_KEYS: acme.setting,
    UNSIGNED_PLUGINS: 'contained',
    ...{ NODE_ENV: 'development', CAPTCHA_TEST_ANSWER: '', CAPTCHA_MODE: 'off' },
    ...{ DATABASE_URL: database.url, SECRET_KEY: randomBytes(36).toString('base64') },
  });
  await product.start();
  try {
    const call = await product.signIn();
    await install(product, call, await containedBell({ id: 'gong', calls, key: acme.key }));
    await install(product, call, await containedBell({ id: 'chime', calls }));
    for (const id of ['gong', 'chime']) for (let row = 0; row < 50; row++) await call.post(`/api/${id}/bell/submit`, { name: `bell ${row}` });

    const kinds: readonly (readonly [what: string, run: (id: string) => Promise<{ status: number }>])[] = [
      ['a call with one statement', (id) => call.get(`/api/${id}/count`)],
      ['a call that writes', (id) => call.post(`/api/${id}/ring`, {})],
      ['a list', (id) => call.get(`/api/${id}/bell/list`)],
      ['a form with two hooks', (id) => call.post(`/api/${id}/bell/submit`, { name: 'new' })],
    ];
    for (const [what, run] of kinds) {
      const [inside, across]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        inside.push(await timed(() => run('gong')));
        across.push(await timed(() => run('chime')));
      }
      const ratio = median(across) / median(inside);
      report(section, { what: `${what}: contained to inside, ms`, before: Number(median(inside).toFixed(2)), after: Number(median(across).toFixed(2)) });
      report(section, { what: `${what}: ratio in hundredths`, after: Math.round(ratio * 100), bound: 200 });
    }

    const quiet = await duringAttack(call, new Promise((resolve) => setTimeout(resolve, 5000)));
    let allFailed = 0;
    for (const attack of ['spin', 'heap', 'buffers', 'statements', 'log', 'hang']) {
      await expect.poll(async () => (await call.get('/api/chime/count')).status, { timeout: 60_000 }).toBe(200);
      const path = `/api/chime/${attack}`;
      const { times, failed } = await duringAttack(call, attack === 'hang' ? Promise.all([1, 2, 3, 4].map(() => call.post(path, {}))) : call.get(path));
      allFailed += failed;
      const what = `median of other calls during the attack "${attack}", ms`;
      report(section, { what, before: Number(median(quiet.times).toFixed(2)), after: Number(median(times).toFixed(2)) });
      report(section, { what: `${attack}: ratio in hundredths`, after: Math.round((median(times) / median(quiet.times)) * 100), bound: 120 });
    }
    report(section, { what: 'other calls that failed', after: allFailed, bound: 0 });
    expect(allFailed).toBe(0);
  } finally {
    await product.discard();
    await database.drop();
  }
});
