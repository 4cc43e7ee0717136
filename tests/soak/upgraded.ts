import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { sparePort } from '../../scripts/port.mjs';
import { findReverseProxy } from '../../scripts/test-services.mjs';
import { adminPassword, Client, Product } from '../journeys/product.ts';
import { ownDatabase, runOn } from './own-database.ts';

/** Result of two upgrades under load, to this version and back. */
export interface Upgraded {
  readonly migrations: number;
  readonly answered: number;
  readonly written: number;
  /** Rows that were acknowledged and are not in the database. */
  readonly lost: number;
  readonly failures: readonly string[];
  /** Duration of the longest request in milliseconds. */
  readonly longest: number;
}

const root = process.cwd();
const clients = 6;
const drainSeconds = 3;
/** Commit of the previous version: the one of `UPGRADE_FROM`, the latest tag, or the fiftieth before this. */
const previous = () => process.env.UPGRADE_FROM ?? (git('describe', '--tags', '--abbrev=0', 'HEAD^') || 'HEAD~50');
const git = (...parameters: string[]) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' }).stdout.trim();

/** Replaces two servers of the previous version one by one with those of this one and then back, behind HAProxy, while clients read and write. */
export async function upgradeUnderLoad(): Promise<Upgraded> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-upgrade-'));
  const database = await freshDatabase(process.env.TEST_DATABASE_URL ?? '');
  const ports = await Promise.all([1, 2, 3, 4].map(() => sparePort()));
  const balancer = await startBalancer(folder, ports);
  const environment = {
    DATABASE_URL: database.url,
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: randomBytes(36).toString('base64'),
    DRAIN_SECONDS: String(drainSeconds),
    TRUST_PROXY: '1',
    // The two versions may differ in their plugins.
    ROLLING_CHANGE: 'plugins',
  };
  const from = buildPrevious(folder);
  const server = (place: number, version: string) =>
    new Product({ ...environment, PORT: String(ports[place]), CONSOLE_DIR: join(version, 'dist/console') }, [
      join(version, 'scripts/serve.mjs'),
      join(version, 'dist/server/main.js'),
    ]);
  const [old, next] = [
    [server(0, from), server(1, from)],
    [server(2, root), server(3, root)],
  ] as const;
  const load = new Load(balancer.address);
  try {
    for (const one of old) await one.start();
    await pause(1000);
    const before = await database.migrations();
    await load.begin();
    await pause(3000);
    const reader = database.readFor(8000);
    await replace(old, next);
    await reader;
    const migrations = (await database.migrations()) - before;
    await replace(next, old);
    await pause(3000);
    await load.end();
    return { migrations, ...load.result, lost: await database.missing(load.acknowledged) };
  } finally {
    await load.end();
    for (const one of [...old, ...next]) await one.discard();
    balancer.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}

/** Starts servers and stops as many others, one by one. */
async function replace(running: readonly Product[], by: readonly Product[]): Promise<void> {
  for (const [place, next] of by.entries()) {
    await next.start();
    // Until the load balancer has seen it.
    await pause(1500);
    await running[place]?.stop();
  }
}

/** Builds the previous version in a work tree and returns its folder. */
function buildPrevious(folder: string): string {
  const tree = join(folder, 'previous');
  const run = (cwd: string, command: string, ...parameters: string[]) => {
    const { status, stderr } = spawnSync(command, parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}:\n${stderr}`);
  };
  run(root, 'git', 'worktree', 'add', '--detach', tree, previous());
  const lock = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8');
  if (lock(tree) === lock(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
  else run(tree, 'npm', 'ci', '--no-audit', '--no-fund');
  run(tree, process.execPath, 'scripts/build.mjs', '--manifest', 'plugins.manifest.json', '--output', 'dist');
  return tree;
}

/** Starts a HAProxy that checks the readiness of each server. */
async function startBalancer(folder: string, ports: readonly number[]) {
  const program = findReverseProxy('haproxy');
  if (program === undefined) throw new Error('The upgrade needs HAProxy: install Debian’s package haproxy.');
  const port = await sparePort();
  const file = join(folder, 'haproxy.cfg');
  const servers = ports.map((one) => `  server at-${one} 127.0.0.1:${one} check inter 300ms fall 1 rise 1`);
  writeFileSync(
    file,
    `${[
      'defaults',
      '  mode http',
      '  option forwardfor',
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend console',
      `  bind 127.0.0.1:${port}`,
      '  default_backend servers',
      'backend servers',
      '  option httpchk GET /health/ready',
      ...servers,
    ].join('\n')}\n`,
  );
  const running: ChildProcess = spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
  return { address: `http://127.0.0.1:${port}`, stop: () => running.kill('SIGKILL') };
}

/** Clients that read lists and write rows one after the other, until they are stopped. */
class Load {
  readonly acknowledged: string[] = [];
  private readonly failures: string[] = [];
  private answered = 0;
  private longest = 0;
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly address: string) {}

  get result(): Pick<Upgraded, 'answered' | 'written' | 'failures' | 'longest'> {
    return { answered: this.answered, written: this.acknowledged.length, failures: this.failures, longest: this.longest };
  }

  async begin(): Promise<void> {
    const token = await signIn(this.address);
    this.running = Promise.all(Array.from({ length: clients }, (_, index) => this.work(new Client(this.address, token), index)));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async work(client: Client, index: number): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const paramKey = `soak.${index}.${count}`;
      const param = { paramName: paramKey, paramKey, paramValue: String(count) };
      if (await this.timed(paramKey, () => client.post('/api/blade-system/param/submit', param))) this.acknowledged.push(paramKey);
      for (const path of ['/api/blade-system/param/list', '/api/oms-system/role/list', '/api/things-task/weixinpay/list'])
        await this.timed(path, () => client.get(path, { size: 10 }));
      await pause(20);
    }
  }

  private async timed(what: string, send: () => ReturnType<Client['get']>): Promise<boolean> {
    const begin = performance.now();
    const failure = await send().then(
      ({ code, msg }) => (code === 200 ? undefined : `${code} ${msg}`),
      (error: unknown) => String((error as Error).cause ?? error),
    );
    this.longest = Math.max(this.longest, performance.now() - begin);
    this.answered += 1;
    if (failure !== undefined) this.failures.push(`${new Date().toISOString()} ${what}: ${failure}`);
    return failure === undefined;
  }
}

async function signIn(address: string): Promise<string> {
  const reply = await fetch(`${address}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', tenantId: '000000', username: 'admin', password: adminPassword }),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** Creates a database of its own and connects to it. */
async function freshDatabase(server: string) {
  const { url, drop } = await ownDatabase(server);
  return {
    url,
    migrations: async () => Number((await runOn(url, 'select count(*) as count from schema_migration'))[0]?.count),
    /** Holds a reading transaction open on tables that migrations change, as a long export does. */
    async readFor(milliseconds: number): Promise<void> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('begin; select count(*) from role; select count(*) from payout; select count(*) from param');
      await pause(milliseconds);
      await client.end();
    },
    missing: async (keys: readonly string[]) =>
      keys.length - Number((await runOn(url, 'select count(*) as count from param where param_key = any($1)', [keys]))[0]?.count),
    drop,
  };
}
