import { expect, test } from '@rstest/core';
import { ConsoleErrors } from '../support/console-errors.ts';

const silent = (): Pick<Console, 'error' | 'warn'> => ({ error() {}, warn() {} });

test('errors and warnings count as unexpected unless a pattern expects them, on every console that is given', () => {
  const errors = new ConsoleErrors();
  const [first, second] = [silent(), silent()];
  errors.start([first, second, first]);
  errors.expect(/fuse \d/);
  first.error('fuse %d', 7);
  second.warn('smoke');
  errors.stop();
  first.error('printed again');
  expect(errors.problems()).toEqual(['console.warn: smoke']);
  errors.start([first]);
  expect(errors.problems()).toEqual([]);
});

test('an expected error that does not occur is a failure too; a late one is waited for', async () => {
  const errors = new ConsoleErrors();
  const one = silent();
  errors.start([one]);
  errors.expect(/late/);
  setTimeout(() => one.error('late'), 20);
  await errors.settled();
  expect(errors.problems()).toEqual([]);
  errors.expect(/never/);
  expect(errors.problems()).toEqual(['nothing printed /never/']);
});
