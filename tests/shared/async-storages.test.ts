import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@rstest/core';
import { disableEarlierStorages } from '../support/async-storages.ts';

test('a storage in which work ran is disabled for the next file, and enables itself when it is used again', () => {
  const storage = new AsyncLocalStorage<string>();
  const [before, after] = storage.run('earlier file', () => {
    const held = storage.getStore();
    disableEarlierStorages();
    return [held, storage.getStore()];
  });
  expect([before, after]).toEqual(['earlier file', undefined]);
  expect(storage.run('next file', () => storage.getStore())).toBe('next file');
});
