import type { JsonStorage } from '../storage.ts';
import type { FailureCounter } from './failure-counter.ts';

/** The counter of failures, which comes with the first: most consoles never meet one. */
export interface Failures {
  /** Where any are kept. */
  known(): Promise<FailureCounter | undefined>;
  counter(): Promise<FailureCounter>;
}

/** Where failures of plugins are kept in this browser. */
const failuresName = 'plugin-failures';

/** Failures of plugins in this browser. */
export function failuresIn(storage: JsonStorage): Failures {
  let loading: Promise<FailureCounter> | undefined;
  const counter = () => {
    loading ??= import('./failure-counter.ts').then((module) => new module.FailureCounter(storage, process.env.MARQUEE_BUILD ?? '', failuresName));
    return loading;
  };
  return { counter, known: async () => (loading || storage.read(failuresName) ? counter() : undefined) };
}
