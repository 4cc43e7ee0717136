/**
 * Implements `npm run soak`: runs the long tests of `tests/soak` with the built product and a real browser and writes `docs/soak.md`. Arguments select single files;
 * the other sections stay.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportedRows, writeFigures } from './figures-page.mjs';
import { ensureBuilt, ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser, findMariadb, findPostgres } from './test-services.mjs';

process.chdir(root);
await ensureInstalled();
ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'marquee-soak-'));
const report = join(folder, 'rows.jsonl');

const postgres = await findPostgres();
const mariadb = await findMariadb();
const databases = { ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}), ...(mariadb ? { TEST_MYSQL_URL: mariadb.url } : {}) };

const { status } = spawnSync(process.execPath, [packageCommand('@playwright/test'), 'test', '--workers', '1', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ...databases, SOAK: '1', SOAK_REPORT: report, CHROMIUM_PATH: findBrowser() },
});
postgres?.stop();
mariadb?.stop();

const head = `# Soak

Made with \`npm run soak\`. Figures of a browser are measured after a garbage collection, the first one after a warm-up that loads all code.
Chromium runs without its compilers (\`--jitless\`), because machine code grows with use and would hide leaks.`;
const text = (figure = '') => figure.toLocaleString('en');
writeFigures(join(root, 'docs/soak.md'), head, reportedRows(report), (rows) => [
  '| what | before | after | bound |',
  '| --- | --- | --- | --- |',
  ...rows.map(({ what, before, after, bound, kept }) => `| ${what} | ${text(before)} | ${text(after)} | ${text(bound)}${kept ? '' : ' **missed**'} |`),
]);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
