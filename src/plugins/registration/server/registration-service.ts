import { sql } from 'drizzle-orm';
import {
  ApiError,
  createApplicant,
  isTenantId,
  type Origin,
  type Passwords,
  type Principal,
  platformTenant,
  problems,
  queryRows,
  type ServerContext,
  type SignInPort,
  type SignInResult,
} from '#server';
import type { TokenInput } from '#shared/auth';
import type { InputOf } from '#shared/contract';
import { Email, Nullable } from '#shared/fields';
import { registerUser } from '#shared/kernel-parameters';
import { registrationProblems } from '#shared/registration';
import { fieldProblem } from '#shared/validation';
import { ApplicantPhone, type registerGuest } from '../guest-contract.ts';

const accountPattern = /^[^\s\p{C}]{1,64}$/u;
const maxPerHour = 10;

/** Dependencies of `RegistrationService`. */
export interface RegistrationDeps extends Pick<ServerContext, 'db' | 'parameters'> {
  readonly passwords: Passwords;
  readonly signIn: SignInPort;
}

/** Handles registration requests: the account has no roles and waits until an administrator decides. */
export class RegistrationService {
  constructor(private readonly deps: RegistrationDeps) {}

  /** Returns whether users with an unlinked identity can request an account; only the value `false` of `account.registerUser` forbids it. */
  async isOpenToUnlinked(): Promise<boolean> {
    return (await this.registerUserSetting()) !== 'false';
  }

  /** Returns whether all visitors can request an account; only the value `true` of `account.registerUser` allows it. */
  async isOpenToVisitors(): Promise<boolean> {
    return (await this.registerUserSetting()) === 'true';
  }

  /** Registers the unlinked identity that the caller's token names; the tenant is that of the stored identity. */
  async registerUnlinked(input: InputOf<typeof registerGuest>, unlinkedIdentity: Principal['guest'], origin: Origin): Promise<void> {
    const { db, signIn, passwords } = this.deps;
    if (!(await this.isOpenToUnlinked())) throw new ApiError(registrationProblems.closed);
    if (!unlinkedIdentity || (input.oauthId ?? '') !== unlinkedIdentity.oauthId) throw new ApiError(registrationProblems.wrongIdentity);
    const account = this.parseAccount(input.account);
    const { tenantId, oauthId } = unlinkedIdentity;
    const password = await this.acceptedPassword(input.password, input.password2, [account, input.name, tenantId]);
    await this.limitRate(origin);
    await this.checkTenant(tenantId);
    const passwordHash = await passwords.hash(password);
    await db.write({ tenantId }, async () => {
      const identity = await signIn.identities.findUnlinked(oauthId);
      if (!identity) throw new ApiError(registrationProblems.wrongIdentity);
      const name = input.name?.trim() || identity.name || account;
      const userId = await createApplicant(db, { account, name, source: identity.source, phone: '', email: '', oauthId: identity.id, passwordHash });
      await signIn.identities.link(tenantId, identity, userId);
    });
  }

  /** Registers a visitor who requests a token with the grant type `register`. */
  async registerVisitor(input: TokenInput, origin: Origin): Promise<SignInResult> {
    const { db, signIn, passwords } = this.deps;
    if (!(await this.isOpenToVisitors())) throw new ApiError({ ...registrationProblems.closed, status: 400 });
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    const account = this.parseAccount(input.username);
    // Consoles may encrypt a phone number as they encrypt a password.
    const phone = (passwords.read(input.phone ?? '').plain ?? '').trim();
    const email = (input.email ?? '').trim();
    const invalid = {
      phone: fieldProblem(ApplicantPhone, phone, false),
      email: fieldProblem(Nullable(Email({ title: ['邮箱', 'Email'] })), email, false),
    };
    for (const [field, message] of Object.entries(invalid)) if (message) throw new ApiError({ status: 400, message }, {}, { field });
    await signIn.checkCaptcha(origin);
    const password = await this.acceptedPassword(input.password, undefined, [account, input.name, phone, email, tenantId]);
    await this.limitRate(origin);
    await this.checkTenant(tenantId);
    const passwordHash = await passwords.hash(password);
    await db.write({ tenantId }, () => createApplicant(db, { account, name: input.name?.trim() || account, source: 'form', phone, email, passwordHash }));
    return { tenantId, requested: { account } };
  }

  private async registerUserSetting(): Promise<string> {
    return (await this.deps.parameters.text(registerUser)).trim().toLowerCase();
  }

  private parseAccount(sent = ''): string {
    const account = sent.trim();
    if (account === '') throw new ApiError(registrationProblems.accountMissing, {}, { field: 'account' });
    if (!accountPattern.test(account)) throw new ApiError(problems.wrongParameter, { name: 'account' }, { field: 'account' });
    return account;
  }

  /** Reads a password; throws for a missing one, one that differs from its confirmation and a weak one. */
  private async acceptedPassword(
    sent: string | undefined,
    confirmation: string | undefined,
    relatedTexts: readonly (string | undefined)[],
  ): Promise<ReturnType<Passwords['read']>> {
    const { passwords } = this.deps;
    if (!sent) throw new ApiError(registrationProblems.passwordMissing, {}, { field: 'password' });
    const password = passwords.read(sent);
    if (confirmation !== undefined && passwords.read(confirmation).canonical !== password.canonical)
      throw new ApiError(registrationProblems.passwordsDiffer, {}, { field: 'password2' });
    await passwords.assertStrong(password, relatedTexts, 'password');
    return password;
  }

  private limitRate({ address }: Origin): Promise<void> {
    return this.deps.signIn.limit([{ kind: 'register', subject: address, max: maxPerHour, windowSeconds: 3600 }]);
  }

  private async checkTenant(tenantId: string): Promise<void> {
    const { db } = this.deps;
    const found = isTenantId(tenantId)
      ? await db.read({ tenantId }, () =>
          queryRows(
            db,
            sql`select 1 from tenant where tenant_id = ${tenantId} and is_deleted = 0 and status = 1 and (expire_time is null or expire_time > now())`,
          ),
        )
      : [];
    if (found.length === 0) throw new ApiError(registrationProblems.wrongTenant);
  }
}
