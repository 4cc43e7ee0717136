import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageCommand } from './prepare.mjs';

/** Runs the suites of `npm test`, prints their output one after the other in order of their start, and sums up the results of their runners. */
export class TestReport {
  #total = { passed: 0, failed: 0, skipped: 0 };
  /** Failures with suite and message, printed again at the end. */
  #failures = [];
  /** Names of tests that failed once and passed when they ran again, which happens in CI only. */
  #secondAttempts = [];
  /** Ends when everything so far is printed. */
  #printed = Promise.resolve();
  #reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));

  /** Counts a check without a test runner: a command that passes if it exits with 0. A line `Skipped: …` in its output counts as skipped. */
  check(title, { output, isPassed }) {
    this.#print(`\n── ${title}\n${output}`);
    if (isPassed && /^Skipped: /m.test(output)) this.#total.skipped += 1;
    else this.#total[isPassed ? 'passed' : 'failed'] += 1;
    if (!isPassed) this.#failures.push(title);
  }

  /** Runs rstest with these arguments; `node` is its executable. */
  rstest(title, args, environment = {}, node = process.execPath) {
    return this.#suite(title, [packageCommand('@rstest/core'), 'run', ...args], rstestOutcome, { environment, node });
  }

  /** Runs Playwright with these arguments; `node` is the executable for it and for the servers under test. */
  playwright(title, args, environment = {}, node = process.execPath) {
    return this.#suite(title, [packageCommand('@playwright/test'), 'test', ...args], playwrightOutcome, { environment, node });
  }

  skip(reason) {
    this.#print(`\n── skipped: ${reason}\n`);
    this.#total.skipped += 1;
  }

  /** Prints the failures and the closing line, and sets the exit code. */
  async close() {
    await this.#printed;
    rmSync(this.#reports, { recursive: true, force: true });
    const { passed, failed, skipped } = this.#total;
    if (failed > 0) console.log(`\n── what failed\n${this.#failures.join('\n')}`);
    if (this.#secondAttempts.length > 0) console.log(`\n${this.#secondAttempts.map((name) => `passed on the second attempt: ${name}`).join('\n')}`);
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  }

  #print(text) {
    this.#printed = this.#printed.then(() => void process.stdout.write(text));
  }

  async #suite(title, command, outcomeOf, { environment, node }) {
    this.#print(`\n── ${title}\n`);
    const report = join(this.#reports, `${title.replace(/\W+/g, '-')}.json`);
    const clean = { ...process.env, NODE_ENV: 'test', DEBUG_PRINT_LIMIT: '0' };
    delete clean.TEST_DATABASE_URL;
    const child = spawn(node, command, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...clean, ...environment, TEST_REPORT: report } });
    const ended = new Promise((resolve) => child.once('close', resolve));
    this.#printed = printInTurn(child, this.#printed, ended);
    const status = await ended;
    const outcome = existsSync(report) ? outcomeOf(JSON.parse(readFileSync(report, 'utf8'))) : { failures: [], secondAttempts: [], passed: 0, skipped: 0 };
    const { failures, secondAttempts, ...counts } = outcome;
    if (failures.length === 0 && (status !== 0 || counts.passed === 0))
      failures.push({ name: `ended with ${status} after ${counts.passed} tests`, message: '' });
    for (const key of Object.keys(counts)) this.#total[key] += counts[key];
    this.#total.failed += failures.length;
    this.#secondAttempts.push(...secondAttempts.map((name) => `${title} › ${name}`));
    this.#failures.push(...failures.map(({ name, message }) => `${title} › ${name}\n  ${message.split('\n').slice(0, 12).join('\n  ')}`));
  }
}

/** Prints the output of a process: what it has written until its turn at once, and the rest as it comes. */
async function printInTurn(child, turn, ended) {
  const waiting = [];
  let write = (chunk) => void waiting.push(chunk);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => write(chunk));
  await turn;
  write = (chunk) => void process.stdout.write(chunk);
  waiting.forEach(write);
  await ended;
}

/** Counts a file that could not be loaded as one failed test. */
export function rstestOutcome({ summary, files }) {
  const failures = files.flatMap(({ testPath, errors = [], results }) => [
    ...errors.map(({ message }) => ({ name: testPath, message })),
    ...results
      .filter(({ status }) => status === 'fail')
      .map(({ fullName, errors = [] }) => ({ name: `${testPath} › ${fullName}`, message: errors[0]?.message ?? '' })),
  ]);
  const secondAttempts = files.flatMap(({ testPath, results }) =>
    results.filter(({ status, retryErrors = [] }) => status === 'pass' && retryErrors.length > 0).map(({ fullName }) => `${testPath} › ${fullName}`),
  );
  return { passed: summary.passedTests, failures, secondAttempts, skipped: summary.skippedTests };
}

/** Counts the tests of Playwright, which calls a test that passes on its second attempt flaky. */
export function playwrightOutcome({ stats, suites, errors }) {
  const specsOf = (all) => all.flatMap(({ specs: own = [], suites: inner = [] }) => [...own, ...specsOf(inner)]);
  const specs = specsOf(suites);
  const failures = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => ({
      name: `${file} › ${title}`,
      message: tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))[0] ?? '',
    }));
  failures.push(...errors.map(({ message }) => ({ name: 'journeys', message })));
  const secondAttempts = specs.filter(({ ok, tests }) => ok && tests.some(({ status }) => status === 'flaky')).map(({ file, title }) => `${file} › ${title}`);
  return { passed: stats.expected + stats.flaky, failures, secondAttempts, skipped: stats.skipped };
}
