import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  ApiError,
  type Database,
  isTenantId,
  type Origin,
  type Passwords,
  platformTenant,
  problems,
  queryRows,
  type ServerContext,
  type SignInPort,
  type SignInResult,
} from '#server';
import type { TokenInput } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { smsPerAddress, smsPerPhone, smsPerTenant } from '#shared/kernel-parameters';
import { fieldProblem } from '#shared/validation';
import { SignInPhone, type sendSmsCode } from '../code-contract.ts';

/** Minutes for which a code is valid. */
const codeMinutes = 5;
const maxAttempts = 5;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Owner of a code; no user for a phone number that does not belong to exactly one account. */
interface CodeOwner {
  readonly tenantId: string;
  readonly phone: string;
  readonly userId: string | undefined;
}

/** One-time codes of six digits, stored as keyed hashes; each allows five attempts within five minutes, and one success. */
export class SmsCodes {
  constructor(
    private readonly db: Database,
    private readonly keys: readonly [Uint8Array, ...Uint8Array[]],
  ) {}

  async create({ tenantId, phone, userId }: CodeOwner): Promise<{ id: string; code: string }> {
    const id = randomUUID();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await this.db.asPlatform('stores a verification code before sign-in', async () => {
      await this.db.sql.execute(
        sql`insert into sms_code (id, tenant_id, phone, user_id, code_hash, expires_at)
            values (${id}::uuid, ${tenantId}, ${phone}, ${userId ?? null}, ${hashOf(this.keys[0], id, code)}, now() + make_interval(mins => ${codeMinutes}))`,
      );
    });
    return { id, code };
  }

  /** Counts an attempt and returns the code's user; a correct code is deleted. */
  async redeem(id: string, value: string, { tenantId, phone }: Omit<CodeOwner, 'userId'>): Promise<string | undefined> {
    if (!uuidPattern.test(id)) return undefined;
    return this.db.asPlatform('checks a verification code before sign-in', async () => {
      const [row] = await queryRows<{ hash: string; userId: string | null }>(
        this.db,
        sql`update sms_code set attempts = attempts + 1
            where id = ${id}::uuid and tenant_id = ${tenantId} and phone = ${phone} and attempts < ${maxAttempts} and expires_at > now()
            returning code_hash as hash, user_id::text as "userId"`,
      );
      const isCorrect = ({ hash }: { readonly hash: string }) =>
        this.keys.some((key) => timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(key, id, value.trim()))));
      if (!row || !isCorrect(row)) return undefined;
      await this.db.sql.execute(sql`delete from sms_code where id = ${id}::uuid`);
      return row.userId ?? undefined;
    });
  }
}

const hashOf = (key: Uint8Array, id: string, code: string): string => createHmac('sha256', key).update(`${id.toLowerCase()}|${code}`).digest('hex');

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
    if (!isTenantId(tenantId)) throw new ApiError(problems.wrongParameter, { name: 'tenantId' });
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
