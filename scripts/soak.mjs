/** `npm run soak`: what only shows after a long time (`tests/soak`), in a real browser; writes `docs/soak.md`. Name files to run some alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser } from './test-services.mjs';

process.chdir(root);
ensureInstalled();
ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'marquee-soak-'));
const report = join(folder, 'rows.jsonl');

const { status } = spawnSync(process.execPath, [packageCommand('@playwright/test'), 'test', '--workers', '1', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SOAK: '1', SOAK_REPORT: report, CHROMIUM_PATH: findBrowser() },
});

const rows = existsSync(report)
  ? readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
if (rows.length > 0) writeFileSync(join(root, 'docs/soak.md'), page());
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

function page() {
  const head = `# Soak\n\nMade with \`npm run soak\`. Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}. Each figure is read after the browser has collected its garbage, the
first after a warm-up that loads all code. Chromium runs without its compilers (\`--jitless\`): machine code grows with use and would hide what is kept.`;
  const sections = [...new Set(rows.map(({ section }) => section))].map((title) => {
    const table = rows
      .filter(({ section }) => section === title)
      .map(({ what, before, after, bound, kept }) => `| ${what} | ${text(before)} | ${text(after)} | ${text(bound)}${kept ? '' : ' **missed**'} |`);
    return [`## ${title}`, '', '| what | before | after | bound |', '| --- | --- | --- | --- |', ...table].join('\n');
  });
  return `${[head, ...sections].join('\n\n')}\n`;
}

function text(number) {
  return number.toLocaleString('en');
}
