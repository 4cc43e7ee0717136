import { sql } from 'drizzle-orm';
import {
  ApiError,
  createApplicant,
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
const tenantCode = /^[\w-]{1,12}$/;
const maxPerHour = 10;

/** Dependencies of `RegistrationService`. */
export interface RegistrationDeps extends Pick<ServerContext, 'db' | 'parameters'> {
  readonly passwords: Passwords;
  readonly signIn: SignInPort;
}

/** Handles registration requests: the account has no roles and waits until an administrator decides. */
export class RegistrationService {
  constructor(private readonly deps: RegistrationDeps) {}

  /** Allows unlinked external identities to register unless the parameter `account.registerUser` is `false`. */
  async isOpenToGuests(): Promise<boolean> {
    return (await this.policy()) !== 'false';
  }

  /** Allows everyone to register only if the parameter is `true`. */
  async isOpenToEveryone(): Promise<boolean> {
    return (await this.policy()) === 'true';
  }

  /** Registers an external identity with its token; the tenant is that of the stored identity. */
  async registerUnlinked(input: InputOf<typeof registerGuest>, guest: Principal['guest'], origin: Origin): Promise<void> {
    const { db, signIn } = this.deps;
    if (!(await this.isOpenToGuests())) throw new ApiError(registrationProblems.closed);
    if (!guest || (input.oauthId ?? '') !== guest.oauthId) throw new ApiError(registrationProblems.wrongIdentity);
    const account = this.accountOf(input.account);
    const hash = await this.hashOf(input.password, input.password2, [account, input.name, guest.tenantId]);
    await this.limitRate(origin);
    await this.checkTenant(guest.tenantId);
    await db.write({ tenantId: guest.tenantId }, async () => {
      const identity = await signIn.identities.findUnlinked(guest.oauthId);
      if (!identity) throw new ApiError(registrationProblems.wrongIdentity);
      const name = input.name?.trim() || identity.name || account;
      const userId = await createApplicant(db, { account, name, source: identity.source, phone: '', email: '', oauthId: identity.id, passwordHash: hash });
      await signIn.identities.link(guest.tenantId, identity, userId);
    });
  }

  /** Handles the grant `register`, open to everyone if the deployment allows it. */
  async registerVisitor(input: TokenInput, origin: Origin): Promise<SignInResult> {
    const { db, signIn, passwords } = this.deps;
    if (!(await this.isOpenToEveryone())) throw new ApiError({ ...registrationProblems.closed, status: 400 });
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    const account = this.accountOf(input.username);
    const phone = (passwords.read(input.phone ?? '').plain ?? '').trim();
    const email = (input.email ?? '').trim();
    const message = fieldProblem(ApplicantPhone, phone, false) ?? fieldProblem(Nullable(Email({ title: ['邮箱', 'Email'] })), email, false);
    if (message) throw new ApiError({ status: 400, message });
    await signIn.checkCaptcha(origin);
    const hash = await this.hashOf(input.password, undefined, [account, input.name, phone, email, tenantId]);
    await this.limitRate(origin);
    await this.checkTenant(tenantId);
    await db.write({ tenantId }, () => createApplicant(db, { account, name: input.name?.trim() || account, source: 'form', phone, email, passwordHash: hash }));
    return { tenantId, requested: { account } };
  }

  private async policy(): Promise<string> {
    return (await this.deps.parameters.text(registerUser)).trim().toLowerCase();
  }

  private accountOf(sent = ''): string {
    const account = sent.trim();
    if (account === '') throw new ApiError(registrationProblems.accountMissing, {}, { field: 'account' });
    if (!accountPattern.test(account)) throw new ApiError(problems.wrongParameter, { name: 'account' }, { field: 'account' });
    return account;
  }

  /** Checks and hashes a password; takes tens of milliseconds and no connection. */
  private async hashOf(sent: string | undefined, again: string | undefined, relatedTexts: readonly (string | undefined)[]): Promise<string> {
    const { passwords } = this.deps;
    if (!sent) throw new ApiError(registrationProblems.passwordMissing, {}, { field: 'password' });
    const password = passwords.read(sent);
    if (again !== undefined && passwords.read(again).canonical !== password.canonical)
      throw new ApiError(registrationProblems.passwordsDiffer, {}, { field: 'password2' });
    await passwords.assertStrong(password, relatedTexts, 'password');
    return passwords.hash(password);
  }

  private limitRate({ address }: Origin): Promise<void> {
    return this.deps.signIn.limit([{ kind: 'register', subject: address, max: maxPerHour, windowSeconds: 3600 }]);
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
}
