import { BehaviorSubject, type Subscription } from 'rxjs';
import { LiveOpened } from '#shared/live';
import type { Live } from '../../platform/live/live.ts';

/** Origin of safe mode: the address of this console or the configuration of the server. */
export type SafeCause = 'address' | 'server';

/** Tells whether only core plugins run, and why. The server may turn safe mode on and off while the console is open. */
export class SafeMode {
  private readonly cause = new BehaviorSubject<SafeCause | undefined>(undefined);
  private readonly subscription: Subscription;
  readonly cause$ = this.cause.asObservable();

  constructor(
    /** True when this console itself was started in safe mode. */
    readonly isRequested: boolean,
    live: Live,
  ) {
    if (isRequested) this.cause.next('address');
    this.subscription = live.stream(LiveOpened).subscribe(({ safe }) => this.cause.next(safe ? 'server' : isRequested ? 'address' : undefined));
  }

  dispose(): void {
    this.subscription.unsubscribe();
    this.cause.complete();
  }
}

/** Accepts `?safe` and `?safe=1`, but not `?safe=0`. */
export const isSafeAddress = (search: string): boolean => !['0', 'off', 'false', null].includes(new URLSearchParams(search).get('safe'));
