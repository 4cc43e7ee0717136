/**
 * Implements `npm run docs`: builds the documentation as a site in `dist/docs`, for any web server, with a search that needs no network. It includes a page for the
 * contract of each plugin.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeContractPages } from './docs/contract-pages.mjs';
import { runNpm } from './npm.mjs';
import { root, run } from './prepare.mjs';

const builder = join(root, 'node_modules/.cache/marquee/docs');
const command = join(builder, 'node_modules/@rspress/core/bin/rspress.js');
if (!existsSync(command)) {
  mkdirSync(builder, { recursive: true });
  cpSync(join(root, 'scripts/docs/package.json'), join(builder, 'package.json'));
  await runNpm(['install', '--prefix', builder], { cwd: root });
}
// The pages of plugins are written beside a copy of the documentation.
const site = join(root, 'node_modules/.cache/marquee/site');
rmSync(site, { recursive: true, force: true });
cpSync(join(root, 'docs'), site, { recursive: true });
await writeContractPages(join(site, 'api/plugins'));
run(process.execPath, [command, 'build', '--config', join(root, 'scripts/docs/rspress.config.ts')]);
console.log('The site is in dist/docs.');
