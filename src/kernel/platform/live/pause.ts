import { firstValueFrom, fromEvent, race, timer } from 'rxjs';

/** Waits; ends early when the browser is back online or the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await firstValueFrom(race(timer(milliseconds), fromEvent(window, 'online'), fromEvent(signal, 'abort')));
}
