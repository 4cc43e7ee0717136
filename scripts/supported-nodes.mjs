import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnNpm } from './npm.mjs';
import { root } from './prepare.mjs';

/** Node.js versions that the product is tested on; `engines` in package.json begins with the first. */
export const supportedNodes = ['20.19', '22', '24', '26'];

/** Returns the supported versions except that of this process. */
export const otherNodes = () => supportedNodes.filter((version) => !`${process.versions.node}.`.startsWith(`${version}.`));

/** Downloads the executable of a Node.js version, `{ version, path }`, from the npm registry; undefined where the registry has none for this machine. */
export function nodeBinary(line) {
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/marquee-nodes', line);
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    spawnNpm(['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${line}`], {
      cwd: folder,
    });
  }
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { version: stdout.trim().slice(1), path } : undefined;
}
