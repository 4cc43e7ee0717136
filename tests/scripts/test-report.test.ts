import { expect, test } from '@rstest/core';
import { playwrightOutcome, rstestOutcome } from '../../scripts/test-report.mjs';

const message = 'expected 1 to be 2';

test('a unit test that fails and then passes counts as passed and is named', () => {
  const results = [
    { fullName: 'steady', status: 'pass', retryCount: 0 },
    { fullName: 'unsteady', status: 'pass', retryCount: 1, retryErrors: [{ message }] },
    { fullName: 'wrong', status: 'fail', retryCount: 1, errors: [{ message }, { message }] },
  ];
  const files = [
    { testPath: 'tests/a.test.ts', results },
    { testPath: 'tests/b.test.ts', results: [], errors: [{ message: 'cannot be loaded' }] },
  ];
  expect(rstestOutcome({ summary: { passedTests: 2, skippedTests: 3 }, files })).toEqual({
    passed: 2,
    skipped: 3,
    failures: [
      { name: 'tests/a.test.ts › wrong', message },
      { name: 'tests/b.test.ts', message: 'cannot be loaded' },
    ],
    secondAttempts: ['tests/a.test.ts › unsteady'],
  });
});

test('a journey that fails and then passes counts as passed and is named', () => {
  const failed = { status: 'failed', error: { message } };
  const passed = { status: 'passed' };
  const spec = (title: string, ok: boolean, status: string, results: object[]) => ({
    file: 'a.journey.ts',
    title,
    ok,
    tests: [{ projectName: 'journeys', status, results }],
  });
  const suites = [{ specs: [spec('steady', true, 'expected', [passed])], suites: [{ specs: [spec('unsteady', true, 'flaky', [failed, passed])] }] }];
  const wrong = { specs: [spec('wrong', false, 'unexpected', [failed, failed])] };
  const stats = { expected: 1, flaky: 1, unexpected: 1, skipped: 3 };
  expect(playwrightOutcome({ stats, suites: [...suites, wrong], errors: [{ message: 'no browser' }] })).toEqual({
    passed: 2,
    skipped: 3,
    failures: [
      { name: 'a.journey.ts › wrong', message },
      { name: 'journeys', message: 'no browser' },
    ],
    secondAttempts: ['a.journey.ts › unsteady'],
  });
});

test('a journey that fails in the other browser only is a failure, although its spec is reported as passed', () => {
  const passed = { projectName: 'journeys', status: 'expected', results: [{ status: 'passed' }] };
  const failed = { projectName: 'other browser, turn 7', status: 'unexpected', results: [{ status: 'failed', error: { message } }] };
  const suites = [{ specs: [{ file: 'a.journey.ts', title: 'one', ok: true, tests: [passed, failed] }] }];
  const { failures } = playwrightOutcome({ stats: { expected: 1, flaky: 0, unexpected: 1, skipped: 0 }, suites, errors: [] });
  expect(failures).toEqual([{ name: 'a.journey.ts › one (other browser, turn 7)', message }]);
});
