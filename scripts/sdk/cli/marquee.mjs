#!/usr/bin/env node
/** The command `marquee` in the folder of a plugin: runs the commands of the `@marquee/plugin` that is installed there. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const kit = findInstalled('@marquee/plugin');
if (!kit) {
  console.error('@marquee/plugin is not installed here. Go to the folder of the plugin and install its packages: npm install');
  process.exit(1);
}
const child = spawn(process.execPath, [join(kit, 'scripts/sdk/author.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

/** Returns the folder of a package that is installed in the working directory or above it. */
function findInstalled(name) {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
