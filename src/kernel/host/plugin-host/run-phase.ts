import { type Cause, causes, type Phase } from '../plugin/plugin-state.ts';
import { GlobalMutationError, withGlobalsGuard } from './globals-guard.ts';

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

/** Thrown for work that did not finish in its time. */
class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** Resolves as the work does, or rejects with `TimeLimitExceeded`; later results are ignored. Aborting the signal ends the wait. */
function withTimeLimit<Given>(milliseconds: number, work: () => Given | PromiseLike<Given>, signal?: AbortSignal): Promise<Given> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeLimitExceeded(`not finished within ${milliseconds} ms`)), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const leave = () => {
      settle();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    new Promise<Given>((done) => done(work())).then(resolve, reject).finally(settle);
  });
}

/** Resolves when all works are done, or `milliseconds` after the first one resolved with `true`. */
export async function allSettledWithin(works: readonly Promise<boolean>[], milliseconds: number, signal: AbortSignal): Promise<void> {
  const all = Promise.all(works);
  const first = new Promise<void>((resolve) => {
    for (const work of works) void work.then((isSomething) => isSomething && resolve());
  });
  await Promise.race([first, all]);
  await withTimeLimit(milliseconds, () => all, signal).catch(() => undefined);
}
