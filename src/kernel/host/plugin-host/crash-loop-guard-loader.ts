import type { CrashLoopGuard, FailureRecord, FailureStorage } from '#shared/crash-loop-guard';
import type { JsonStorage } from '../../platform/browser/storage.ts';

/** Loads the crash loop guard on the first failure, because most consoles never need it. */
export interface CrashLoopGuardLoader {
  /** Resolves with the guard if it is loaded or failures are stored, else with `undefined`. */
  findGuard(): Promise<CrashLoopGuard | undefined>;
  loadGuard(): Promise<CrashLoopGuard>;
}

/** Storage key of plugin failures in this browser. */
const storageKey = 'plugin-failures';

/** Creates the loader of the crash loop guard of this browser. */
export function createCrashLoopGuardLoader(storage: JsonStorage): CrashLoopGuardLoader {
  let loading: Promise<CrashLoopGuard> | undefined;
  const loadGuard = () => {
    loading ??= import('#shared/crash-loop-guard').then((module) => new module.CrashLoopGuard(failuresStorage(storage), process.env.MARQUEE_BUILD ?? ''));
    return loading;
  };
  return { loadGuard, findGuard: async () => (loading || storage.read(storageKey) ? loadGuard() : undefined) };
}

/** Keeps the failures of plugins in the browser's storage. */
const failuresStorage = (storage: JsonStorage): FailureStorage => ({
  read: () => storage.read<FailureRecord>(storageKey),
  write: (record) => (Object.keys(record.failures).length > 0 ? storage.write(storageKey, record) : storage.remove(storageKey)),
});

/** Key under which failures to render a page of a plugin are counted, apart from failures to start. */
export const pageKey = (id: string) => `${id}/page`;

/** Returns whether the plugin failed repeatedly while starting or while rendering its pages. */
export const isCrashLooping = (guard: CrashLoopGuard, id: string): boolean => [id, pageKey(id)].some((key) => guard.isLeftOut(key));
