import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureCompany, figuresIn } from '../journeys/demo-company.ts';
import { report } from './report.ts';

test('people were paid and some wait, and the ledger balances; a company of the same seed has the same figures, and a second start leaves it as it is', async () => {
  const told = [];
  for (const _ of [1, 2]) {
    const directory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
    try {
      const made = ensureCompany(directory);
      expect([made.status, made.stderr]).toEqual([0, '']);
      const before = readdirSync(directory).sort();
      expect(ensureCompany(directory)).toMatchObject({ status: 0, stdout: 'The demo data already exists.\n' });
      expect(readdirSync(directory).sort()).toEqual(before);
      told.push(await figuresIn(directory));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const [first, second] = told;
  if (!first) throw new Error('No company was made.');
  expect(second).toEqual(first);
  expect(first.faults).toEqual([]);
  expect(first.submissions).toBe(30);
  // The samples of the product assume an empty deployment, so the demo company has notifications of its own.
  expect(first.notifications).toEqual(['示例：欢迎使用演示公司', '示例：以不同角色登录', '示例：从哪里开始看']);
  expect(first.advertisers).toHaveLength(5);
  expect(first.roles).toEqual(['超级管理员 Administrator', '运营 Operations', '审核员 Reviewer', '出纳 Cashier', '财务主管 Head of finance', '达人 Creator']);
  expect(first.tasks).toBe(8);
  const { waiting, approved, rejected } = first.byAudit;
  expect([waiting, approved, rejected].every((count) => (count ?? 0) > 0)).toBe(true);
  expect(first.paid.count).toBeGreaterThan(0);
  expect(first.unpaid).toBeGreaterThan(0);
  expect(first.underWay).toBe(0);
  expect(first.picture).toMatch(/^image\/png/);
  report('The demo made twice', { what: 'figures that both companies have', after: Object.keys(first).length });
});
