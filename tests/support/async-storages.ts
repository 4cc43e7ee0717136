import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = AsyncLocalStorage<unknown>;

/** Storages in which work of this process ran since `disableEarlierStorages` was last called, for all files that are tested in it. */
const here = globalThis as { usedStorages?: Set<Storage> };

/**
 * Disables the storages of files that this process tested before. The runner makes one for each file and never disables it, and before Node.js 24 every promise
 * copies the values of all enabled ones: each file would be slower than the one before it. A storage that is used again enables itself.
 */
export function disableEarlierStorages(): void {
  const used = here.usedStorages ?? recordStorages();
  for (const storage of used) storage.disable();
  used.clear();
}

function recordStorages(): Set<Storage> {
  const used = new Set<Storage>();
  const { run } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.run = function recorded(this: Storage, ...args: Parameters<Storage['run']>) {
    used.add(this);
    return run.apply(this, args);
  } as typeof run;
  here.usedStorages = used;
  return used;
}
