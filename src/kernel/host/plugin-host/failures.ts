import type { JsonStorage } from '../../platform/browser/storage.ts';
import type { CrashLoopGuard } from './crash-loop-guard.ts';

/** Access to the failure counter, which is loaded with the first failure: most consoles never need it. */
export interface Failures {
  /** Resolves with the counter when failures are stored, else with `undefined`. */
  known(): Promise<CrashLoopGuard | undefined>;
  counter(): Promise<CrashLoopGuard>;
}

/** Storage key of plugin failures in this browser. */
const failuresName = 'plugin-failures';

/** Opens the record of plugin failures in this browser. */
export function failuresIn(storage: JsonStorage): Failures {
  let loading: Promise<CrashLoopGuard> | undefined;
  const counter = () => {
    loading ??= import('./crash-loop-guard.ts').then((module) => new module.CrashLoopGuard(storage, process.env.MARQUEE_BUILD ?? '', failuresName));
    return loading;
  };
  return { counter, known: async () => (loading || storage.read(failuresName) ? counter() : undefined) };
}
