/** `npm test`: everything, from a fresh clone: checks, both halves, the same server tests on PostgreSQL, the built product in a real browser. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, incrementalTypes, packageCommand, root } from './prepare.mjs';
import { nodeBinary, otherNodes } from './supported-nodes.mjs';
import { TestReport } from './test-report.mjs';
import { findBrowser, findMariadb, findOtherBrowser, findPostgres } from './test-services.mjs';

process.chdir(root);
await ensureInstalled();
const report = new TestReport();
const browser = findBrowser();
const postgres = await findPostgres();
const mariadb = await findMariadb();
const databases = { ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}), ...(mariadb ? { TEST_MYSQL_URL: mariadb.url } : {}) };

try {
  await checks([
    ['types', packageCommand('typescript'), ...incrementalTypes, '--checkers', '1'],
    ['formatting and boundaries', packageCommand('@biomejs/biome'), 'check', '--error-on-warnings'],
    ['dead code', packageCommand('knip')],
    ['known vulnerabilities', 'scripts/audit.mjs'],
    ['the product is built', 'scripts/build.mjs'],
    ['the gallery is built', 'scripts/build.mjs', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery'],
  ]);
  report.rstest('the console', ['--project', 'console']);
  serverTests();
  journeys();
  if (process.env.CI) for (const line of otherNodes()) await onNode(line);
  else report.skip(`Node.js ${otherNodes().join(', ')}: where CI is set, the server, a start and a journey run on each.`);
} finally {
  postgres?.stop();
  mariadb?.stop();
}
report.close();

/** The server's tests on the embedded database, and on PostgreSQL where there is one. */
function serverTests() {
  if (!mariadb) report.skip('data sources on MariaDB: none was found. Install MariaDB, or set TEST_MYSQL_URL.');
  const { TEST_DATABASE_URL: _, ...embedded } = databases;
  // The contract's tests and the journeys make every call on the embedded database. What depends on neither runs on one: on PostgreSQL where there is one.
  const kernel = ['audit', 'auth', 'files', 'http', 'inbox', 'live', 'permission', 'preferences', 'sign-in-ways', 'views'];
  const files = ['tests/plugins/**', 'tests/contract/isolation.test.ts', ...kernel.map((folder) => `tests/server/${folder}/**`)];
  const once = files.flatMap((pattern) => ['--exclude', pattern]);
  report.rstest('the server', ['--project', 'server', ...(postgres ? once : [])], embedded);
  if (postgres)
    report.rstest('the server and its plugins on PostgreSQL', ['--project', 'server', 'tests/server', 'tests/contract', 'tests/plugins'], databases);
  else report.skip('the server on PostgreSQL: none was found. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.');
}

/** All journeys in one browser, and in CI a tenth of them, by turns, in another. */
function journeys() {
  const other = process.env.CI ? findOtherBrowser(browser) : undefined;
  if (!other)
    report.skip(`journeys in another browser than ${browser}: ${process.env.CI ? 'there is none.' : 'where CI is set, a tenth of them runs in one.'}`);
  report.playwright('journeys in a browser', [], {
    CHROMIUM_PATH: browser,
    ...(other ? { OTHER_CHROMIUM_PATH: other } : {}),
    ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
  });
}

/** Types, server tests, build, start and one journey on another Node.js. */
async function onNode(line) {
  const node = nodeBinary(line);
  if (!node) return report.check(`Node.js ${line}`, { output: `The registry has no executable for ${process.platform}-${process.arch}.\n`, isPassed: false });
  const title = (of) => `${of} on Node.js ${node.version}`;
  report.check(title('types'), await outcomeOf([packageCommand('typescript'), '--checkers', '1'], node.path));
  rmSync(join(root, 'dist/.built'), { force: true });
  report.check(title('build'), await outcomeOf(['scripts/build.mjs'], node.path));
  const { TEST_DATABASE_URL: _, ...embedded } = databases;
  report.rstest(title('the server'), ['--project', 'server'], embedded, node.path);
  report.playwright(title('start and a journey'), ['start.journey.ts', 'params.journey.ts'], { CHROMIUM_PATH: browser }, node.path);
}

/** Runs two commands at a time and reports them in their order. */
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
  for (const [title] of all) report.check(title, outcomes.get(title));
}

function outcomeOf(command, node = process.execPath) {
  return new Promise((resolve) => {
    const child = spawn(node, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (status) => resolve({ output, isPassed: status === 0 }));
  });
}
