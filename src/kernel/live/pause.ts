import { firstValueFrom, fromEvent, race, timer } from 'rxjs';

/** Waits, at most until the browser is back on line or the signal ends it. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await firstValueFrom(race(timer(milliseconds), fromEvent(window, 'online'), fromEvent(signal, 'abort')));
}
