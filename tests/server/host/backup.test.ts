import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { postgresBinaries } from '../../../scripts/test-services.mjs';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { documentedCommands } from '../../support/documented-commands.ts';
import { onServer, preparedTemplate, serverUrl } from '../../support/test-database.ts';
import { openTestServer } from '../../support/test-server.ts';

const [dump = '', restore = '', copy = '', putBack = ''] = documentedCommands('Other ways');

/** Runs commands of the page exactly as they are written there. */
function run(commands: string, folder: string, environment: Readonly<Record<string, string>>): void {
  const PATH = [postgresBinaries(), process.env.PATH].filter(Boolean).join(delimiter);
  execFileSync('sh', ['-ec', commands], { cwd: folder, env: { ...process.env, ...environment, PATH } });
}

interface Contents {
  readonly accounts: unknown[];
  /** Rows of each table, before a server has started on them or after it has stopped. */
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
}

/** Counts the rows of every table, before a server has started on them or after it has stopped. */
const rowCounts = (db: Database): Promise<Readonly<Record<string, number>>> =>
  db.asPlatform('a test compares a restored database with what was backed up', async () => {
    const named = await queryRows<{ name: string }>(db, sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`);
    if (named.length === 0) return {};
    const counts = named.map(({ name }) => `select '${name}' as name, count(*)::integer as count from "${name}"`);
    const rows = await queryRows<{ name: string; count: number }>(db, sql.raw(counts.join(' union all ')));
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  });

/** Signs in and returns the accounts and the number of rows of each table. The last count is made once nothing writes any more, log entries included. */
async function contents(open: () => Promise<Database>, make?: string): Promise<Contents> {
  const db = await open();
  const before = await rowCounts(db);
  const accounts = await signedInAccounts(db, make);
  await db.close();
  const closed = await open();
  const after = await rowCounts(closed);
  await closed.close();
  return { accounts, before, after };
}

async function signedInAccounts(db: Database, make?: string): Promise<unknown[]> {
  const server = await openTestServer({ db });
  try {
    if (make !== undefined) {
      await server.createTenant('000700');
      await server.createUser({ account: make, tenantId: '000700' });
    }
    await server.signIn();
    await server.signIn('warden', '000700');
    return await server.sql('select tenant_id, account from user_account order by tenant_id, account');
  } finally {
    await server.stop();
  }
}

const everybody = [
  { tenant_id: '000000', account: 'admin' },
  { tenant_id: '000700', account: 'warden' },
];

/** Asserts that every row is restored, including those that exist once per deployment, and that a server starts on them. */
function expectRestored(old: Contents, restored: Contents): void {
  expect([old.accounts, restored.accounts]).toEqual([everybody, everybody]);
  expect(restored.before).toEqual(old.after);
  for (const table of ['user_account', 'tenant', 'role', 'menu', 'client', 'session']) expect(old.after[table], table).toBeGreaterThan(0);
}

test.skipIf(!serverUrl)(
  'a PostgreSQL is dumped with the documented login, and restored into an empty database where users can sign in',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-backup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const login = `office_${randomBytes(4).toString('hex')}`;
    await onServer(serverUrl ?? '', `create role ${login} login password 'hush'`);
    await onServer(serverUrl ?? '', `do $$ begin create role marquee_tenant nologin; exception when duplicate_object then null; end $$`);
    await onServer(serverUrl ?? '', `grant marquee_tenant to ${login}`);
    const databases = [`${login}_old`, `${login}_new`];
    onTestFinished(async () => {
      for (const name of databases) await onServer(serverUrl ?? '', `drop database if exists ${name} with (force)`);
      await onServer(serverUrl ?? '', `drop role ${login}`);
    });
    for (const name of databases) await onServer(serverUrl ?? '', `create database ${name} owner ${login}`);
    const [DATABASE_URL = '', NEW_DATABASE_URL = ''] = databases.map((name) => {
      const url = new URL(serverUrl ?? '');
      return Object.assign(url, { username: login, password: 'hush', pathname: `/${name}` }).href;
    });
    const open = (url: string) => () => openDatabase({ url, timeZone: 'Asia/Shanghai' });
    const old = await contents(open(DATABASE_URL), 'warden');
    run(dump, folder, { DATABASE_URL });
    run(restore, folder, { NEW_DATABASE_URL });
    expectRestored(old, await contents(open(NEW_DATABASE_URL)));
  },
  120_000,
);

test.skipIf(serverUrl !== undefined || process.platform === 'win32')(
  'an embedded database is copied, and restored so that users can sign in',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-backup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const places = { DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'backup') };
    const template = await preparedTemplate(kernelMigrations);
    const open = () => openDatabase({ dataDirectory: join(places.DATA_DIR, 'database'), timeZone: 'Asia/Shanghai', template });
    const old = await contents(open, 'warden');
    run(copy, folder, places);
    rmSync(places.DATA_DIR, { recursive: true });
    run(putBack, folder, places);
    expectRestored(old, await contents(open));
  },
  120_000,
);
