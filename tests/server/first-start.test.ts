import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { Passwords } from '../../src/server/auth/passwords.ts';
import { finishFirstStart, seedFirstStart } from '../../src/server/first-start.ts';
import { kernelMigrations } from '../../src/server/kernel-migrations.ts';
import { rowsOf } from '../../src/server/rows.ts';
import { testDatabase } from '../support/test-database.ts';

const passwords = new Passwords(new Uint8Array(40).fill(7));

test('a first start that was interrupted before its password was shown gives the administrator another one', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'marquee-first-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  const db = await testDatabase({ kernelMigrations });
  const start = (adminPassword?: string) => seedFirstStart(db, passwords, { adminPassword, clientSecret: undefined, clientId: 'sryx', dataDirectory });
  const signsIn = async (password = '') => {
    const [row] = await db.asPlatform('a test reads the hash', () =>
      rowsOf<{ hash: string }>(db, sql`select password_hash as hash from user_account where account = 'admin'`),
    );
    return passwords.matches(passwords.read(password), row?.hash);
  };

  const lost = await start();
  const shown = await start();
  expect(shown?.password).not.toBe(lost?.password);
  expect([await signsIn(lost?.password), await signsIn(shown?.password)]).toEqual([false, true]);

  finishFirstStart(dataDirectory);
  expect(await start()).toBeUndefined();
  expect(await signsIn(shown?.password)).toBe(true);
});
