import { BehaviorSubject, Subscription } from 'rxjs';
import { oauth, type TokenFailure, type UserFacts, type UserInfo, updatePassword } from '#shared/auth';
import type { SessionEnding } from '#shared/session-ended';
import type { Bus } from '../../base/bus/bus.ts';
import type { Toasts } from '../feedback/toasts.ts';
import { unknownError } from '../http/envelope.ts';
import type { Answer, Http } from '../http/http.ts';
import { TransportError } from '../http/transport-error.ts';
import type { Locale } from '../i18n/locale.ts';
import {
  type ActingAs,
  type Credentials,
  type PasswordOutcome,
  RolesChanged,
  Session,
  SignedIn,
  SignedOut,
  type SignInGrant,
  type SignInOutcome,
  SwitchedElsewhere,
} from './session.ts';
import { ownerOf, recordOf, rolesOf, type SessionRecord, type StoredSession } from './stored-session.ts';
import { withTabLock } from './tab-lock.ts';

/** Interval between checks of the token's age, and the longest wait of a sign-out for the server, in milliseconds. */
const checkIntervalMs = 10_000;
const clearingDelayMs = 500;
const signOutTimeoutMs = 2000;

/** Dependencies of the session. */
export interface BrowserSessionDeps {
  readonly http: () => Http;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: Locale;
  readonly stored: StoredSession;
  /** Age in seconds at which the token is refreshed. */
  readonly tokenTime: number;
  /** True: the page of a session that the server refuses waits for its user; false: it is closed as by a sign-out. */
  readonly keepsPage: boolean;
  /** Name of the lock that browser tabs share. */
  readonly lockName: string;
}

/** Implements `Session` over the token endpoint and this browser's storage. */
export class BrowserSession extends Session {
  private readonly subject: BehaviorSubject<UserInfo | undefined>;
  readonly user$;
  /** Changes with every sign-in and sign-out. */
  epoch = 0;
  private record: SessionRecord | undefined;
  /** The last signed-in user, also after sign-out. */
  private lastUser: UserInfo | undefined;
  private refreshing: Promise<boolean> | undefined;
  private readonly lifetime = new Subscription();

  constructor(private readonly deps: BrowserSessionDeps) {
    super();
    this.record = deps.stored.read();
    this.lastUser = this.record?.user;
    this.subject = new BehaviorSubject(this.record?.user);
    this.user$ = this.subject.asObservable();
    // Reading cookies is slow, because another process of the browser holds them: traces of an ended session are cleared after the sign-in form has appeared.
    const clearTimer = setTimeout(() => this.verify(), clearingDelayMs);
    const timer = setInterval(() => this.onTick(), checkIntervalMs);
    this.lifetime.add(() => {
      clearTimeout(clearTimer);
      clearInterval(timer);
    });
    this.lifetime.add(deps.stored.changed$.subscribe(() => this.verify()));
    this.lifetime.add(() => deps.stored.dispose());
  }

  get user(): UserInfo | undefined {
    return this.subject.value;
  }

  get accessToken(): string {
    return this.record?.accessToken ?? '';
  }

  get hasSignedInSinceLoad(): boolean {
    return this.epoch > 0;
  }

  signIn({ tenantId, username, password, captcha }: Credentials): Promise<SignInOutcome> {
    const headers = captcha ? { 'Captcha-Key': captcha.key, 'Captcha-Code': captcha.code } : {};
    return this.requestToken({ grant_type: 'captcha', tenantId, username, password, scope: 'all', type: 'account' }, headers);
  }

  signInBy(grant: SignInGrant): Promise<SignInOutcome> {
    return this.requestToken({ scope: 'all', ...grant });
  }

  async signOut(): Promise<void> {
    if (!this.record) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { accessToken } = this;
    const logoutRequest = this.deps
      .http()
      .send(oauth.logout, {}, { quiet: true, headers: { 'Things-Auth': `bearer ${accessToken}` } })
      .catch(() => undefined);
    this.close('chosen');
    await Promise.race([logoutRequest, new Promise((resolve) => (timer = setTimeout(resolve, signOutTimeoutMs)))]);
    clearTimeout(timer);
  }

  end(reason: 'refused' | 'elsewhere', ending?: SessionEnding): void {
    this.close(reason, ending);
  }

  refresh(): Promise<boolean> {
    this.refreshing ??= this.renew().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  async actAs({ deptId, roleId }: ActingAs): Promise<boolean> {
    await this.refreshing?.catch(() => undefined);
    this.refreshing = this.renew({ 'Dept-Id': deptId, 'Role-Id': roleId }).finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  verify(): boolean {
    const stored = this.deps.stored.read();
    if (!stored && !this.record) this.deps.stored.clearIfEmptied();
    else if (!stored) this.closeAsOtherTab();
    else if (stored.owner !== this.record?.owner) this.begin(stored, false);
    else this.adopt(stored);
    return this.record !== undefined;
  }

  async changePassword(oldPassword: string, newPassword: string, again: string): Promise<PasswordOutcome> {
    const answer = await this.answerOf(this.deps.http().send(updatePassword, { oldPassword, newPassword, newPassword1: again }, { quiet: true }));
    if (!answer.success) return { success: false, message: this.showError(answer.msg) };
    if (this.record) this.store({ ...this.record, user: { ...this.record.user, password_expired: false } });
    return { success: true };
  }

  updateProfile(change: Partial<Pick<UserInfo, 'avatar' | 'nick_name'>>): void {
    if (this.record) this.store({ ...this.record, user: { ...this.record.user, ...change } });
  }

  updateRoles(facts: UserFacts): void {
    if (this.record) this.store({ ...this.record, user: { ...this.record.user, ...withDefaults(facts) } });
  }

  dispose(): void {
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  private async requestToken(grant: SignInGrant, headers: Readonly<Record<string, string>> = {}): Promise<SignInOutcome> {
    const answer = await this.answerOf(this.deps.http().send(oauth.token, grant, { quiet: true, headers: { 'Tenant-Id': grant.tenantId, ...headers } }));
    if (!answer.success) {
      const { error, mfa_token, mfa_methods = ['totp'] } = (answer.body ?? {}) as Partial<TokenFailure>;
      if (error === 'mfa_required' && mfa_token) return { success: false, message: answer.msg, secondFactor: { token: mfa_token, methods: mfa_methods } };
      return { success: false, message: this.showError(answer.msg) };
    }
    if (!answer.data.access_token) return { success: false, message: this.showError(this.deps.locale.t(unknownError)) };
    if (isUnlinked(answer.data.user_id)) return { success: false, message: '', guest: answer.data };
    if (!answer.data.refresh_token) return { success: false, message: this.showError(this.deps.locale.t(unknownError)) };
    this.begin(recordOf(answer.data), true);
    return { success: true, passwordExpired: answer.data.password_expired === true };
  }

  /** Refreshes unless another tab already has; its newer token is adopted instead. With headers the server is always asked. */
  private async renew(headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const failing = this.accessToken;
    const { epoch } = this;
    return withTabLock(this.deps.lockName, async (hasWaited) => {
      if (hasWaited) await this.deps.stored.waitForNewToken(failing);
      if (this.epoch !== epoch || !this.verify() || this.epoch !== epoch) return false;
      if (this.accessToken !== failing && Object.keys(headers).length === 0) return true;
      const current = this.accessToken;
      const renewed = await this.renewedRecord(this.record as SessionRecord, headers);
      if (this.epoch !== epoch || !this.verify() || this.epoch !== epoch) return false;
      if (renewed && this.accessToken === current) this.store(renewed);
      return this.accessToken !== current;
    });
  }

  /** Resolves with a new record, or with `undefined` when the server refuses; the session ends here when the server says how it has ended. Rejects without an answer. */
  private async renewedRecord({ refreshToken, user }: SessionRecord, headers: Readonly<Record<string, string>>): Promise<SessionRecord | undefined> {
    const input = { grant_type: 'refresh_token', refresh_token: refreshToken, tenantId: user.tenant_id, scope: 'all' };
    const answer = await this.deps.http().send(oauth.token, input, { quiet: true, headers: { 'Tenant-Id': user.tenant_id, ...headers } });
    if (answer.success && answer.data.access_token && answer.data.refresh_token) return recordOf({ ...user, ...absentFacts, ...answer.data });
    if (answer.success) return undefined;
    if (answer.code === 429 || answer.code >= 500) throw new TransportError('unavailable', { code: answer.code });
    const { ending } = (answer.body ?? {}) as Partial<TokenFailure>;
    if (ending && this.verify() && this.record?.refreshToken === refreshToken) this.close('refused', ending);
    return undefined;
  }

  private onTick(): void {
    if (!this.verify() || !this.record) return;
    const age = Date.now() - this.record.savedAt;
    if (age >= 0 && age < this.deps.tokenTime * 1000) return;
    const failing = this.accessToken;
    this.refresh().then(
      (continued) => {
        if (!continued && this.accessToken === failing) this.close('refused');
      },
      () => undefined, // Without an answer the next tick tries again.
    );
  }

  private begin(record: SessionRecord, isOwn: boolean): void {
    const before = this.record?.user ?? this.lastUser;
    if (this.record) this.leave('elsewhere');
    this.epoch++;
    this.record = record;
    this.lastUser = record.user;
    if (isOwn) this.deps.stored.write(record);
    this.subject.next(record.user);
    this.deps.bus.emit(SignedIn, { userId: record.user.user_id, tenantId: record.user.tenant_id });
    if (!isOwn && before && ownerOf(before) !== record.owner) this.deps.bus.emit(SwitchedElsewhere, { from: nameOf(before), to: nameOf(record.user) });
  }

  private close(reason: 'chosen' | 'refused' | 'elsewhere', ending?: SessionEnding): void {
    if (!this.record) return;
    this.deps.stored.clear(reason === 'refused' ? { owner: this.record.owner, ending } : undefined);
    this.leave(reason, ending);
    if (reason !== 'refused' || !this.deps.keepsPage) this.deps.stored.clearTraces();
  }

  /** Ends the session after another tab has ended it, for the same reason. */
  private closeAsOtherTab(): void {
    const { ended } = this.deps.stored;
    const isOurs = ended !== undefined && ended.owner === this.record?.owner;
    if (isOurs) this.close('refused', ended.ending);
    else this.close('elsewhere');
  }

  private leave(reason: 'chosen' | 'refused' | 'elsewhere', ending?: SessionEnding): void {
    this.epoch++;
    this.record = undefined;
    this.subject.next(undefined);
    this.deps.bus.emit(SignedOut, { reason, ...(ending ? { ending } : {}) });
  }

  private store(record: SessionRecord): void {
    this.deps.stored.write(record);
    this.adopt(record);
  }

  private adopt(record: SessionRecord): void {
    const before = this.user;
    this.record = record;
    if (JSON.stringify(record.user) === JSON.stringify(before)) return;
    this.subject.next(record.user);
    if (before && roleKeyOf(before) !== roleKeyOf(record.user))
      this.deps.bus.emit(RolesChanged, { userId: record.user.user_id, tenantId: record.user.tenant_id });
  }

  /** Returns the answer; a transport error becomes a failed answer with a message in the operator's language. */
  private async answerOf<Data>(sent: Promise<Answer<Data>>): Promise<Answer<Data>> {
    try {
      return await sent;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { success: false, code: error.code ?? 0, data: null, msg: this.deps.locale.t(error.localizedMessage) };
    }
  }

  private showError(message: string): string {
    this.deps.toasts.error(message);
    return message;
  }
}

/** Values of the facts that the server leaves out. */
const absentFacts = { is_preview: false, roleNameEn: '', second_factor_missing: false };

const withDefaults = (facts: UserFacts) => ({ ...absentFacts, ...facts, roles: rolesOf(facts) });

/** A third-party sign-in that is linked to no user has no user id, or a negative one. */
const isUnlinked = (userId: string | undefined) => !userId || Number(userId) < 0;

const nameOf = ({ real_name, user_name, account }: UserInfo) => real_name || user_name || account;

/** Identifies the roles and the department the user acts in. */
const roleKeyOf = ({ role_id, role_name, dept_id }: UserInfo) => [role_id, role_name, dept_id].join(';');
