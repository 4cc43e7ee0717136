import { BehaviorSubject, type Observable } from 'rxjs';

/** Whether a navigation is under way, for the bar above everything. */
export class Progress {
  private readonly subject$ = new BehaviorSubject(false);
  readonly isBusy$: Observable<boolean> = this.subject$.asObservable();

  begin = (): void => {
    if (!this.subject$.value) this.subject$.next(true);
  };

  /** The page is on screen. */
  finish = (): void => {
    if (this.subject$.value) this.subject$.next(false);
  };
}
