import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { adminPassword, Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
const scale = '0.01';
const directories: string[] = [];
const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
  directories.push(directory);
  return directory;
};
test.afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** `npm start -- --demo` as far as it speaks of the demo, without building anything. */
const ensure = (directory: string, environment: Record<string, string> = {}) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import('${join(root, 'scripts/demo.mjs')}').then(({ ensureDemo }) => ensureDemo())`,
      '--',
      '--demo',
      '--demo-scale',
      scale,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: directory, ADMIN_PASSWORD: adminPassword, ...environment },
    },
  );

test.describe.configure({ mode: 'serial' });

test('a company of the same seed has the same figures; people were paid and some wait, and the ledger balances', async () => {
  test.setTimeout(480_000);
  const told = [];
  for (const directory of [newDirectory(), newDirectory()]) {
    const made = ensure(directory);
    expect(made.stderr).toBe('');
    expect(made.status).toBe(0);
    told.push(await figuresIn(directory));
  }
  const [first, second] = told;
  expect(second).toEqual(first);
  expect(first?.faults).toEqual([]);
  expect(first?.submissions).toBe(30);
  expect(first?.advertisers).toHaveLength(5);
  expect(first?.tasks).toBe(8);
  const { waiting, approved, rejected } = first?.byAudit ?? {};
  expect([waiting, approved, rejected].every((count) => (count ?? 0) > 0)).toBe(true);
  expect(first?.paid.count).toBeGreaterThan(0);
  expect(first?.unpaid).toBeGreaterThan(0);
  expect(first?.underWay).toBe(0);
  expect(first?.picture).toMatch(/^image\/png/);
});

test('a second start leaves it as it is', () => {
  const [directory = ''] = directories;
  const before = readdirSync(directory).sort();
  const again = ensure(directory);
  expect([again.status, again.stdout]).toEqual([0, 'The demo data is there already.\n']);
  expect(readdirSync(directory).sort()).toEqual(before);
});

test('it is refused beside data that stands already, and in front of a PostgreSQL', () => {
  const directory = newDirectory();
  writeFileSync(join(directory, 'secret.key'), 'somebody’s');
  const beside = ensure(directory);
  expect(beside.status).toBe(1);
  expect(beside.stderr).toContain('holds data already');
  expect(readdirSync(directory)).toEqual(['secret.key']);

  const elsewhere = ensure(newDirectory(), { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' });
  expect(elsewhere.status).toBe(1);
  expect(elsewhere.stderr).toContain('for the embedded database');
});

/** What a server that starts on this directory tells of the company. */
async function figuresIn(directory: string) {
  const product = new Product({ DATA_DIR: directory, ADMIN_PASSWORD: adminPassword });
  try {
    await product.start();
    const client = await product.signIn();
    const all = async (path: string, query: Record<string, string> = {}) => (await client.get(path, { size: 200, ...query })).data;
    const advertisers = (await all('/api/oms-system/base/advertiserlist')).records as { name: string; balance: string }[];
    const waiting = (await all('/api/things-task/task/getAuditList')).total as number;
    const decided = (await all('/api/things-task/task/getRecordList')).records as { auditStatus: number; payStatus: number; images: string; amount: number }[];
    const payouts = (await all('/api/things-task/weixinpay/list')).records as { state: number; amount: number; paidTime: string }[];
    const paid = payouts.filter(({ state }) => state === 2);
    const picture = await fetch(new URL(String(decided[0]?.images), product.address), { headers: client.headers });
    const approved = decided.filter(({ auditStatus }) => auditStatus === 1).length;
    return {
      advertisers: advertisers.map(({ name, balance }) => `${name} ${balance}`).sort(),
      tasks: (await all('/api/things-task/task/getList')).total as number,
      submissions: waiting + decided.length,
      byAudit: { waiting, approved, rejected: decided.length - approved } as Record<string, number>,
      paid: {
        count: paid.length,
        sum: paid.reduce((sum, { amount }) => sum + Number(amount), 0),
        days: [...new Set(paid.map(({ paidTime }) => paidTime.slice(0, 10)))].sort(),
      },
      unpaid: decided.filter(({ auditStatus, payStatus }) => auditStatus === 1 && payStatus === 0).length,
      underWay: payouts.filter(({ state }) => state < 2).length,
      faults: (await all('/api/things-task/ledger/check')) as unknown[],
      picture: picture.headers.get('content-type') ?? '',
    };
  } finally {
    await product.discard();
  }
}
