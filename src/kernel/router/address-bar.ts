import { UNSAFE_createBrowserHistory as createBrowserHistory, createPath, type Location, type Navigator, parsePath, type To } from 'react-router-dom';
import { BehaviorSubject, type Observable } from 'rxjs';

/** Who has a say before the address changes: whether there is anything to ask about, and whether it may be left. */
export interface LeaveGuard {
  isNeeded(): boolean;
  ask(): Promise<boolean>;
}

/** The address of the window, and the one way to change it. The router's data half, which does this too, is twice its other half. */
export class AddressBar implements Navigator {
  private readonly history = createBrowserHistory({ v5Compat: true });
  private readonly subject = new BehaviorSubject<Location>(this.history.location);
  readonly location$: Observable<Location> = this.subject.asObservable();
  private readonly stopListening: () => void;
  private leaving: LeaveGuard | undefined;
  private isAsking = false;
  /** True until the browser has taken a step back that it had made. */
  private isReturning = false;

  constructor() {
    this.stopListening = this.history.listen(({ action, delta }) => this.heard(action === 'POP' ? delta : null));
  }

  get location(): Location {
    return this.subject.value;
  }

  createHref = (to: To): string => this.history.createHref(to);
  encodeLocation = (to: To) => this.history.encodeLocation(to);
  go = (delta: number): void => this.history.go(delta);
  /** Going where the window is already makes no further step to go back from. */
  push = (to: To, state?: unknown): void => this.unlessKept(() => (this.isHere(to) ? this.history.replace : this.history.push)(to, state));
  replace = (to: To, state?: unknown): void => this.unlessKept(() => this.history.replace(to, state));

  /** Asks this one before the address changes; returns its undoing. */
  guard(leaving: LeaveGuard): () => void {
    this.leaving = leaving;
    return () => {
      if (this.leaving === leaving) this.leaving = undefined;
    };
  }

  dispose(): void {
    this.stopListening();
    this.subject.complete();
  }

  /** The browser's own buttons have gone before anybody can be asked: the address goes back until the answer is there. */
  private heard(delta: number | null): void {
    if (this.isReturning) {
      this.isReturning = false;
      return;
    }
    if (delta && this.leaving?.isNeeded()) {
      this.isReturning = true;
      this.history.go(-delta);
      this.unlessKept(() => this.history.go(delta));
    } else this.subject.next(this.history.location);
  }

  private unlessKept(leave: () => void): void {
    if (!this.leaving?.isNeeded()) leave();
    else if (!this.isAsking) void this.ask(this.leaving, leave);
  }

  private isHere(to: To): boolean {
    return createPath(typeof to === 'string' ? parsePath(to) : to) === createPath(this.location);
  }

  private async ask(leaving: LeaveGuard, leave: () => void): Promise<void> {
    this.isAsking = true;
    const mayLeave = await leaving.ask();
    this.isAsking = false;
    if (mayLeave) leave();
  }
}
