import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageCommand } from './prepare.mjs';

/** Runs the suites of `npm test` one after the other and sums up the results of their runners. */
export class TestReport {
  #total = { passed: 0, failed: 0, skipped: 0 };
  /** Failures with suite and message, printed again at the end. */
  #failures = [];
  /** Names of tests that failed once and passed when they ran again, which happens in CI only. */
  #secondAttempts = [];
  #reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));

  /** Counts a check without a test runner: a command that passes if it exits with 0. A line `Skipped: …` in its output counts as skipped. */
  check(title, { output, isPassed }) {
    console.log(`\n── ${title}`);
    process.stdout.write(output);
    if (isPassed && /^Skipped: /m.test(output)) this.#total.skipped += 1;
    else this.#total[isPassed ? 'passed' : 'failed'] += 1;
    if (!isPassed) this.#failures.push(title);
  }

  /** Runs rstest with these arguments; `node` is its executable. */
  rstest(title, args, environment = {}, node = process.execPath) {
    this.#suite(title, [packageCommand('@rstest/core'), 'run', ...args], rstestOutcome, { environment, node });
  }

  /** Runs Playwright with these arguments; `node` is the executable for it and for the servers under test. */
  playwright(title, args, environment = {}, node = process.execPath) {
    this.#suite(title, [packageCommand('@playwright/test'), 'test', ...args], playwrightOutcome, { environment, node });
  }

  skip(reason) {
    console.log(`\n── skipped: ${reason}`);
    this.#total.skipped += 1;
  }

  /** Prints the failures and the closing line, and sets the exit code. */
  close() {
    rmSync(this.#reports, { recursive: true, force: true });
    const { passed, failed, skipped } = this.#total;
    if (failed > 0) console.log(`\n── what failed\n${this.#failures.join('\n')}`);
    if (this.#secondAttempts.length > 0) console.log(`\n${this.#secondAttempts.map((name) => `passed on the second attempt: ${name}`).join('\n')}`);
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  }

  #suite(title, command, outcomeOf, { environment, node }) {
    console.log(`\n── ${title}`);
    const report = join(this.#reports, `${title.replace(/\W+/g, '-')}.json`);
    const clean = { ...process.env, NODE_ENV: 'test', DEBUG_PRINT_LIMIT: '0' };
    delete clean.TEST_DATABASE_URL;
    const { status } = spawnSync(node, command, { stdio: 'inherit', env: { ...clean, ...environment, TEST_REPORT: report } });
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

/** Counts the tests of Playwright, which calls a test that passes on its second attempt flaky. A spec that runs in two browsers has one test per browser, but its `ok` reports only the first. */
export function playwrightOutcome({ stats, suites, errors }) {
  const testsOf = (all) =>
    all.flatMap(({ specs = [], suites: inner = [] }) => [
      ...specs.flatMap(({ file, title, tests }) => tests.map((test) => ({ ...test, name: `${file} › ${title}${browserOf(test)}` }))),
      ...testsOf(inner),
    ]);
  const tests = testsOf(suites);
  const failures = tests
    .filter(({ status }) => status === 'unexpected')
    .map(({ name, results }) => ({ name, message: results.flatMap(({ error }) => error?.message ?? [])[0] ?? '' }));
  failures.push(...errors.map(({ message }) => ({ name: 'journeys', message })));
  const secondAttempts = tests.filter(({ status }) => status === 'flaky').map(({ name }) => name);
  return { passed: stats.expected + stats.flaky, failures, secondAttempts, skipped: stats.skipped };
}

const browserOf = ({ projectName = '' }) => (projectName.startsWith('other browser') ? ` (${projectName})` : '');
