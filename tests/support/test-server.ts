import { hash as digest } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hash } from '@node-rs/argon2';
import { onTestFinished } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins as deployed } from '#deployment/server';
import { menuGroups } from '#shared/menu-groups';
import { type Configuration, readConfiguration } from '../../src/server/base/configuration/configuration.ts';
import { secretKeysOf } from '../../src/server/base/configuration/secret-key.ts';
import { queryRows } from '../../src/server/data/database/rows.ts';
import type { Database } from '../../src/server/data/index.ts';
import { makeBackup as makeBackupHere } from '../../src/server/host/backup/make-backup.ts';
import { type BootedServer, boot } from '../../src/server/host/boot.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import type { InstalledPlugin, ServerPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import type { PluginHost } from '../../src/server/host/plugin-host/plugin-host.ts';
import { orderPlugins } from '../../src/server/host/plugin-host/plugin-order.ts';
import type { MakeBackup } from '../../src/server/platform/backup/backup-report.ts';
import { type App, createApp } from '../../src/server/platform/http/app.ts';
import { isChecked, isEveryPluginChecked } from './checked-plugins.ts';
import { hasPluginTemplates, openTestDatabase } from './test-database.ts';
import { testManifest } from './test-manifest.ts';

/** Options of a test server. */
export interface TestServerOptions {
  /** Plugins; ids name plugins of the deployment with their migrations. The harness of the kit adds their dependencies. */
  readonly plugins?: readonly (string | InstalledPlugin | ServerPlugin)[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Address of the database that backups of this server contain; by default the embedded one of its folder. */
  readonly databaseUrl?: string | undefined;
  /** Database of another replica to share. */
  readonly db?: Database;
  /** Client id of the console in the manifest; defaults to `sryx`. */
  readonly clientId?: string;
  /** Factor by which periodic work of the server and its plugins runs more often; 1 by default, because that work costs more than most tests. */
  readonly timeScale?: number;
  /** Origins whose pages the deployment embeds. */
  readonly frames?: readonly string[];
}

/** The whole server without a port; requests go through `app.inject`. */
export interface TestServer {
  readonly app: App;
  readonly db: Database;
  readonly host: PluginHost;
  /** Sends a request; the reply is the envelope with HTTP status and headers. */
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  /** Uploads one file as `multipart/form-data`, after the fields. */
  upload(path: string, file: { name: string; content: string | Uint8Array; fields?: Record<string, string> }, options?: RequestOptions): Promise<Reply>;
  /** Signs a user in (default `admin`) and returns the headers of the session, whose proof of identity stays fresh for as long as the test takes. */
  signIn(account?: string, tenantId?: string): Promise<Record<string, string>>;
  /** Creates a tenant with a role `admin`. */
  createTenant(tenantId: string): Promise<void>;
  /** Creates a user with one role that has the codes. */
  createUser(user: { account: string; codes?: readonly string[]; roleAlias?: string; tenantId?: string }): Promise<{ userId: string; roleId: string }>;
  /** Runs one statement as the platform, for what no call does yet; it is repeated if PostgreSQL rolls it back because work of the server locked the same rows. */
  sql(statement: string): Promise<Record<string, unknown>[]>;
  /** Handles an uncaught error of the process. */
  readonly strayError: BootedServer['strayError'];
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly code: number;
  readonly success: boolean;
  readonly msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the wire as a stranger would, without our types
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: bodies outside the envelope
  readonly body: any;
}

/** Disables rate limits, which separate tests cover. */
const unlimited = { TOKEN_RATE: '0', CAPTCHA_RATE: '0', OPEN_RATE: '0', CALL_RATE: '0' };

export const password = 'Evening-Lights-2026';
export const clientHeaders = { authorization: `Basic ${btoa('sryx:sryx_secret')}` };
export const testSecret = 'tests sign with this key and nobody else does';

/** Built server, from which the processes of contained plugins start. */
export const processModule = pathToFileURL(resolve('dist/server/plugin-process.js')).href;

/** Starts the server on a new database, embedded or on `TEST_DATABASE_URL`; everything ends with the test. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openTestServer(options);
  onTestFinished(server.stop);
  return server;
}

/** Starts a server like `testServer` for a whole file; the caller stops it. */
export async function openTestServer({
  plugins = [],
  environment = {},
  databaseUrl,
  db: shared,
  frames = [],
  clientId = 'sryx',
  timeScale = 1,
}: TestServerOptions = {}): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-test-'));
  const preset = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    CAPTCHA_MODE: 'off',
    ADMIN_PASSWORD: password,
    DATA_DIR: directory,
    // Tests put servers with different plugins on one database.
    ROLLING_CHANGE: 'plugins',
    ...unlimited,
  };
  const configuration = readConfiguration({ ...preset, ...environment });
  const installed = plugins.map(installedPlugin);
  // Many files start the same plugins of the deployment: their tables are made once.
  const prepared = hasPluginTemplates ? startedFirst(installed) : [];
  const own = shared ? undefined : await openTestDatabase({ kernelMigrations, installed: prepared });
  const db = shared ?? (own?.db as Database);
  const keys = secretKeysOf(configuration.secretKey ?? testSecret, ...configuration.secretKeyFallbacks);
  const manifest = { ...testManifest, frames, clientId };
  const app = await createApp(configuration, manifest);
  const makeBackup: MakeBackup = (request) =>
    makeBackupHere({ configuration: { ...configuration, ...(databaseUrl === undefined ? {} : { databaseUrl }) }, installed, notify: () => undefined }, request);
  const deps = { app, db, configuration, keys, manifest, installed, makeBackup, processModule, timeScale, menuGroups: Object.values(menuGroups) };
  const booted = await boot(deps).catch(async (error) => {
    await app.close();
    await own?.drop();
    throw error;
  });
  const call = caller(app, configuration);
  return {
    app,
    db,
    host: booted.host,
    strayError: booted.strayError,
    get: (path, request = {}) => call('GET', path, request),
    post: (path, body = {}, request = {}) => call('POST', path, { ...request, body }),
    upload: (path, file, request = {}) => {
      const { payload, type } = multipartOf(file);
      return call('POST', path, { ...request, body: payload, headers: { ...request.headers, 'content-type': type } });
    },
    signIn: async (account = 'admin', tenantId = '000000') => {
      const headers = await signedIn(call, account, tenantId);
      await statementOf(db, `update session set proven_at = now() + interval '1 day' where id = '${sessionIn(headers)}'`);
      return headers;
    },
    createTenant: (tenantId) =>
      db.asPlatform(
        'tests make tenants',
        async () => void (await db.sql.execute(sql`insert into tenant (tenant_id, tenant_name) values (${tenantId}, ${tenantId})`)),
      ),
    createUser: (user) => createUser(db, user),
    sql: (statement) => statementOf(db, statement),
    async stop() {
      await (shared ? booted.host.stop().then(() => app.close()) : booted.stop());
      await own?.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function installedPlugin(entry: string | InstalledPlugin | ServerPlugin): InstalledPlugin {
  if (typeof entry !== 'string') return settled('plugin' in entry ? entry : { plugin: entry, migrations: {} });
  const found = deployed.find(({ plugin: { id } }) => id === entry);
  if (!found) throw new Error(`No plugin "${entry}" in this deployment.`);
  return found;
}

/** Returns the plugins that start first and have the migrations of the deployment, up to one that is checked alone. Its migrations and those of a test may fail, which is the matter of the server. */
function startedFirst(installed: readonly InstalledPlugin[]): InstalledPlugin[] {
  const { ordered } = orderPlugins(installed.map(({ plugin }) => plugin));
  const entries = ordered.flatMap((plugin) => installed.filter((entry) => entry.plugin === plugin));
  const isDeployed = ({ migrations }: InstalledPlugin) => deployed.some((entry) => entry.migrations === migrations);
  const isJudged = ({ plugin }: InstalledPlugin) => !isEveryPluginChecked && isChecked(plugin.id);
  const end = entries.findIndex((entry) => !isDeployed(entry) || isJudged(entry));
  return end < 0 ? entries : entries.slice(0, end);
}

/** Gives a plugin that a test created again the options that the deployment sets for it. */
function settled({ plugin, migrations }: InstalledPlugin): InstalledPlugin {
  const options = plugin.options ?? deployed.find(({ plugin: { id } }) => id === plugin.id)?.plugin.options;
  return { plugin: options ? { ...plugin, options } : plugin, migrations };
}

type Call = (method: 'GET' | 'POST', path: string, request: RequestOptions & { body?: unknown }) => Promise<Reply>;

/** Sends requests to the public address of the deployment, as browsers do. */
function caller(app: App, { publicUrl, basePath }: Pick<Configuration, 'publicUrl' | 'basePath'>): Call {
  return async (method, path, { headers = {}, query = {}, body }) => {
    const payload = body === undefined ? {} : { payload: body as object };
    const reply = await app.inject({
      method,
      url: basePath + path,
      headers: { ...(publicUrl ? { host: publicUrl.host } : {}), ...headers },
      query: query as Record<string, string>,
      ...payload,
    });
    const parsed = /json/.test(String(reply.headers['content-type'])) ? reply.json() : { text: reply.body, bytes: reply.rawPayload };
    return { status: reply.statusCode, headers: reply.headers, code: parsed.code, success: parsed.success, msg: parsed.msg, data: parsed.data, body: parsed };
  };
}

function multipartOf({ name, content, fields = {} }: Parameters<TestServer['upload']>[1]): { payload: Buffer; type: string } {
  const boundary = '----marquee-test';
  const field = (disposition: string, value: string | Uint8Array) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ];
  const parts = [...Object.entries(fields).flatMap(([key, value]) => field(`name="${key}"`, value)), ...field(`name="file"; filename="${name}"`, content)];
  return { payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]), type: `multipart/form-data; boundary=${boundary}` };
}

async function signedIn(call: Call, username: string, tenantId: string): Promise<Record<string, string>> {
  const { body } = await call('POST', '/api/things-auth/oauth/token', {
    headers: clientHeaders,
    body: { grant_type: 'password', tenantId, username, password },
  });
  if (!body.access_token) throw new Error(`No token for ${username}: ${body.error_description}`);
  return { 'things-auth': `bearer ${body.access_token}` };
}

/** Returns the session of an access token. */
const sessionIn = (headers: Record<string, string>): string => JSON.parse(Buffer.from(headers['things-auth']?.split('.')[1] ?? '', 'base64url').toString()).sid;

/** Password hash of test users: made like the product's, at lower cost. The administrator's has the normal cost. */
const cheapHash = hash(digest('md5', password), { memoryCost: 8, timeCost: 1 });

async function createUser(
  db: Database,
  { account, codes = [], roleAlias = 'user', tenantId = '000000' }: Parameters<TestServer['createUser']>[0],
): Promise<{ userId: string; roleId: string }> {
  const kept = await cheapHash;
  return db.asPlatform('tests make users', async () => {
    const [ids] = (await db.sql.execute(sql`select next_id()::text as user, next_id()::text as role`)) as unknown as { user: string; role: string }[];
    const { user = '', role = '' } = ids ?? {};
    await db.sql.execute(sql`insert into role (id, tenant_id, role_name, role_alias) values (${role}, ${tenantId}, ${account}, ${roleAlias})`);
    await db.sql.execute(
      sql`insert into user_account (id, tenant_id, account, password_hash, name, real_name) values (${user}, ${tenantId}, ${account}, ${kept}, ${account}, ${account})`,
    );
    await db.sql.execute(sql`insert into user_role (tenant_id, user_id, role_id) values (${tenantId}, ${user}, ${role})`);
    if (codes.length > 0)
      await db.sql.execute(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${role}, id from menu where code in (select jsonb_array_elements_text(${JSON.stringify(codes)}::jsonb))`,
      );
    return { userId: user, roleId: role };
  });
}

async function statementOf(db: Database, statement: string, triesLeft = 5): Promise<Record<string, unknown>[]> {
  try {
    return await db.asPlatform('tests prepare and look at rows', () => queryRows(db, sql.raw(statement)));
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    if (code !== '40P01' || triesLeft === 0) throw error;
    return statementOf(db, statement, triesLeft - 1);
  }
}
