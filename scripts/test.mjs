/** `npm test`: everything, from a fresh clone: checks, both halves, the same server tests on PostgreSQL, the built product in a real browser. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, packageCommand, root } from './prepare.mjs';
import { findBrowser, findMariadb, findPostgres } from './test-services.mjs';

process.chdir(root);
ensureInstalled();
const browser = findBrowser();
const postgres = await findPostgres();
const mariadb = await findMariadb();
const others = mariadb ? { TEST_MYSQL_URL: mariadb.url } : {};
const reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));
const serverTests = ['run', '--project', 'server'];
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, with its suite and what was said of it: told again at the end, where it is read. */
const failures = [];

try {
  await checks([
    ['types', packageCommand('typescript'), '--checkers', '1'],
    ['formatting and boundaries', packageCommand('@biomejs/biome'), 'check', '--error-on-warnings'],
    ['dead code', packageCommand('knip')],
    ['the product is built', 'scripts/build.mjs'],
    ['the gallery is built', 'scripts/build.mjs', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery'],
  ]);
  suite('the console', '@rstest/core', ['run', '--project', 'console'], rstestOutcome);
  if (!mariadb) skip('data sources on MariaDB: none was found. Install MariaDB, or set TEST_MYSQL_URL.');
  // Every call of every plugin is made on the embedded database by the contract's tests and by journeys; the plugins' own tests and the calls at random run on one database, on PostgreSQL where there is one.
  const once = ['tests/plugins/**', 'tests/contract/isolation.test.ts'].flatMap((files) => ['--exclude', files]);
  suite('the server', '@rstest/core', [...serverTests, ...(postgres ? once : [])], rstestOutcome, others);
  if (postgres)
    suite('the server and its plugins on PostgreSQL', '@rstest/core', [...serverTests, 'tests/server', 'tests/contract', 'tests/plugins'], rstestOutcome, {
      TEST_DATABASE_URL: postgres.url,
      ...others,
    });
  else skip('the server on PostgreSQL: none was found. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.');
  suite('journeys in a browser', '@playwright/test', ['test'], playwrightOutcome, {
    CHROMIUM_PATH: browser,
    ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
  });
} finally {
  postgres?.stop();
  mariadb?.stop();
  rmSync(reports, { recursive: true, force: true });
}

if (failures.length) console.log(`\n── what failed\n${failures.join('\n')}`);
if (total.skipped) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;

/** Two at a time, told in their order. */
async function checks(all) {
  const waiting = [...all];
  const outcomes = new Map();
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [title, ...command] = next;
      outcomes.set(title, await outcomeOf(command));
    }
  };
  await Promise.all([lane(), lane()]);
  for (const [title] of all) {
    const { output, isPassed } = outcomes.get(title);
    console.log(`\n── ${title}`);
    process.stdout.write(output);
    total[isPassed ? 'passed' : 'failed'] += 1;
    if (!isPassed) failures.push(title);
  }
}

function outcomeOf(command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (status) => resolve({ output, isPassed: status === 0 }));
  });
}

function suite(title, name, args, read, environment = {}) {
  console.log(`\n── ${title}`);
  const report = join(reports, `${title.replace(/\W+/g, '-')}.json`);
  const clean = { ...process.env, NODE_ENV: 'test', DEBUG_PRINT_LIMIT: '0' };
  delete clean.TEST_DATABASE_URL;
  const { status } = spawnSync(process.execPath, [packageCommand(name), ...args], { stdio: 'inherit', env: { ...clean, ...environment, TEST_REPORT: report } });
  const { failed: told, ...counts } = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { failed: [], passed: 0, skipped: 0 };
  if (!told.length && (status !== 0 || counts.passed === 0)) told.push({ name: `ended with ${status} after ${counts.passed} tests`, message: '' });
  for (const key of Object.keys(counts)) total[key] += counts[key];
  total.failed += told.length;
  failures.push(...told.map(({ name, message }) => `${title} › ${name}\n  ${message.split('\n').slice(0, 12).join('\n  ')}`));
}

function skip(reason) {
  console.log(`\n── skipped: ${reason}`);
  total.skipped += 1;
}

/** A file that could not be read at all counts as one that failed. */
function rstestOutcome({ summary, files }) {
  const failed = files.flatMap(({ testPath, errors = [], results }) => [
    ...errors.map(({ message }) => ({ name: testPath, message })),
    ...results
      .filter(({ status }) => status === 'fail')
      .map(({ fullName, errors = [] }) => ({ name: `${testPath} › ${fullName}`, message: errors[0]?.message ?? '' })),
  ]);
  return { passed: summary.passedTests, failed, skipped: summary.skippedTests };
}

/** What passed at a second try is no pass. */
function playwrightOutcome({ stats, suites, errors }) {
  const specs = (all) => all.flatMap(({ specs: own = [], suites: inner = [] }) => [...own, ...specs(inner)]);
  const failed = specs(suites)
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title, tests }) => ({
      name: `${file} › ${title}`,
      message: tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))[0] ?? '',
    }));
  return { passed: stats.expected, failed: [...failed, ...errors.map(({ message }) => ({ name: 'journeys', message }))], skipped: stats.skipped };
}
