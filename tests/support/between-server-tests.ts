import { afterAll, afterEach, beforeEach, expect } from '@rstest/core';
import { disableEarlierStorages } from './async-storages.ts';
import { consoleErrors } from './console-errors.ts';
import { endOfFile } from './open-databases.ts';
import { nameReplies } from './reply-matcher.ts';

disableEarlierStorages();
nameReplies();

beforeEach(() => consoleErrors.start([console]));

/** Registered here for every file, because files share loaded modules and a hook in one of those would run for the first file only. */
afterEach(async () => {
  await consoleErrors.settled();
  consoleErrors.stop();
  expect(consoleErrors.problems(), 'errors and warnings in the console').toEqual([]);
});

afterAll(async () => {
  expect(await endOfFile(), 'databases that the file has opened and not closed').toEqual([]);
});
