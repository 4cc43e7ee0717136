/** Implements `npm test`: runs everything from a fresh clone: checks, both halves, the server tests on PostgreSQL, the built product in a real browser. */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepTemporaryFilesInMemory } from './memory-directory.mjs';
import { ensureInstalled, packageCommand, root, typeCheckArgs } from './prepare.mjs';
import { nodeBinary, otherNodes } from './supported-nodes.mjs';
import { TestReport } from './test-report.mjs';
import { shardOfTurn, turnOfDay } from './test-rotation.mjs';
import { findBrowser, findMariadb, findOtherBrowser, findPostgres } from './test-services.mjs';

process.chdir(root);
await ensureInstalled();
keepTemporaryFilesInMemory();
const report = new TestReport();
const browser = findBrowser();
const postgres = await findPostgres();
const mariadb = await findMariadb();
const databases = {
  ...(postgres ? { TEST_DATABASE_URL: postgres.url, ...(postgres.endsWithRun ? { TEST_DATABASE_ENDS: '1' } : {}) } : {}),
  ...(mariadb ? { TEST_MYSQL_URL: mariadb.url } : {}),
};

/** True if everything runs, which takes an hour in CI: all journeys, and the tests on the other versions of Node.js where CI is set. */
const isWhole = Boolean(process.env.CI) || process.argv.includes('--all');

/** Journeys through the daily work of each role. They run everywhere; the others run where everything runs. */
const dailyJourneys = [
  'addresses',
  'archive',
  'audit',
  'field-rules',
  'forms',
  'grants',
  'history',
  'partial-batch',
  'params',
  'payment',
  'sign-in',
  'table',
  'two-editors',
  'unsaved',
];

/** Builds what the journeys start in one command, which compiles the common parts once. */
const builds = ['--manifest', 'plugins.manifest.json', '--output', 'dist', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery'];

try {
  await checks([
    ['types', packageCommand('typescript'), ...typeCheckArgs, '--checkers', '1'],
    ['formatting and boundaries', packageCommand('@biomejs/biome'), 'check', '--error-on-warnings'],
    ['dead code', packageCommand('knip')],
    ['known vulnerabilities', 'scripts/audit.mjs'],
    ['the product and the gallery are built', 'scripts/build.mjs', ...builds],
  ]);
  bothHalves();
  journeys();
  if (process.env.CI) for (const [index, line] of otherNodes().entries()) await onNode(line, shardOfTurn(index, otherNodes().length, turnOfDay()));
  else report.skip(`Node.js ${otherNodes().join(', ')}: where CI is set, a share of the server tests, a start and a journey run on each.`);
} finally {
  postgres?.stop();
  mariadb?.stop();
}
report.close();

/**
 * Runs the tests of console and server. Tests of the database layer run on both databases, the other server tests on one, PostgreSQL if available. Journeys run on
 * the embedded database.
 */
function bothHalves() {
  if (!mariadb) report.skip('data sources on MariaDB: none was found. Install MariaDB, or set TEST_MYSQL_URL.');
  const { TEST_DATABASE_URL: _, ...embedded } = databases;
  const others = readdirSync('tests/server').filter((name) => name !== 'data');
  const plugins = ['tests/plugins/*/server/**', 'tests/plugins/*/contract.test.ts'];
  const once = ['tests/contract/**', 'tests/specification/**', ...plugins, ...others.map((name) => `tests/server/${name}/**`)];
  const without = (patterns) => patterns.flatMap((pattern) => ['--exclude', pattern]);
  report.rstest('the console and the server', ['--project', 'console', '--project', 'server', ...(postgres ? without(once) : [])], embedded);
  const onPostgres = ['tests/server', 'tests/contract', 'tests/specification', 'tests/plugins', ...without(['tests/server/data/embedded*.test.ts'])];
  if (postgres) report.rstest('the server and its plugins on PostgreSQL', ['--project', 'server', ...onPostgres], databases);
  else report.skip('the server on PostgreSQL: none was found. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.');
}

/** Runs the daily journeys, or all of them, in one browser, and in CI a tenth of them, by rotation, in another. */
function journeys() {
  const files = readdirSync('tests/journeys').filter((name) => name.endsWith('.journey.ts'));
  const daily = files.filter((name) => dailyJourneys.includes(name.replace('.journey.ts', '')));
  if (!isWhole) report.skip(`${files.length - daily.length} of ${files.length} files of journeys: they run where CI is set, and with npm test -- --all.`);
  const other = process.env.CI ? findOtherBrowser(browser) : undefined;
  if (!other)
    report.skip(`journeys in another browser than ${browser}: ${process.env.CI ? 'there is none.' : 'where CI is set, a tenth of them runs in one.'}`);
  report.playwright('journeys in a browser', isWhole ? [] : daily.map((name) => `/${name}`), {
    CHROMIUM_PATH: browser,
    ...(other ? { OTHER_CHROMIUM_PATH: other } : {}),
    ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
  });
}

/**
 * Runs build, database layer, a share of the other server tests, start and one journey on another Node.js. The tests of the database layer run on the embedded
 * database, which is a part of the process.
 */
async function onNode(line, shard) {
  const node = nodeBinary(line);
  if (!node) return report.check(`Node.js ${line}`, { output: `The registry has no executable for ${process.platform}-${process.arch}.\n`, isPassed: false });
  const title = (subject) => `${subject} on Node.js ${node.version}`;
  rmSync(join(root, 'dist/.built'), { force: true });
  report.check(title('build'), await outcomeOf(['scripts/build.mjs'], node.path));
  const { TEST_DATABASE_URL: _, ...embedded } = databases;
  const dataLayer = 'tests/server/data/**';
  report.rstest(title('the database layer'), ['--project', 'server', 'tests/server/data'], embedded, node.path);
  report.rstest(title(`shard ${shard} of the server`), ['--project', 'server', '--exclude', dataLayer, '--shard', shard], databases, node.path);
  report.playwright(title('start and a journey'), ['start.journey.ts', 'params.journey.ts'], { CHROMIUM_PATH: browser }, node.path);
}

/** Runs commands, two at a time, and reports them in order. */
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
