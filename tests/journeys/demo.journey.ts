import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureCompany } from './demo-company.ts';

// The figures of the company, and that a seed reproduces them, are tested in a soak (`tests/soak/demo.soak.ts`).
test('demo data is refused beside existing data, and on a PostgreSQL', () => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
  try {
    const elsewhere = ensureCompany(directory, { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' });
    expect(elsewhere.status).toBe(1);
    expect(elsewhere.stderr).toContain('requires the embedded database');

    writeFileSync(join(directory, 'secret.key'), 'somebody’s');
    const beside = ensureCompany(directory);
    expect(beside.status).toBe(1);
    expect(beside.stderr).toContain('already contains data');
    expect(readdirSync(directory)).toEqual(['secret.key']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
