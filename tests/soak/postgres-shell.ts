import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from '@playwright/test';
import { postgresBinaries } from '../../scripts/test-services.mjs';

const isRoot = process.getuid?.() === 0;

/** A folder for clusters of PostgreSQL, and a shell with its programs for the user that runs them, who may not be root. */
export class PostgresShell {
  /** True where there is a shell and the programs of PostgreSQL. */
  static readonly exists = process.platform !== 'win32' && postgresBinaries() !== undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee-clusters-'));

  constructor(private readonly variables: (folder: string) => Readonly<Record<string, string>>) {
    chmodSync(this.folder, 0o755);
    if (isRoot) spawnSync('chown', ['-R', 'postgres', this.folder]);
  }

  /** Runs commands, which must succeed. */
  run(commands: string, variables: Readonly<Record<string, string>> = {}): void {
    const env = { PATH: [postgresBinaries(), process.env.PATH].join(delimiter), ...this.variables(this.folder), ...variables };
    const [program, ...parameters] = isRoot ? ['runuser', '-u', 'postgres', '--', 'sh', '-ec', commands] : ['sh', '-ec', commands];
    const { status, stderr } = spawnSync(program as string, parameters, { cwd: this.folder, env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    expect({ commands, status, stderr: status === 0 ? '' : stderr }).toEqual({ commands, status: 0, stderr: '' });
  }

  /** Stops the clusters in these folders, if they run, and removes everything. */
  discard(...clusters: readonly string[]): void {
    for (const cluster of clusters) this.run(`pg_ctl --pgdata='${cluster}' --mode=immediate stop || true`);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
