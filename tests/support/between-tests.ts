import { afterEach, beforeEach, expect } from '@rstest/core';
import { cleanup, configure } from '@testing-library/react';
import { consoleErrors } from './console-errors.ts';
import { endKernels } from './test-kernel.ts';

/** A machine that is busy draws late, and is given time. */
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => consoleErrors.start([console, consoleOfWindow()]));

/** Registered here for every file: files share loaded modules, and a hook in one of those would run for the first file alone. */
afterEach(async () => {
  try {
    cleanup();
    await endKernels();
    await consoleErrors.settled();
  } finally {
    consoleErrors.stop();
  }
  expect(consoleErrors.problems(), 'errors and warnings in the console').toEqual([]);
});

/** happy-dom prints what a browser prints of requests that fail to the console it was made with, which is not the one of a test. */
function consoleOfWindow(): Pick<Console, 'error' | 'warn'> {
  const key = Object.getOwnPropertySymbols(document).find(({ description }) => description === 'defaultView');
  return key ? ((document as unknown as Record<symbol, { console: Console }>)[key]?.console ?? console) : console;
}
