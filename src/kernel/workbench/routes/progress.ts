import { BehaviorSubject, type Observable } from 'rxjs';

/** Tells whether a navigation is in progress, for the progress bar of the window. */
export class Progress {
  private readonly subject$ = new BehaviorSubject(false);
  readonly isBusy$: Observable<boolean> = this.subject$.asObservable();

  begin = (): void => {
    if (!this.subject$.value) this.subject$.next(true);
  };

  /** Ends the progress once the page is on screen. */
  finish = (): void => {
    if (this.subject$.value) this.subject$.next(false);
  };
}
