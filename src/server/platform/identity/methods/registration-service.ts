import { sql } from 'drizzle-orm';
import type { TokenInput, TokenReply } from '#shared/auth';
import type { InputOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { Email, Nullable } from '#shared/fields';
import { type registerGuest, registrationProblems } from '#shared/registration';
import { SignInPhone } from '#shared/sign-in-ways';
import { fieldProblem } from '#shared/validation';
import { platformTenant } from '../../../data/context/identity.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { Origin } from '../../http/route.ts';
import type { Guest } from '../../principal/principal.ts';
import { accountStatus } from '../accounts/account-status.ts';
import type { Captchas } from '../captcha/captchas.ts';
import type { Identities } from '../oauth/identities.ts';
import { nobodyReply } from '../oauth/oauth-callbacks.ts';
import type { RateLimiter } from '../oauth/rate-limiter.ts';
import type { RegistrationPolicy } from '../oauth/registration-policy.ts';
import type { Passwords } from '../passwords/passwords.ts';

const accountForm = /^[^\s\p{C}]{1,64}$/u;
const tenantCode = /^[\w-]{1,12}$/;
const mostAnHour = 10;

/** Dependencies of `RegistrationService`. */
export interface RegistrationDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly captchas: Captchas;
  readonly identities: Identities;
  readonly rateLimiter: RateLimiter;
  readonly doors: RegistrationPolicy;
}

interface Applicant {
  readonly account: string;
  readonly name: string;
  /** Origin of the request: a source of identities, or `form`. */
  readonly source: string;
  readonly phone: string;
  readonly email: string;
  readonly oauthId?: string;
}

/** Handles registration requests: the account has no roles and waits until an administrator decides. */
export class RegistrationService {
  constructor(private readonly deps: RegistrationDeps) {}

  /** Registers an external identity with its token; the tenant is that of the stored identity. */
  async guest(input: InputOf<typeof registerGuest>, guest: Guest | undefined, origin: Origin): Promise<void> {
    const { db, identities, doors } = this.deps;
    if (!(await doors.guests())) throw new ApiError(registrationProblems.closed);
    if (!guest || (input.oauthId ?? '') !== guest.oauthId) throw new ApiError(registrationProblems.wrongIdentity);
    const account = this.accountOf(input.account);
    const hash = await this.hashOf(input.password, input.password2, [account, input.name, guest.tenantId]);
    await this.count(origin);
    await this.checkTenant(guest.tenantId);
    await db.write({ tenantId: guest.tenantId }, async () => {
      const identity = await identities.unbound(guest.oauthId);
      if (!identity) throw new ApiError(registrationProblems.wrongIdentity);
      const name = input.name?.trim() || identity.name || account;
      const userId = await this.apply({ account, name, source: identity.source, phone: '', email: '', oauthId: identity.id }, hash);
      await identities.bind(guest.tenantId, identity, userId);
    });
  }

  /** Handles the grant `register`, open to everyone if the deployment allows it. */
  async open(input: TokenInput, origin: Origin): Promise<TokenReply> {
    const { db, captchas, doors, passwords } = this.deps;
    if (!(await doors.everybody())) throw new ApiError({ ...registrationProblems.closed, status: 400 });
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    const account = this.accountOf(input.username);
    const phone = (passwords.read(input.phone ?? '').plain ?? '').trim();
    const email = (input.email ?? '').trim();
    const words = fieldProblem(SignInPhone, phone, false) ?? fieldProblem(Nullable(Email({ title: ['邮箱', 'Email'] })), email, false);
    if (words) throw new ApiError({ status: 400, message: words });
    await captchas.check(origin.header('captcha-key'), origin.header('captcha-code'));
    const hash = await this.hashOf(input.password, undefined, [account, input.name, phone, email, tenantId]);
    await this.count(origin);
    await this.checkTenant(tenantId);
    await db.write({ tenantId }, () => this.apply({ account, name: input.name?.trim() || account, source: 'form', phone, email }, hash));
    return { ...nobodyReply(tenantId), account, user_name: account };
  }

  private accountOf(sent = ''): string {
    const account = sent.trim();
    if (account === '') throw new ApiError(registrationProblems.noAccount, {}, { field: 'account' });
    if (!accountForm.test(account)) throw new ApiError(problems.wrongParameter, { name: 'account' }, { field: 'account' });
    return account;
  }

  /** Checks and hashes a password; takes tens of milliseconds and no connection. */
  private async hashOf(sent: string | undefined, again: string | undefined, about: readonly (string | undefined)[]): Promise<string> {
    const { passwords } = this.deps;
    if (!sent) throw new ApiError(registrationProblems.noPassword, {}, { field: 'password' });
    const password = passwords.read(sent);
    if (again !== undefined && passwords.read(again).canonical !== password.canonical)
      throw new ApiError(registrationProblems.passwordsDiffer, {}, { field: 'password2' });
    await passwords.assertStrong(password, about, 'password');
    return passwords.hash(password);
  }

  private count({ address }: Origin): Promise<void> {
    return this.deps.rateLimiter.consume([{ kind: 'register', subject: address, max: mostAnHour, windowSeconds: 3600 }]);
  }

  private async checkTenant(tenantId: string): Promise<void> {
    const { db } = this.deps;
    const found = tenantCode.test(tenantId)
      ? await db.read({ tenantId }, () =>
          queryRows(
            db,
            sql`select 1 from tenant where tenant_id = ${tenantId} and is_deleted = 0 and status = 1 and (expire_time is null or expire_time > now())`,
          ),
        )
      : [];
    if (found.length === 0) throw new ApiError(registrationProblems.wrongTenant);
  }

  /** Creates the waiting account and its registration request. Runs inside a transaction of its tenant. */
  private async apply({ account, name, source, phone, email, oauthId }: Applicant, hash: string): Promise<string> {
    const { db } = this.deps;
    const cut = [...name].slice(0, 64).join('');
    const [row] = await queryRows<{ id: string }>(
      db,
      sql`insert into user_account (account, password_hash, name, real_name, phone, email, status)
          values (${account}, ${hash}, ${cut}, ${cut}, ${phone || null}, ${email || null}, ${accountStatus.awaitingApproval})
          on conflict (tenant_id, lower(account)) where is_deleted = 0 do nothing returning id::text as id`,
    );
    if (!row) throw new ApiError(registrationProblems.accountTaken, {}, { field: 'account' });
    await db.sql.execute(
      sql`insert into registration (account, name, source, phone, email, user_id, oauth_id)
          values (${account}, ${cut}, ${source}, ${phone || null}, ${email || null}, ${row.id}, ${oauthId ?? null})`,
    );
    return row.id;
  }
}
