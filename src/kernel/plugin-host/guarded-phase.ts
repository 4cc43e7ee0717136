import { type Cause, causes, type Phase } from './plugin-state.ts';
import { ChangedGlobals, keepingGlobals } from './shared-globals.ts';
import { TimeLimitExceeded, withTimeLimit } from './time-limit.ts';

/** Milliseconds a plugin has for each phase. What is read may come over a slow network, and its loader gives up by itself. */
const timeLimits: Readonly<Record<Phase, number>> = { read: 120_000, wire: 5000, start: 5000, stop: 5000 };

/** What a phase is done within. */
export interface PhaseLimits {
  readonly phase: Phase;
  /** Milliseconds, instead of what the phase has by default. */
  readonly limit?: number | undefined;
  /** Nobody waits any more once it is aborted. */
  readonly signal: AbortSignal;
}

/** Does one phase of one plugin; answers with the cause when it throws, hangs or changes what all plugins share. */
export async function guardedPhase(work: () => unknown, { phase, limit = timeLimits[phase], signal }: PhaseLimits): Promise<Cause | undefined> {
  try {
    const changed: string[] = [];
    const begun = phase === 'read' ? work() : keepingGlobals(work, (names) => void changed.push(...names));
    const ended = isPromise(begun) && Promise.resolve(begun);
    if (changed.length > 0) {
      if (ended) ended.catch(() => undefined);
      throw new ChangedGlobals(changed);
    }
    if (ended) await withTimeLimit(limit, () => ended, signal);
    return undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return causes.hung(phase, limit);
    return error instanceof ChangedGlobals ? causes.globals(phase, error.names) : causes.threw(phase, error);
  }
}

const isPromise = (given: unknown): given is PromiseLike<unknown> => typeof (given as PromiseLike<unknown> | undefined)?.then === 'function';
