import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { finishFirstStart, seedFirstStart } from '../../../src/server/host/first-start.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { Passwords } from '../../../src/server/platform/identity/passwords/passwords.ts';
import { testDatabase } from '../../support/test-database.ts';

const passwords = new Passwords([new Uint8Array(40).fill(7)]);
const told = { adminPassword: undefined, clientSecret: undefined, clientId: 'sryx', isTerminal: true };

test('a first start that was interrupted before its password was shown gives the administrator another one', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'marquee-first-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  const db = await testDatabase({ kernelMigrations });
  const start = (adminPassword?: string) => seedFirstStart(db, passwords, { ...told, adminPassword, dataDirectory });
  const signsIn = async (password = '') => {
    const [row] = await db.asPlatform('a test reads the hash', () =>
      queryRows<{ hash: string }>(db, sql`select password_hash as hash from user_account where account = 'admin'`),
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

test('without a terminal the password is in a file readable by its owner only, until it is changed', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'marquee-first-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  const db = await testDatabase({ kernelMigrations });
  const start = () => seedFirstStart(db, passwords, { ...told, dataDirectory, isTerminal: false });
  const file = join(dataDirectory, 'initial-password');

  expect(await start()).toEqual({ account: 'admin', password: undefined, passwordFile: file, problem: undefined });
  expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{19}\n$/);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  finishFirstStart(dataDirectory);

  await start();
  expect(existsSync(file)).toBe(true);
  await db.asPlatform('a test changes the password', () => queryRows(db, sql`update user_account set password_expired = false where account = 'admin'`));
  await start();
  expect(existsSync(file)).toBe(false);
});

test('a file that cannot be written is reported, and the password is nowhere', async () => {
  const dataDirectory = join(mkdtempSync(join(tmpdir(), 'marquee-first-')), 'file');
  onTestFinished(() => rmSync(join(dataDirectory, '..'), { recursive: true }));
  writeFileSync(dataDirectory, '');
  const db = await testDatabase({ kernelMigrations });
  const shown = await seedFirstStart(db, passwords, { ...told, dataDirectory, isTerminal: false });
  expect(shown).toEqual({ account: 'admin', password: undefined, passwordFile: undefined, problem: expect.stringMatching(/EEXIST|ENOTDIR/) });
});
