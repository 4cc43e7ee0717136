import { type Cause, causes, type Phase } from '../plugin/plugin-state.ts';
import { GlobalMutationError, withGlobalsGuard } from './globals-guard.ts';
import { TimeLimitExceeded, withTimeLimit } from './time-limit.ts';

/** Time limit of each phase in milliseconds. Reading may use a slow network, and its loader has a time-out of its own. */
const timeLimits: Readonly<Record<Phase, number>> = { read: 120_000, wire: 5000, start: 5000, stop: 5000 };

/** Limits of one phase. */
export interface PhaseLimits {
  readonly phase: Phase;
  /** Milliseconds, in place of the default of the phase. */
  readonly limit?: number | undefined;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
}

/** Runs one phase of one plugin; resolves with the cause when it throws, exceeds its time or changes shared globals. */
export async function runPhase(work: () => unknown, { phase, limit = timeLimits[phase], signal }: PhaseLimits): Promise<Cause | undefined> {
  try {
    const changed: string[] = [];
    const begun = phase === 'read' ? work() : withGlobalsGuard(work, (names) => void changed.push(...names));
    const ended = isPromise(begun) && Promise.resolve(begun);
    if (changed.length > 0) {
      if (ended) ended.catch(() => undefined);
      throw new GlobalMutationError(changed);
    }
    if (ended) await withTimeLimit(limit, () => ended, signal);
    return undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return causes.timeout(phase, limit);
    return error instanceof GlobalMutationError ? causes.globalMutation(phase, error.names) : causes.error(phase, error);
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> => typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
