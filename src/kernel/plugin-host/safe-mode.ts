import { BehaviorSubject, type Subscription } from 'rxjs';
import { LiveOpened } from '#shared/live';
import type { Live } from '../live/live.ts';

/** Who has asked for core plugins alone: this console's address, or whoever started the server. */
export type SafeCause = 'address' | 'server';

/** Whether core plugins alone run, and who has asked for it; the server's word may come and go while the console is open. */
export class SafeMode {
  private readonly cause = new BehaviorSubject<SafeCause | undefined>(undefined);
  private readonly following: Subscription;
  readonly cause$ = this.cause.asObservable();

  constructor(
    /** This console itself is safe until it begins anew. */
    readonly isAsked: boolean,
    live: Live,
  ) {
    if (isAsked) this.cause.next('address');
    this.following = live.stream(LiveOpened).subscribe(({ safe }) => this.cause.next(safe ? 'server' : isAsked ? 'address' : undefined));
  }

  dispose(): void {
    this.following.unsubscribe();
    this.cause.complete();
  }
}

/** `?safe`, `?safe=1`; not `?safe=0`. */
export const isSafeAddress = (search: string): boolean => !['0', 'off', 'false', null].includes(new URLSearchParams(search).get('safe'));
