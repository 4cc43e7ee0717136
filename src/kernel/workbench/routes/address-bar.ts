import { UNSAFE_createBrowserHistory as createBrowserHistory, createPath, type Location, type Navigator, parsePath, type To } from 'react-router-dom';
import { BehaviorSubject, type Observable } from 'rxjs';
import { withBase, withoutBase } from '../../platform/browser/base-path.ts';

/** Guard of the address: `isNeeded` tells whether to ask, `ask` resolves true when the page may be left. */
export interface LeaveGuard {
  isNeeded(): boolean;
  ask(): Promise<boolean>;
}

/** Address of the window, without the base path, and the only way to change it. React Router's data router would do the same at twice the size. */
export class AddressBar implements Navigator {
  private readonly history = createBrowserHistory({ v5Compat: true });
  private readonly subject = new BehaviorSubject<Location>(locationOf(this.history));
  readonly location$: Observable<Location> = this.subject.asObservable();
  private readonly stopListening: () => void;
  private currentGuard: LeaveGuard | undefined;
  private isAsking = false;
  /** True while the browser undoes a step of its own. */
  private isReturning = false;

  constructor() {
    this.stopListening = this.history.listen(({ action, delta }) => this.onHistoryChange(action === 'POP' ? delta : null));
  }

  /** True when the browser itself has led to the current address: a step in its history, a reload or a typed address. */
  get isBrowserNavigation(): boolean {
    return this.history.action === 'POP';
  }

  get location(): Location {
    return this.subject.value;
  }

  createHref = (to: To): string => this.history.createHref(toHostPath(to));
  encodeLocation = (to: To) => this.history.encodeLocation(to);
  go = (delta: number): void => this.history.go(delta);
  /** Navigating to the current address replaces the history entry instead of adding one. */
  push = (to: To, state?: unknown): void => this.unlessGuarded(() => (this.isHere(to) ? this.history.replace : this.history.push)(toHostPath(to), state));
  replace = (to: To, state?: unknown): void => this.unlessGuarded(() => this.history.replace(toHostPath(to), state));

  /** Registers the guard that is asked before the address changes; returns a function that removes it. */
  guard(leaveGuard: LeaveGuard): () => void {
    this.currentGuard = leaveGuard;
    return () => {
      if (this.currentGuard === leaveGuard) this.currentGuard = undefined;
    };
  }

  dispose(): void {
    this.stopListening();
    this.subject.complete();
  }

  /** The browser's back and forward buttons act before the guard can ask, so the step is undone until the answer is there. */
  private onHistoryChange(delta: number | null): void {
    if (this.isReturning) {
      this.isReturning = false;
      return;
    }
    if (delta && this.currentGuard?.isNeeded()) {
      this.isReturning = true;
      this.history.go(-delta);
      this.unlessGuarded(() => this.history.go(delta));
    } else this.subject.next(locationOf(this.history));
  }

  private unlessGuarded(leave: () => void): void {
    if (!this.currentGuard?.isNeeded()) leave();
    else if (!this.isAsking) void this.ask(this.currentGuard, leave);
  }

  private isHere(to: To): boolean {
    return createPath(typeof to === 'string' ? parsePath(to) : to) === createPath(this.location);
  }

  private async ask(leaveGuard: LeaveGuard, leave: () => void): Promise<void> {
    this.isAsking = true;
    const mayLeave = await leaveGuard.ask();
    this.isAsking = false;
    if (mayLeave) leave();
  }
}

const locationOf = ({ location }: { readonly location: Location }): Location => ({ ...location, pathname: withoutBase(location.pathname) });
const toHostPath = (to: To): To => (typeof to === 'string' ? withBase(to) : { ...to, ...(to.pathname ? { pathname: withBase(to.pathname) } : {}) });
