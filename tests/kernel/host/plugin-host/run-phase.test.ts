import { expect, test } from '@rstest/core';
import { runPhase } from '../../../../src/kernel/host/plugin-host/run-phase.ts';

test('a built-in method that a plugin deletes comes back as it was, and no loop over a list meets it', async () => {
  const before = Object.getOwnPropertyDescriptor(Array.prototype, 'at');
  const cause = await runPhase(() => void Reflect.deleteProperty(Array.prototype, 'at'), { phase: 'wire', signal: new AbortController().signal });
  expect(cause).toBeDefined();
  expect(Object.getOwnPropertyDescriptor(Array.prototype, 'at')).toEqual(before);
  expect(Object.keys(Array.prototype)).toEqual([]);
});
