/**
 * Implements `npm run docs`: builds the documentation as a site in `dist/docs`, for any web server, with a search that needs no network. It includes a page for the
 * contract of each plugin.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeContractPages } from './docs/contract-pages.mjs';
import { runNpm } from './npm.mjs';
import { root, run } from './prepare.mjs';

const toolFolder = join(root, 'node_modules/.cache/marquee/docs');
const command = join(toolFolder, 'node_modules/@rspress/core/bin/rspress.js');
if (!existsSync(command)) {
  mkdirSync(toolFolder, { recursive: true });
  cpSync(join(root, 'scripts/docs/package.json'), join(toolFolder, 'package.json'));
  await runNpm(['install', '--prefix', toolFolder], { cwd: root });
}
// The pages of plugins are written beside a copy of the documentation.
const sourceFolder = join(root, 'node_modules/.cache/marquee/site');
rmSync(sourceFolder, { recursive: true, force: true });
cpSync(join(root, 'docs'), sourceFolder, { recursive: true });
await writeContractPages(join(sourceFolder, 'api/plugins'));
run(process.execPath, [command, 'build', '--config', join(root, 'scripts/docs/rspress.config.ts')]);
console.log('The site is in dist/docs.');
