import { expect, test } from '@rstest/core';
import { ToastQueue } from '../../../../src/kernel/platform/feedback/toast-queue.ts';
import { RecordedToasts } from '../../../support/test-kernel.ts';

test('toasts before the shell exists are queued, the latest twenty, and shown in order', () => {
  const queue = new ToastQueue();
  for (let count = 1; count <= 22; count++) queue.info(String(count));
  const shell = new RecordedToasts();
  const undo = queue.attach(shell);
  queue.error('now');
  undo();
  queue.success('later');
  expect(shell.shown).toEqual([...Array.from({ length: 20 }, (_, index) => `info ${index + 3}`), 'error now']);
  queue.attach(shell);
  expect(shell.shown.at(-1)).toBe('success later');
});
