import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureCompany, figuresIn } from '../journeys/demo-company.ts';
import { report } from './report.ts';

test('a company of the same seed has the same figures', async () => {
  const told = [];
  for (const _ of [1, 2]) {
    const directory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
    try {
      expect(ensureCompany(directory).status).toBe(0);
      told.push(await figuresIn(directory));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const [first, second] = told;
  expect(second).toEqual(first);
  report('The demo made twice', { what: 'figures that both companies have', after: Object.keys(first ?? {}).length });
});
