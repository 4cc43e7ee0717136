import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from '@rstest/core';
import { type Configuration, readConfiguration } from '../../src/server/base/configuration/configuration.ts';
import { type Database, openDatabase } from '../../src/server/data/index.ts';
import { type BackupDeps, makeBackup } from '../../src/server/host/backup/make-backup.ts';
import { type RestoreRequest, restoreBackup } from '../../src/server/host/backup/restore-backup.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import type { BackupRequest } from '../../src/server/platform/backup/backup-report.ts';
import { onServer, preparedTemplate, serverUrl } from './test-database.ts';
import { openTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** Engines that the tests of this run have; with a server they restore from each into the other. */
export const engines: readonly Database['engine'][] = serverUrl ? ['postgres', 'embedded'] : ['embedded'];

/** A plugin with a double-entry ledger, a trigger that must not run in a restore, and a column of each kind. */
export const bank: InstalledPlugin = {
  plugin: { id: 'bank', title: ['银行', 'Bank'] },
  migrations: {
    '0001-bank.sql': `
      create table bank_account (
        id bigint generated always as identity primary key, owner text not null, balance bigint not null default 0,
        doubled bigint generated always as (balance * 2) stored
      );
      call secure_rows('bank_account');
      insert into bank_account (owner) values ('ours'), ('theirs');
      create table bank_entry (
        id bigint generated always as identity primary key, pair bigint not null, account_id bigint not null references bank_account,
        before_id bigint references bank_entry, amount bigint not null
      );
      call secure_rows('bank_entry');
      create function add_balance() returns trigger language plpgsql as $$
      begin
        update bank_account set balance = balance + new.amount where id = new.account_id;
        return null;
      end $$;
      create trigger add_balance after insert on bank_entry for each row execute function add_balance();
      create table bank_note (
        id integer primary key, words text, bytes bytea, nothing jsonb, deep jsonb, numbers integer[], ratio double precision, price numeric(20, 6),
        fixed char(5), span interval, born date, seen timestamptz, place inet, flag boolean, "Odd ""name" varchar(8)
      );
      call secure_rows('bank_note');`,
  },
};

/** A deployment of its own: an embedded database in a folder, or a database with the documented login of its own. */
export class BackupDeployment {
  readonly configuration: Configuration;
  private readonly servers: TestServer[] = [];

  private constructor(
    readonly engine: Database['engine'],
    readonly directory: string,
    readonly environment: Readonly<Record<string, string>>,
  ) {
    this.configuration = readConfiguration(environment);
  }

  /** Creates an empty deployment; it is removed when the test ends. */
  static async create(engine: Database['engine'], settings: Readonly<Record<string, string>> = {}): Promise<BackupDeployment> {
    const directory = mkdtempSync(join(tmpdir(), 'marquee-backup-'));
    const database = engine === 'postgres' ? await createOwnDatabase() : undefined;
    const environment = {
      NODE_ENV: 'test',
      DATA_DIR: join(directory, 'data'),
      SECRET_KEY: 'the key of the deployment that is backed up',
      CLIENT_SECRET: 'sryx_its_own_one_7261',
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      ...settings,
    };
    const deployment = new BackupDeployment(engine, directory, environment);
    onTestFinished(async () => {
      for (const server of deployment.servers) await server.stop();
      await database?.drop();
      rmSync(directory, { recursive: true, force: true });
    });
    return deployment;
  }

  get dataDirectory(): string {
    return this.configuration.dataDirectory;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** Opens the database; a new one has the kernel's tables at once. */
  async open(): Promise<Database> {
    const { databaseUrl: url, dataDirectory } = this.configuration;
    if (url !== undefined) return openDatabase({ url, timeZone: 'Asia/Shanghai' });
    return openDatabase({ dataDirectory: join(dataDirectory, 'database'), timeZone: 'Asia/Shanghai', template: await preparedTemplate(kernelMigrations) });
  }

  /** Starts a server; it stops with the test, or by `stop`. */
  async start(plugins: TestServerOptions['plugins'] = [bank], options: Pick<TestServerOptions, 'timeScale'> = {}): Promise<TestServer> {
    const db = await this.open();
    const { DATABASE_URL: databaseUrl, ...environment } = this.environment;
    const server = await openTestServer({ ...options, db, plugins, databaseUrl, environment: { ...environment, CLIENT_SECRET: '' } });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= server.stop().then(() => db.close()));
    const stoppable = { ...server, stop };
    this.servers.push(stoppable);
    return stoppable;
  }

  backup(path: string, request: Partial<BackupRequest> = {}) {
    return this.backupOf([bank], { path, isVerified: false, ...request });
  }

  /** Makes a backup with a build that has these plugins. */
  backupOf(installed: readonly InstalledPlugin[], request: BackupRequest) {
    return makeBackup({ configuration: this.configuration, installed, notify: () => undefined }, request);
  }

  restore(path: string, request: Partial<RestoreRequest> = {}, deps: Partial<BackupDeps> = {}) {
    const whole = { path, isVerifying: false, leavesOutUnknown: false, ...request };
    return restoreBackup({ configuration: this.configuration, installed: [bank], notify: () => undefined, ...deps }, whole);
  }
}

/** Creates an empty database whose owner has no other rights than the documented ones. */
async function createOwnDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = serverUrl ?? '';
  const name = `office_${randomBytes(4).toString('hex')}`;
  await onServer(server, `do $$ begin create role marquee_tenant nologin; exception when duplicate_object then null; end $$`);
  await onServer(server, `create role ${name} login password 'hush'`);
  await onServer(server, `grant marquee_tenant to ${name}`);
  await onServer(server, `create database ${name} owner ${name}`);
  const drop = async () => {
    await onServer(server, `drop database ${name} with (force)`);
    await onServer(server, `drop role ${name}`);
  };
  return { url: Object.assign(new URL(server), { username: name, password: 'hush', pathname: `/${name}` }).href, drop };
}
