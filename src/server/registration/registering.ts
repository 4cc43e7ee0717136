import { sql } from 'drizzle-orm';
import type { TokenInput, TokenReply } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { Email, Optional } from '#shared/fields';
import { type registerGuest, registrationProblems } from '#shared/registration';
import { SignInPhone } from '#shared/sign-in-ways';
import { fieldProblem } from '#shared/validation';
import { accountStatus } from '../auth/account-status.ts';
import type { Captchas } from '../auth/captchas.ts';
import { isStrong, type Passwords } from '../auth/passwords.ts';
import type { Guest } from '../auth/principal.ts';
import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import { rowsOf } from '../rows.ts';
import { nobodyReply } from '../sign-in-ways/arrivals.ts';
import type { OpenDoors } from '../sign-in-ways/open-doors.ts';
import type { RateLimiter } from '../sign-in-ways/rate-limiter.ts';
import type { Identities } from '../social/identities.ts';
import { platformTenant } from '../tenancy/identity.ts';

const accountForm = /^[^\s\p{C}]{1,64}$/u;
const tenantCode = /^[\w-]{1,12}$/;
const mostAnHour = 10;

/** What asking for an account is made of. */
export interface RegisteringParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly captchas: Captchas;
  readonly identities: Identities;
  readonly rateLimiter: RateLimiter;
  readonly doors: OpenDoors;
}

interface Applicant {
  readonly account: string;
  readonly name: string;
  /** Where the wish comes from: a source of identities, or `form`. */
  readonly source: string;
  readonly phone: string;
  readonly email: string;
  readonly oauthId?: string;
}

/** Asking for an account: it waits, without roles, until an administrator has decided. */
export class Registering {
  constructor(private readonly parts: RegisteringParts) {}

  /** With a guest's token, for the identity it was given for; the tenant is that of the stored identity. */
  async guest(input: InputOf<typeof registerGuest>, guest: Guest | undefined, origin: Origin): Promise<null> {
    const { db, identities, doors } = this.parts;
    if (!(await doors.guests())) throw new Refusal(registrationProblems.closed);
    if (!guest || (input.oauthId ?? '') !== guest.oauthId) throw new Refusal(registrationProblems.wrongIdentity);
    const account = this.accountOf(input.account);
    const hash = await this.hashOf(input.password, input.password2);
    await this.count(origin);
    await this.checkTenant(guest.tenantId);
    await db.write({ tenantId: guest.tenantId }, async () => {
      const identity = await identities.unbound(guest.oauthId);
      if (!identity) throw new Refusal(registrationProblems.wrongIdentity);
      const name = input.name?.trim() || identity.name || account;
      const userId = await this.apply({ account, name, source: identity.source, phone: '', email: '', oauthId: identity.id }, hash);
      await identities.bind(guest.tenantId, identity, userId);
    });
    return null;
  }

  /** The grant `register`: anybody, where the deployment says so. */
  async open(input: TokenInput, origin: Origin): Promise<TokenReply> {
    const { db, captchas, doors, passwords } = this.parts;
    if (!(await doors.everybody())) throw new Refusal({ ...registrationProblems.closed, status: 400 });
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    const account = this.accountOf(input.username);
    const phone = (passwords.read(input.phone ?? '').plain ?? '').trim();
    const email = (input.email ?? '').trim();
    const words = fieldProblem(SignInPhone, phone, false) ?? fieldProblem(Optional(Email({ title: ['邮箱', 'E-mail'] })), email, false);
    if (words) throw new Refusal({ status: 400, words });
    await captchas.check(origin.header('captcha-key'), origin.header('captcha-code'));
    const hash = await this.hashOf(input.password, undefined);
    await this.count(origin);
    await this.checkTenant(tenantId);
    await db.write({ tenantId }, () => this.apply({ account, name: input.name?.trim() || account, source: 'form', phone, email }, hash));
    return { ...nobodyReply(tenantId), account, user_name: account };
  }

  private accountOf(sent = ''): string {
    const account = sent.trim();
    if (account === '') throw new Refusal(registrationProblems.noAccount, {}, { field: 'account' });
    if (!accountForm.test(account)) throw new Refusal(problems.wrongParameter, { name: 'account' }, { field: 'account' });
    return account;
  }

  /** Takes tens of milliseconds, and no connection. */
  private async hashOf(sent: string | undefined, again: string | undefined): Promise<string> {
    const { passwords } = this.parts;
    if (!sent) throw new Refusal(registrationProblems.noPassword, {}, { field: 'password' });
    const password = passwords.read(sent);
    if (again !== undefined && passwords.read(again).canonical !== password.canonical)
      throw new Refusal(registrationProblems.passwordsDiffer, {}, { field: 'password2' });
    if (!isStrong(password)) throw new Refusal(signInProblems.weakPassword, {}, { field: 'password' });
    return passwords.hash(password);
  }

  private count({ address }: Origin): Promise<void> {
    return this.parts.rateLimiter.consume([{ kind: 'register', subject: address, max: mostAnHour, windowSeconds: 3600 }]);
  }

  private async checkTenant(tenantId: string): Promise<void> {
    const { db } = this.parts;
    const found = tenantCode.test(tenantId)
      ? await db.read({ tenantId }, () =>
          rowsOf(
            db,
            sql`select 1 from tenant where tenant_id = ${tenantId} and is_deleted = 0 and status = 1 and (expire_time is null or expire_time > now())`,
          ),
        )
      : [];
    if (found.length === 0) throw new Refusal(registrationProblems.wrongTenant);
  }

  /** The account that waits, and the wish for it. Runs inside a transaction of its tenant. */
  private async apply({ account, name, source, phone, email, oauthId }: Applicant, hash: string): Promise<string> {
    const { db } = this.parts;
    const cut = [...name].slice(0, 64).join('');
    const [row] = await rowsOf<{ id: string }>(
      db,
      sql`insert into user_account (account, password_hash, name, real_name, phone, email, status)
          values (${account}, ${hash}, ${cut}, ${cut}, ${phone || null}, ${email || null}, ${accountStatus.awaitingApproval})
          on conflict (tenant_id, lower(account)) where is_deleted = 0 do nothing returning id::text as id`,
    );
    if (!row) throw new Refusal(registrationProblems.accountTaken, {}, { field: 'account' });
    await db.sql.execute(
      sql`insert into registration (account, name, source, phone, email, user_id, oauth_id)
          values (${account}, ${cut}, ${source}, ${phone || null}, ${email || null}, ${row.id}, ${oauthId ?? null})`,
    );
    return row.id;
  }
}
