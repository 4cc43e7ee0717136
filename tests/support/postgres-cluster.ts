import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sparePort } from '../../scripts/port.mjs';
import { postgresBinaries } from '../../scripts/test-services.mjs';

const asRoot = process.getuid?.() === 0;

/** Runs a PostgreSQL program as another user than root; throws with its output if it fails. */
export function postgresProgram(name: string, args: readonly string[], folder = tmpdir(), environment: Readonly<Record<string, string>> = {}): string {
  const path = join(postgresBinaries() ?? '', name);
  const [program, ...rest] = asRoot ? ['runuser', '-u', 'postgres', '--', path, ...args] : [path, ...args];
  const { status, stdout, stderr } = spawnSync(program as string, rest, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    stdio: ['ignore', name === 'pg_ctl' ? 'ignore' : 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return stdout ?? '';
}

/** PostgreSQL of a single test, which may kill it. */
export class PostgresCluster {
  private constructor(
    private readonly home: string,
    readonly port: number,
    /** True if each commit waits for the disk, as in production. */
    private readonly isDurable = false,
  ) {}

  static async make(isDurable = false): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(temporaryHome(), await sparePort(), isDurable);
    postgresProgram('initdb', ['-D', cluster.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], cluster.home);
    cluster.start();
    return cluster;
  }

  /** Creates a standby that replicates this server. */
  async standby(): Promise<PostgresCluster> {
    const standby = new PostgresCluster(temporaryHome(), await sparePort());
    postgresProgram(
      'pg_basebackup',
      ['-D', standby.data, '-R', '--no-sync', '-c', 'fast', '-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'],
      standby.home,
    );
    standby.start();
    return standby;
  }

  get url(): string {
    return this.urlAt(this.port);
  }

  urlAt(port: number): string {
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Starts the server. Shared memory is mapped from the data folder, so a killed server leaves nothing behind. */
  start(): void {
    const options = `-p ${this.port} -k ${this.home} -c listen_addresses=127.0.0.1 ${this.isDurable ? '' : '-c fsync=off -c full_page_writes=off '}-c restart_after_crash=off -c dynamic_shared_memory_type=mmap`;
    postgresProgram('pg_ctl', ['-D', this.data, '-w', '-o', options, '-l', join(this.home, 'log'), 'start'], this.home);
  }

  /** Sends SIGKILL to the postmaster; its child processes end when they notice. */
  kill(): void {
    process.kill(Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  }

  promote(): void {
    postgresProgram('pg_ctl', ['-D', this.data, '-w', 'promote'], this.home);
  }

  remove(): void {
    try {
      postgresProgram('pg_ctl', ['-D', this.data, '-m', 'immediate', '-w', 'stop'], this.home);
    } catch {
      // The test has stopped it already.
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.home, 'data');
  }
}

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'marquee-cluster-'));
  if (asRoot) spawnSync('chown', ['postgres', home]);
  chmodSync(home, 0o755);
  return home;
}
