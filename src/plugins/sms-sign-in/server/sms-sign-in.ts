import { sql } from 'drizzle-orm';
import { ApiError, type Origin, type Passwords, platformTenant, problems, queryRows, type ServerContext, type SignInPort, type SignInResult } from '#server';
import type { TokenInput } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { smsPerAddress, smsPerPhone, smsPerTenant } from '#shared/kernel-parameters';
import { fieldProblem } from '#shared/validation';
import { SignInPhone, type sendSmsCode } from '../code-contract.ts';
import { codeMinutes, type SmsCodes } from './sms-codes.ts';

const tenantCode = /^[\w-]{1,12}$/;
const hour = 3600;

/** Dependencies of `SmsSignIn`. */
export interface SmsSignInDeps extends Pick<ServerContext, 'db' | 'sms' | 'parameters'> {
  readonly passwords: Pick<Passwords, 'read'>;
  readonly signIn: SignInPort;
  readonly codes: SmsCodes;
}

/** Sign-in by text message: `oauth/sms/send-validate`, and the grant `sms_code`. An unknown phone number gets the same reply as a known one. */
export class SmsSignIn {
  constructor(private readonly deps: SmsSignInDeps) {}

  async send(input: InputOf<typeof sendSmsCode>, origin: Origin): Promise<{ id: string }> {
    const { sms, codes, signIn } = this.deps;
    const phone = this.phoneOf(input.phone);
    const tenantId = this.tenantOf(input.tenantId, origin);
    if (!(await signIn.isOffered('sms', tenantId))) throw new ApiError(signInMethodProblems.notOffered);
    await this.limit(tenantId, phone, origin.address);
    const userId = await this.userOf(tenantId, phone);
    const { id, code } = await codes.create({ tenantId, phone, userId });
    if (userId !== undefined) sms.send({ tenantId, phone, code, minutes: codeMinutes });
    return { id };
  }

  signIn(input: TokenInput, origin: Origin): SignInResult {
    const { id = '', value = '' } = input;
    if (id === '' || value === '') throw new ApiError(problems.missingParameter, { name: id === '' ? 'id' : 'value' });
    const phone = this.phoneOf(input.phone);
    const tenantId = this.tenantOf(input.tenantId, origin);
    return { tenantId, proof: { subject: phone, check: () => this.deps.codes.redeem(id, value, { tenantId, phone }), wrong: signInMethodProblems.wrongCode } };
  }

  private phoneOf(encrypted = ''): string {
    const phone = (this.deps.passwords.read(encrypted.trim()).plain ?? encrypted).trim();
    const message = fieldProblem(SignInPhone, phone, true);
    if (message) throw new ApiError({ status: 400, message }, {}, { field: 'phone' });
    return phone;
  }

  private tenantOf(requestedTenant: string | undefined, origin: Origin): string {
    const tenantId = requestedTenant || origin.header('tenant-id') || platformTenant;
    if (!tenantCode.test(tenantId)) throw new ApiError(problems.wrongParameter, { name: 'tenantId' });
    return tenantId;
  }

  private async limit(tenantId: string, phone: string, address: string): Promise<void> {
    const { signIn, parameters } = this.deps;
    await signIn.limit([
      { kind: 'sms-address', subject: address, max: await parameters.integer(smsPerAddress), windowSeconds: hour },
      { kind: 'sms-minute', subject: `${tenantId}/${phone}`, max: 1, windowSeconds: 60 },
      { kind: 'sms-phone', subject: `${tenantId}/${phone}`, max: await parameters.integer(smsPerPhone), windowSeconds: hour },
      { kind: 'sms-tenant', subject: tenantId, max: await parameters.integer(smsPerTenant, tenantId), windowSeconds: hour },
    ]);
  }

  /** Finds the user of a phone number, only if it belongs to exactly one account. */
  private async userOf(tenantId: string, phone: string): Promise<string | undefined> {
    const { db } = this.deps;
    const users = await db.read({ tenantId }, () =>
      queryRows<{ id: string }>(db, sql`select id::text as id from user_account where phone = ${phone} and is_deleted = 0 and status = 1 limit 2`),
    );
    return users.length === 1 ? users[0]?.id : undefined;
  }
}
