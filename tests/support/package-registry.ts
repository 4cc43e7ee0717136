import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnNpm } from '../../scripts/npm.mjs';
import { sparePort } from '../../scripts/port.mjs';

const root = join(import.meta.dirname, '../..');
const installed = join(root, 'node_modules/.cache/marquee/registry');

/** A registry on this machine, an independent one: it has the packages that tests publish, and gets all others from the registry that npm is set to. */
export class PackageRegistry {
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee-registry-'));
  address = '';
  private process: ChildProcess | undefined;

  async start(): Promise<void> {
    install();
    const port = await sparePort();
    this.address = `http://127.0.0.1:${port}/`;
    const own = ['@marquee/*', 'create-marquee-plugin', 'marquee-plugin-*'];
    const rules = own.map((name) => `  '${name}':\n    access: $all\n    publish: $all\n`).join('');
    const upstream = spawnNpm(['config', 'get', 'registry'], { cwd: root }).stdout.trim();
    writeFileSync(
      join(this.folder, 'config.yaml'),
      `storage: ./storage\nuplinks:\n  npm:\n    url: ${upstream}\n    timeout: 60s\n    max_fails: 20\npackages:\n${rules}  '**':\n    access: $all\n    proxy: npm\nlog: { type: stdout, level: warn }\n`,
    );
    const command = join(installed, 'node_modules/verdaccio/bin/verdaccio');
    this.process = spawn(process.execPath, [command, '--config', join(this.folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`], { stdio: 'ignore' });
    for (let tries = 0; tries < 120; tries += 1) {
      if ((await fetch(`${this.address}-/ping`).catch(() => undefined))?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('The registry of packages did not start in a minute.');
  }

  /** Environment in which npm uses this registry. */
  get environment(): Record<string, string> {
    return { npm_config_registry: this.address, [`npm_config_//${this.address.slice(7)}:_authToken`]: 'any', npm_config_cache: join(this.folder, 'cache') };
  }

  publish(file: string): void {
    const { status, stderr } = spawnNpm(['publish', file, '--access', 'public'], { cwd: this.folder, env: { ...process.env, ...this.environment } });
    if (status !== 0) throw new Error(`${file} was not published: ${stderr}`);
  }

  discard(): void {
    this.process?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Installs the registry itself unless an earlier run has. */
function install(): void {
  if (existsSync(join(installed, 'node_modules/verdaccio/package.json'))) return;
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'tests/support/registry/package.json'), join(installed, 'package.json'));
  const { status, stderr } = spawnNpm(['install', '--prefix', installed], { cwd: installed });
  if (status !== 0) throw new Error(`The registry of packages could not be installed: ${stderr}`);
}
