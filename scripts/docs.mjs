/** Implements `npm run docs`: builds the documentation as a site in `dist/docs`, for any web server, with a search that needs no network. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.mjs';
import { root, run } from './prepare.mjs';

const maker = join(root, 'node_modules/.cache/marquee/docs');
const command = join(maker, 'node_modules/@rspress/core/bin/rspress.js');
if (!existsSync(command)) {
  mkdirSync(maker, { recursive: true });
  cpSync(join(root, 'scripts/docs/package.json'), join(maker, 'package.json'));
  await runNpm(['install', '--prefix', maker], { cwd: root });
}
run(process.execPath, [command, 'build', '--config', join(root, 'scripts/docs/rspress.config.ts')]);
console.log('dist/docs is the site.');
