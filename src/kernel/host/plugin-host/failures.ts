import type { CrashLoopGuard, FailureRecord, FailureStorage } from '#shared/crash-loop-guard';
import type { JsonStorage } from '../../platform/browser/storage.ts';

/** Access to the failure counter, which is loaded with the first failure: most consoles never need it. */
export interface Failures {
  /** Resolves with the counter when failures are stored, else with `undefined`. */
  findGuard(): Promise<CrashLoopGuard | undefined>;
  guard(): Promise<CrashLoopGuard>;
}

/** Storage key of plugin failures in this browser. */
const storageKey = 'plugin-failures';

/** Opens the record of plugin failures in this browser. */
export function createFailures(storage: JsonStorage): Failures {
  let loading: Promise<CrashLoopGuard> | undefined;
  const counter = () => {
    loading ??= import('#shared/crash-loop-guard').then((module) => new module.CrashLoopGuard(failuresStorage(storage), process.env.MARQUEE_BUILD ?? ''));
    return loading;
  };
  return { guard: counter, findGuard: async () => (loading || storage.read(storageKey) ? counter() : undefined) };
}

/** Keeps the failures of plugins in the browser's storage. */
const failuresStorage = (storage: JsonStorage): FailureStorage => ({
  read: () => storage.read<FailureRecord>(storageKey),
  write: (record) => (Object.keys(record.failures).length > 0 ? storage.write(storageKey, record) : storage.remove(storageKey)),
});

/** Key under which failures to render a page of a plugin are counted, apart from failures to start. */
export const pageKey = (id: string) => `${id}/page`;

/** Returns whether the plugin failed repeatedly, at its start or at rendering its pages. */
export const isCrashLooping = (failures: CrashLoopGuard, id: string): boolean => [id, pageKey(id)].some((key) => failures.isLeftOut(key));
