import { afterEach, beforeEach, expect } from '@rstest/core';
import { cleanup, configure } from '@testing-library/react';
import { disableEarlierStorages } from './async-storages.ts';
import { consoleErrors } from './console-errors.ts';
import { elementError } from './element-error.ts';
import { unscriptedPaths } from './scripted-transport.ts';
import { endKernels } from './test-kernel.ts';

disableEarlierStorages();

/** Long timeout for rendering on a busy machine. */
configure({ asyncUtilTimeout: 10_000, getElementError: (message, container) => elementError(message, container, [...unscriptedPaths]) });

beforeEach(() => {
  unscriptedPaths.clear();
  consoleErrors.start([console, consoleOfWindow()]);
});

/** Registered here for every file, because files share loaded modules and a hook in one of those would run for the first file only. */
afterEach(async ({ task }) => {
  try {
    cleanup();
    // A list writes its state to the address, where the next test would find it.
    history.replaceState(null, '', location.pathname);
    await endKernels({ hasFailed: task.result?.status === 'fail' });
    await consoleErrors.settled();
  } finally {
    consoleErrors.stop();
  }
  expect(consoleErrors.problems(), 'errors and warnings in the console').toEqual([]);
});

/** Returns the console that happy-dom was created with, to which it prints failed requests, and which is not that of a test. */
function consoleOfWindow(): Pick<Console, 'error' | 'warn'> {
  const key = Object.getOwnPropertySymbols(document).find(({ description }) => description === 'defaultView');
  return key ? ((document as unknown as Record<symbol, { console: Console }>)[key]?.console ?? console) : console;
}
