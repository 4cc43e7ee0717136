import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureCompany, figuresIn } from './demo-company.ts';

const directories: string[] = [];
const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
  directories.push(directory);
  return directory;
};
test.afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

test.describe.configure({ mode: 'serial' });

// That a company of the same seed has the same figures is a soak (`tests/soak/demo.soak.ts`).
test('people were paid and some wait, and the ledger balances', async () => {
  test.setTimeout(240_000);
  const directory = newDirectory();
  const made = ensureCompany(directory);
  expect(made.stderr).toBe('');
  expect(made.status).toBe(0);
  const first = await figuresIn(directory);
  expect(first.faults).toEqual([]);
  expect(first.submissions).toBe(30);
  expect(first.advertisers).toHaveLength(5);
  expect(first.tasks).toBe(8);
  const { waiting, approved, rejected } = first.byAudit;
  expect([waiting, approved, rejected].every((count) => (count ?? 0) > 0)).toBe(true);
  expect(first.paid.count).toBeGreaterThan(0);
  expect(first.unpaid).toBeGreaterThan(0);
  expect(first.underWay).toBe(0);
  expect(first.picture).toMatch(/^image\/png/);
});

test('a second start leaves it as it is', () => {
  const [directory = ''] = directories;
  const before = readdirSync(directory).sort();
  const again = ensureCompany(directory);
  expect([again.status, again.stdout]).toEqual([0, 'The demo data is there already.\n']);
  expect(readdirSync(directory).sort()).toEqual(before);
});

test('it is refused beside data that stands already, and in front of a PostgreSQL', () => {
  const directory = newDirectory();
  writeFileSync(join(directory, 'secret.key'), 'somebody’s');
  const beside = ensureCompany(directory);
  expect(beside.status).toBe(1);
  expect(beside.stderr).toContain('holds data already');
  expect(readdirSync(directory)).toEqual(['secret.key']);

  const elsewhere = ensureCompany(newDirectory(), { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' });
  expect(elsewhere.status).toBe(1);
  expect(elsewhere.stderr).toContain('for the embedded database');
});
