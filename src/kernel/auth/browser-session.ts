import { BehaviorSubject, Subscription } from 'rxjs';
import { oauth, type UserInfo, updatePassword } from '#shared/auth';
import type { Bus } from '../bus.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Answer, Http } from '../http/http.ts';
import { unknownError } from '../http/judgement.ts';
import type { Locale } from '../i18n/locale.ts';
import type { Toasts } from '../shell/toasts.ts';
import { type Credentials, type PasswordOutcome, Session, SignedIn, SignedOut, type SignInOutcome } from './session.ts';
import { recordOf, type SessionRecord, type StoredSession } from './stored-session.ts';
import { withTabLock } from './tab-lock.ts';

/** How often the token's age is looked at, and how long a sign-out waits for the server, in milliseconds. */
const tick = 10_000;
const farewell = 2000;

/** What the session is made of. */
export interface SessionParts {
  readonly http: () => Http;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: Locale;
  readonly stored: StoredSession;
  /** Age in seconds at which the token is refreshed. */
  readonly tokenTime: number;
  /** Names the lock that browser tabs share. */
  readonly lockName: string;
}

/** The kernel's `Session` over the token endpoint and this browser's storage. */
export class BrowserSession extends Session {
  private readonly subject: BehaviorSubject<UserInfo | undefined>;
  readonly user$;
  /** Another number after every sign-in and sign-out. */
  epoch = 0;
  private record: SessionRecord | undefined;
  private flight: Promise<boolean> | undefined;
  private readonly lifetime = new Subscription();

  constructor(private readonly parts: SessionParts) {
    super();
    this.record = parts.stored.read();
    this.subject = new BehaviorSubject(this.record?.user);
    this.user$ = this.subject.asObservable();
    const timer = setInterval(() => this.onTick(), tick);
    this.lifetime.add(() => clearInterval(timer));
    this.lifetime.add(parts.stored.changed$.subscribe(() => this.verify()));
    this.lifetime.add(() => parts.stored.dispose());
  }

  get user(): UserInfo | undefined {
    return this.subject.value;
  }

  get accessToken(): string {
    return this.record?.accessToken ?? '';
  }

  async signIn({ tenantId, username, password, captcha }: Credentials): Promise<SignInOutcome> {
    const headers = { 'Tenant-Id': tenantId, ...(captcha ? { 'Captcha-Key': captcha.key, 'Captcha-Code': captcha.code } : {}) };
    const input = { grant_type: 'captcha', tenantId, username, password, scope: 'all', type: 'account' };
    const answer = await this.asked(this.parts.http().send(oauth.token, input, { headers }));
    if (!answer.success) return { success: false, message: answer.msg };
    if (!answer.data.access_token || !answer.data.refresh_token) return { success: false, message: this.toasted(this.parts.locale.say(unknownError)) };
    this.begin(recordOf(answer.data), true);
    return { success: true, passwordExpired: answer.data.password_expired === true };
  }

  async signOut(): Promise<void> {
    if (!this.record) return;
    const { epoch } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const told = this.parts
      .http()
      .send(oauth.logout, {}, { quiet: true })
      .catch(() => undefined);
    await Promise.race([told, new Promise((resolve) => (timer = setTimeout(resolve, farewell)))]);
    clearTimeout(timer);
    if (this.epoch === epoch) this.close('chosen');
  }

  end(reason: 'refused' | 'elsewhere'): void {
    this.close(reason);
  }

  refresh(): Promise<boolean> {
    this.flight ??= this.renew().finally(() => (this.flight = undefined));
    return this.flight;
  }

  verify(): boolean {
    const stored = this.parts.stored.read();
    if (!stored) this.close('elsewhere');
    else if (stored.owner !== this.record?.owner) this.begin(stored, false);
    else this.adopt(stored);
    return this.record !== undefined;
  }

  async changePassword(oldPassword: string, newPassword: string, again: string): Promise<PasswordOutcome> {
    const answer = await this.asked(this.parts.http().send(updatePassword, { oldPassword, newPassword, newPassword1: again }));
    if (!answer.success) return { success: false, message: answer.msg };
    if (this.record) this.keep({ ...this.record, user: { ...this.record.user, password_expired: false } });
    return { success: true };
  }

  dispose(): void {
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  /** Refreshes unless another tab already has; its newer token is adopted instead. */
  private async renew(): Promise<boolean> {
    const failing = this.accessToken;
    const { epoch } = this;
    return withTabLock(this.parts.lockName, async () => {
      if (this.epoch !== epoch || !this.verify() || this.epoch !== epoch) return false;
      if (this.accessToken !== failing) return true;
      const renewed = await this.renewedRecord(this.record as SessionRecord);
      if (this.epoch !== epoch || !this.verify() || this.epoch !== epoch) return false;
      if (renewed && this.accessToken === failing) this.keep(renewed);
      return this.accessToken !== failing;
    });
  }

  /** A fresh record; nothing when the server refuses; rejects when it cannot say. */
  private async renewedRecord({ refreshToken, user }: SessionRecord): Promise<SessionRecord | undefined> {
    const input = { grant_type: 'refresh_token', refresh_token: refreshToken, tenantId: user.tenant_id, scope: 'all' };
    const answer = await this.parts.http().send(oauth.token, input, { quiet: true, headers: { 'Tenant-Id': user.tenant_id } });
    if (answer.success && answer.data.access_token && answer.data.refresh_token) return recordOf({ ...user, ...answer.data });
    if (!answer.success && (answer.code === 429 || answer.code >= 500)) throw new TransportError('unavailable', { code: answer.code });
    return undefined;
  }

  private onTick(): void {
    if (!this.verify() || !this.record) return;
    const age = Date.now() - this.record.savedAt;
    if (age >= 0 && age < this.parts.tokenTime * 1000) return;
    const failing = this.accessToken;
    this.refresh().then(
      (continued) => {
        if (!continued && this.accessToken === failing) this.close('refused');
      },
      () => undefined, // Nobody could say; the next tick asks again.
    );
  }

  private begin(record: SessionRecord, own: boolean): void {
    if (this.record) this.leave('elsewhere');
    this.epoch++;
    this.record = record;
    if (own) this.parts.stored.write(record);
    this.subject.next(record.user);
    this.parts.bus.emit(SignedIn, { userId: record.user.user_id, tenantId: record.user.tenant_id });
  }

  private close(reason: 'chosen' | 'refused' | 'elsewhere'): void {
    if (!this.record) return;
    this.parts.stored.clear();
    this.leave(reason);
  }

  private leave(reason: 'chosen' | 'refused' | 'elsewhere'): void {
    this.epoch++;
    this.record = undefined;
    this.subject.next(undefined);
    this.parts.bus.emit(SignedOut, { reason });
  }

  private keep(record: SessionRecord): void {
    this.parts.stored.write(record);
    this.adopt(record);
  }

  private adopt(record: SessionRecord): void {
    const differs = JSON.stringify(record.user) !== JSON.stringify(this.user);
    this.record = record;
    if (differs) this.subject.next(record.user);
  }

  /** The answer, or a failed one in the operator's words when there was none. */
  private async asked<Data>(sent: Promise<Answer<Data>>): Promise<Answer<Data>> {
    try {
      return await sent;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { success: false, code: error.code ?? 0, data: null, msg: this.toasted(this.parts.locale.say(error.words)) };
    }
  }

  private toasted(message: string): string {
    this.parts.toasts.error(message);
    return message;
  }
}
