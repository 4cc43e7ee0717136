import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sparePort } from '../../scripts/port.mjs';
import { findPgbouncer } from '../../scripts/test-services.mjs';

/** Program of PgBouncer; undefined if it is not installed. */
export const pgbouncer = findPgbouncer();

/** Version of PgBouncer, such as `1.18`. */
export const pgbouncerVersion = (pgbouncer ? spawnSync(pgbouncer, ['--version'], { encoding: 'utf8' }).stdout : '').match(/\d+\.\d+/)?.[0] ?? '';

/** True if PgBouncer prepares named statements on each connection that it assigns. */
export const supportsPreparedStatements = Number(pgbouncerVersion.split('.')[1]) >= 21;

/** PgBouncer that a test starts in front of a PostgreSQL server. */
export class Pgbouncer {
  private readonly home = mkdtempSync(join(tmpdir(), 'marquee-pooler-'));
  private running: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly target: URL,
    mode: string,
    poolSize: number,
  ) {
    const users = join(this.home, 'users.txt');
    writeFileSync(users, `"${target.username}" "${target.password}"\n`);
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      auth_file: users,
      pool_mode: mode,
      default_pool_size: poolSize,
      max_client_conn: 500,
      ...(supportsPreparedStatements ? { max_prepared_statements: 200 } : {}),
      logfile: join(this.home, 'log'),
      pidfile: '',
    };
    const database = `* = host=${target.hostname} port=${target.port || 5432} user=${target.username}${target.password && ` password=${target.password}`}`;
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(this.home, 'pgbouncer.ini'), ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
    if (isRoot) spawnSync('chown', ['-R', 'postgres', this.home]);
  }

  /** Starts PgBouncer with a pool of `poolSize` connections for each pair of user and database. */
  static async open(serverUrl: string, mode: 'session' | 'transaction' | 'statement', poolSize = 30): Promise<Pgbouncer> {
    const pooler = new Pgbouncer(await sparePort(), new URL(serverUrl), mode, poolSize);
    await pooler.start();
    return pooler;
  }

  async start(): Promise<void> {
    // PgBouncer refuses to run as root.
    this.running = spawn(pgbouncer ?? '', [...(isRoot ? ['-u', 'postgres'] : []), join(this.home, 'pgbouncer.ini')], { stdio: 'ignore' });
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (await isListening(this.port)) return;
      await pause(50);
    }
    throw new Error(`PgBouncer does not accept connections on port ${this.port}.`);
  }

  kill(): void {
    this.running?.kill('SIGKILL');
  }

  /** Connection string of a database through this pooler. */
  addressOf(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    through.hostname = '127.0.0.1';
    return through.href;
  }

  /** Connection string of the database of its server. */
  get address(): string {
    return this.addressOf(this.target.href);
  }

  discard(): void {
    this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}

const isRoot = process.getuid?.() === 0;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
