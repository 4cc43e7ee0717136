import { BehaviorSubject, Subscription } from 'rxjs';
import { screenLock } from '#shared/lock';
import type { Bus } from '../../base/bus/bus.ts';
import type { JsonStorage } from '../browser/storage.ts';
import { type Http, SessionLocked } from '../http/http.ts';
import { TransportError } from '../http/transport-error.ts';
import type { Locale } from '../i18n/locale.ts';
import { type Session, SignedIn, SignedOut } from '../session/session.ts';
import { sessionKeys } from '../session/session-keys.ts';
import { ownerOf } from '../session/stored-session.ts';
import { type LockOutcome, ScreenLock } from './screen-lock.ts';

/** Storage key that holds the account whose screen is locked. The password never reaches the storage of the browser. */
const lockKey = sessionKeys.lock;
/** Storage key that marks a lock the server has not confirmed yet. */
const unconfirmedKey = sessionKeys.unconfirmedLock;
/** Milliseconds between the confirmation of the lock and the lock page. */
const redirectDelayMs = 100;

/** Dependencies of `SessionLock`. */
export interface SessionLockDeps {
  readonly http: Http;
  readonly session: Session;
  readonly bus: Bus;
  readonly locale: Locale;
  readonly storage: JsonStorage;
}

/** Implements `ScreenLock` over the session on the server; browser tabs notify each other through storage events. */
export class SessionLock extends ScreenLock {
  private readonly subject: BehaviorSubject<boolean>;
  readonly isLocked$;
  private readonly lifetime = new Subscription();
  private reporting: Promise<LockOutcome> | undefined;

  constructor(private readonly deps: SessionLockDeps) {
    super();
    this.subject = new BehaviorSubject(this.isMarked());
    this.isLocked$ = this.subject.asObservable();
    const onStorage = ({ key }: StorageEvent) => {
      if (key === null || key === deps.storage.keyOf(lockKey)) this.subject.next(this.isMarked());
    };
    window.addEventListener('storage', onStorage);
    this.lifetime.add(() => window.removeEventListener('storage', onStorage));
    this.lifetime.add(deps.bus.on(SessionLocked, () => this.show()));
    this.lifetime.add(deps.bus.on(SignedOut, () => this.clear()));
    this.lifetime.add(deps.bus.on(SignedIn, () => this.clear()));
  }

  get isLocked(): boolean {
    return this.subject.value;
  }

  async lock(password = ''): Promise<LockOutcome> {
    const outcome = await this.outcomeOf(() => this.deps.http.send(screenLock.lock, { password }, { quiet: true }));
    if (outcome.success) setTimeout(() => this.show(), redirectDelayMs);
    return outcome;
  }

  async lockIdle(): Promise<void> {
    if (this.isLocked && !this.isUnconfirmed()) return;
    this.deps.storage.write(unconfirmedKey, true);
    this.show();
    await this.reportLock();
  }

  async unlock(password: string): Promise<LockOutcome> {
    // A lock that the server does not know of would be released by any password.
    const confirmation = this.isUnconfirmed() ? await this.reportLock() : { success: true as const };
    if (!confirmation.success) return confirmation;
    const outcome = await this.outcomeOf(() => this.deps.http.send(screenLock.unlock, { password }, { quiet: true }));
    if (outcome.success) this.clear();
    return outcome;
  }

  dispose(): void {
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  private show(): void {
    const { session, storage } = this.deps;
    if (!session.user) return;
    storage.write(lockKey, ownerOf(session.user));
    if (!this.isLocked) this.subject.next(true);
  }

  private reportLock(): Promise<LockOutcome> {
    this.reporting ??= this.outcomeOf(() => this.deps.http.send(screenLock.lock, { password: '' }, { quiet: true })).then((outcome) => {
      this.reporting = undefined;
      if (outcome.success) this.deps.storage.remove(unconfirmedKey);
      return outcome;
    });
    return this.reporting;
  }

  private isUnconfirmed(): boolean {
    return this.deps.storage.read(unconfirmedKey) === true;
  }

  private clear(): void {
    this.deps.storage.remove(unconfirmedKey);
    this.deps.storage.remove(lockKey);
    if (this.isLocked) this.subject.next(false);
  }

  private isMarked(): boolean {
    const { session, storage } = this.deps;
    return session.user !== undefined && storage.read(lockKey) === ownerOf(session.user);
  }

  private async outcomeOf(send: () => Promise<{ success: boolean; msg: string }>): Promise<LockOutcome> {
    try {
      const { success, msg } = await send();
      return success ? { success } : { success, message: msg };
    } catch (error) {
      if (error instanceof TransportError) return { success: false, message: this.deps.locale.t(error.localizedMessage) };
      throw error;
    }
  }
}
