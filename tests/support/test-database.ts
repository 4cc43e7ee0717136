import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { MemoryFS } from '@electric-sql/pglite';
import { onTestFinished } from '@rstest/core';
import pg from 'pg';
import { findPackage } from '../../scripts/package-folder.mjs';
import { type Database, foundationMigrations, migrate, openDatabase, writeTemplate } from '../../src/server/data/index.ts';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import { isEveryPluginChecked } from './checked-plugins.ts';
import { DatabaseImage } from './database-image.ts';
import { databaseClosed, databaseOpened } from './open-databases.ts';

type Migrations = Readonly<Record<string, string>>;
type Installed = readonly Pick<InstalledPlugin, 'plugin' | 'migrations'>[];

interface TestDatabaseOptions {
  /** Plugins whose migrations run after the kernel's, in this order. On a PostgreSQL server templates are kept for lists that are used often. */
  readonly installed?: Installed;
  readonly kernelMigrations?: Migrations;
  /** SQL of one migration, for a table that only this test needs. */
  readonly migrations?: string;
  readonly timeZone?: string;
  readonly poolSize?: number;
}

/** Connection string of the PostgreSQL server for these tests; undefined selects the embedded one. */
export const serverUrl = process.env.TEST_DATABASE_URL;

/** Address of a pooler in transaction mode in front of that server, through which the tests then work: `127.0.0.1:6432`. */
const pooler = process.env.TEST_POOLER;

/** True if templates of databases contain plugins: on a server, and embedded while single plugins are checked, because few lists of plugins are used then. */
export const hasPluginTemplates = serverUrl !== undefined || !isEveryPluginChecked;

/** Creates a migrated database for one test: embedded in memory, or new on `TEST_DATABASE_URL`. It is removed when the test ends. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { db, drop } = await openTestDatabase(options);
  onTestFinished(drop);
  return db;
}

/** Creates a database like `testDatabase` for a whole file; the caller drops it. */
export async function openTestDatabase({
  installed = [],
  kernelMigrations = {},
  migrations,
  timeZone = 'Asia/Shanghai',
  poolSize = 10,
}: TestDatabaseOptions = {}): Promise<{
  db: Database;
  url: string | undefined;
  drop: () => Promise<void>;
}> {
  const url = serverUrl ? await freshDatabase(serverUrl, await preparedOn(serverUrl, kernelMigrations, installed)) : undefined;
  const db = await openDatabase({
    ...(url && pooler ? { url: Object.assign(new URL(url), { host: pooler }).href, directUrl: url } : { url }),
    timeZone,
    poolSize,
    template: url ? undefined : await preparedFiles(kernelMigrations, hasPluginTemplates ? installed : []),
  });
  db.encryption.setKey(new Uint8Array(32));
  const own = migrations === undefined ? [] : [{ plugin: { id: 'test', title: ['测试', 'Test'] as const }, migrations: { '0001-test.sql': migrations } }];
  await migrate(db, [...installed, ...own], kernelMigrations);
  databaseOpened(db);
  const drop = async () => {
    await db.close();
    databaseClosed(db);
    if (serverUrl && url) await asAdministrator(serverUrl, (client) => client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`));
  };
  return { db, url, drop };
}

/** Creates a database on the server, empty or from a template, and returns its connection string. */
export async function freshDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `marquee_test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(server, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return databaseOn(server, name);
}

function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a connection that all files of this process share, because opening one costs more than copying a database. */
async function asAdministrator(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  here.administrators ??= new Map();
  const administrators = here.administrators;
  const administrator = administrators.get(server) ?? { queue: Promise.resolve(), client: connected(server) };
  administrators.set(server, administrator);
  const done = administrator.queue.then(async () => void (await work(await administrator.client)));
  administrator.queue = done.catch(() => undefined);
  await done;
}

async function connected(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => here.administrators?.delete(server));
  try {
    await client.connect();
  } catch (error) {
    here.administrators?.delete(server);
    throw error;
  }
  // The process may end while the connection is open.
  (client as unknown as { unref(): void }).unref();
  return client;
}

/** Runs one statement on a connection of its own. */
export async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const templatePrefix = 'marquee_test_template_';

/** Number of plugins from which a list is worth a template at once, because all plugins together are started often. */
const longList = 20;

/**
 * Returns the name of a template database with the tables of the kernel and of these plugins; the first caller creates it, and it stays until its server is removed.
 * Most short lists are used once, so this process creates their template when it needs it again, and only on a server that ends with the run.
 */
async function preparedOn(server: string, kernelMigrations: Migrations, installed: Installed): Promise<string> {
  const name = `${templatePrefix}${hashOf(kernelMigrations, installed)}`;
  if (here.preparedOnServer?.has(name)) return name;
  const isShort = installed.length > 0 && installed.length < longList;
  if (isShort && (process.env.TEST_DATABASE_ENDS === undefined || !here.requestedLists?.has(name))) {
    here.requestedLists = new Set(here.requestedLists).add(name);
    return preparedOn(server, kernelMigrations, []);
  }
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await prepareOn(server, name, kernelMigrations, installed);
  } finally {
    await client.end();
  }
  here.preparedOnServer = new Set(here.preparedOnServer).add(name);
  return name;
}

async function prepareOn(server: string, name: string, kernelMigrations: Migrations, installed: Installed): Promise<void> {
  const url = await freshDatabase(server);
  const db = await openDatabase({ url, timeZone: 'UTC', poolSize: 1 });
  await migrate(db, installed, kernelMigrations);
  await db.close();
  await onServer(server, `alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
}

/** State shared by all test files in this process, each of which has modules of its own. */
const here = globalThis as {
  preparedDatabases?: Map<string, Promise<DatabaseImage>>;
  preparedOnServer?: Set<string>;
  requestedLists?: Set<string>;
  administrators?: Map<string, { queue: Promise<void>; client: Promise<pg.Client> }>;
};

/** Returns an embedded database with the tables of the kernel and of these plugins, created once per version of the engine and the migrations, and cached with the installed packages. */
async function preparedFiles(kernelMigrations: Migrations, installed: Installed): Promise<MemoryFS> {
  here.preparedDatabases ??= new Map();
  const images = here.preparedDatabases;
  const tables = hashOf(kernelMigrations, installed);
  const image = images.get(tables) ?? readImage(kernelMigrations, installed);
  images.set(tables, image);
  return (await image).files();
}

/** Returns the path of such a database, gzipped, as the template that `openDatabase` accepts. Its name contains a hash of all migrations in it. */
export async function preparedTemplate(kernelMigrations: Migrations, installed: Installed = []): Promise<string> {
  const packaged = await readFile(join(findPackage('@electric-sql/pglite', process.cwd()) ?? '', 'package.json'), 'utf8');
  const path = resolve(
    'node_modules/.cache/marquee',
    `pglite-${(JSON.parse(packaged) as { version: string }).version}-${hashOf(kernelMigrations, installed)}.tar.gz`,
  );
  if (!existsSync(path)) {
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    const base = installed.length > 0 ? await preparedFiles(kernelMigrations, []) : undefined;
    await writeTemplate(draft, (db) => migrate(db, installed, kernelMigrations), base);
    await rename(draft, path);
  }
  return path;
}

const readImage = async (kernelMigrations: Migrations, installed: Installed) =>
  new DatabaseImage(gunzipSync(await readFile(await preparedTemplate(kernelMigrations, installed))));

/** Identifies what migrations make; some of it is for the months that follow the current one. */
const hashOf = (kernelMigrations: Migrations, installed: Installed = []) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        new Date().toISOString().slice(0, 7),
        foundationMigrations,
        kernelMigrations,
        ...installed.map(({ plugin, migrations }) => [plugin.id, migrations]),
      ]),
    )
    .digest('hex')
    .slice(0, 12);
