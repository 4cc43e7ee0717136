/** `npm run soak`: what only shows after a long time (`tests/soak`), with the built product and a real browser; writes `docs/soak.md`. Name files to run some alone: the other sections stay. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser, findMariadb, findPostgres } from './test-services.mjs';

process.chdir(root);
ensureInstalled();
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

const rows = existsSync(report)
  ? readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const target = join(root, 'docs/soak.md');
if (rows.length > 0) writeFileSync(target, page(existsSync(target) ? readFileSync(target, 'utf8') : ''));
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/** The page with each measured section renewed and the others kept. */
function page(former) {
  const head = `# Soak\n\nMade with \`npm run soak\`. Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}. Figures of a browser are read after it has collected its garbage, the
first after a warm-up that loads all code. Chromium runs without its compilers (\`--jitless\`): machine code grows with use and would hide what is kept.`;
  const sections = new Map([...former.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, title, body]) => [title, body.trim()]));
  for (const title of new Set(rows.map(({ section }) => section))) {
    const table = rows
      .filter(({ section }) => section === title)
      .map(({ what, before, after, bound, kept }) => `| ${what} | ${text(before)} | ${text(after)} | ${text(bound)}${kept ? '' : ' **missed**'} |`);
    sections.set(title, ['| what | before | after | bound |', '| --- | --- | --- | --- |', ...table].join('\n'));
  }
  return `${[head, ...[...sections].map(([title, body]) => `## ${title}\n\n${body}`)].join('\n\n')}\n`;
}

function text(figure = '') {
  return figure.toLocaleString('en');
}
