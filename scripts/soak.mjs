/**
 * Implements `npm run soak`: runs the long tests of `tests/soak` with the built product and a real browser and writes `docs/soak.md`. Arguments select single files;
 * the other sections stay.
 */
import { join } from 'node:path';
import { measuredRows, writeFigures } from './figures-page.mjs';
import { ensureBuilt, ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser, findMariadb, findPostgres } from './test-services.mjs';

process.chdir(root);
await ensureInstalled();
ensureBuilt();

const postgres = await findPostgres();
const mariadb = await findMariadb();
const databases = { ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}), ...(mariadb ? { TEST_MYSQL_URL: mariadb.url } : {}) };

const command = [packageCommand('@playwright/test'), 'test', '--workers', '1', ...process.argv.slice(2)];
const measured = measuredRows(command, { ...databases, SOAK: '1', CHROMIUM_PATH: findBrowser() }, 'SOAK_REPORT');
postgres?.stop();
mariadb?.stop();

const head = `# Soak

Made with \`npm run soak\`. Figures of a browser are measured after a garbage collection, the first one after a warm-up that loads all code.
Chromium runs without its compilers (\`--jitless\`), because machine code grows with use and would hide leaks.`;
const text = (figure = '') => figure.toLocaleString('en');
writeFigures(join(root, 'docs/soak.md'), head, measured, (rows) => [
  '| what | before | after | bound |',
  '| --- | --- | --- | --- |',
  ...rows.map(({ what, before, after, bound, kept }) => `| ${what} | ${text(before)} | ${text(after)} | ${text(bound)}${kept ? '' : ' **missed**'} |`),
]);
