/** `npm test`: everything, from a fresh clone: checks, both halves, the same server tests on PostgreSQL, the built product in a real browser. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser, findPostgres } from './test-services.mjs';

process.chdir(root);
ensureInstalled();
const browser = findBrowser();
const postgres = await findPostgres();
const reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  check('types', 'typescript', []);
  check('formatting and boundaries', '@biomejs/biome', ['check', '--error-on-warnings']);
  check('dead code', 'knip', []);
  suite('both halves', '@rstest/core', ['run'], rstestCounts);
  if (postgres)
    suite('the server on PostgreSQL', '@rstest/core', ['run', '--project', 'server', 'tests/server', 'tests/contract', 'tests/plugins'], rstestCounts, {
      TEST_DATABASE_URL: postgres.url,
    });
  else skip('the server on PostgreSQL: none was found. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.');
  ensureBuilt();
  suite('journeys in a browser', '@playwright/test', ['test'], playwrightCounts, {
    CHROMIUM_PATH: browser,
    ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
  });
} finally {
  postgres?.stop();
  rmSync(reports, { recursive: true, force: true });
}

console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed ? 1 : 0;

function check(title, name, args) {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(process.execPath, [packageCommand(name), ...args], { stdio: 'inherit' });
  total[status === 0 ? 'passed' : 'failed'] += 1;
}

function suite(title, name, args, countsOf, environment = {}) {
  console.log(`\n── ${title}`);
  const report = join(reports, `${title.replace(/\W+/g, '-')}.json`);
  const clean = { ...process.env, NODE_ENV: 'test', DEBUG_PRINT_LIMIT: '0' };
  delete clean.TEST_DATABASE_URL;
  const { status } = spawnSync(process.execPath, [packageCommand(name), ...args], { stdio: 'inherit', env: { ...clean, ...environment, TEST_REPORT: report } });
  const counts = existsSync(report) ? countsOf(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 };
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  if (status === 0 && counts.passed === 0) counts.failed = 1;
  for (const key of Object.keys(total)) total[key] += counts[key];
}

function skip(reason) {
  console.log(`\n── skipped: ${reason}`);
  total.skipped += 1;
}

function rstestCounts({ summary }) {
  return { passed: summary.passedTests, failed: summary.failedTests, skipped: summary.skippedTests };
}

function playwrightCounts({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}
