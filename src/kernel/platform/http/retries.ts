import { firstValueFrom, fromEvent, race, timer } from 'rxjs';
import { TransportError, type TransportFault } from './transport-error.ts';

const transient: ReadonlySet<TransportFault> = new Set(['timeout', 'offline', 'unreachable', 'unavailable']);
const transientStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Milliseconds before the second and the third attempt; up to half as much again is added, so that many clients do not return at once. */
export const backoffMs = [300, 1000] as const;

/** Retries after a transient failure: no answer at all, or 502, 503, 504. */
export async function withRetries<Result>(attempt: () => Promise<Result>, signal: AbortSignal, delaysMs: readonly number[] = backoffMs): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await delay(delayMs * (1 + Math.random() / 2), signal);
    }
  }
  return attempt();
}

function isTransient(error: unknown): boolean {
  return error instanceof TransportError && transient.has(error.fault) && (error.code === undefined || transientStatuses.has(error.code));
}

async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await firstValueFrom(race(timer(milliseconds), fromEvent(signal, 'abort')));
  if (signal.aborted) throw new TransportError('cancelled');
}
