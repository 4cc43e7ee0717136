import { afterEach, beforeEach, expect } from '@rstest/core';
import { consoleErrors } from './console-errors.ts';

beforeEach(() => consoleErrors.start([console]));

/** Registered here for every file: files share loaded modules, and a hook in one of those would run for the first file alone. */
afterEach(async () => {
  await consoleErrors.settled();
  consoleErrors.stop();
  expect(consoleErrors.problems(), 'errors and warnings in the console').toEqual([]);
});
