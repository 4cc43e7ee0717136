import { expect, test } from '@rstest/core';
import { collectConsoleErrors, expectConsoleError, expectedConsoleErrors, unexpectedConsoleErrors } from '../support/console-errors.ts';

const silent = (): Pick<Console, 'error' | 'warn'> => ({ error() {}, warn() {} });

test('errors and warnings count as unexpected unless a pattern expects them, on every console that is given', () => {
  const [first, second] = [silent(), silent()];
  const stop = collectConsoleErrors([first, second, first]);
  expectConsoleError(/fuse \d/);
  first.error('fuse %d', 7);
  second.warn('smoke');
  stop();
  first.error('printed again');
  expect(unexpectedConsoleErrors()).toEqual(['console.warn: smoke']);
});

test('an error that is expected and does not come is a failure too; one that comes late is waited for', async () => {
  const one = silent();
  const stop = collectConsoleErrors([one]);
  expectConsoleError(/late/);
  setTimeout(() => one.error('late'), 20);
  await expectedConsoleErrors();
  expect(unexpectedConsoleErrors()).toEqual([]);
  expectConsoleError(/never/);
  expect(unexpectedConsoleErrors()).toEqual(['nothing printed /never/']);
  stop();
});
