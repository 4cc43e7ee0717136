import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';

/** Minutes for which a code is valid. */
export const codeMinutes = 5;
const maxAttempts = 5;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Owner of a code; no user for a phone number that does not belong to exactly one account. */
export interface CodeOwner {
  readonly tenantId: string;
  readonly phone: string;
  readonly userId: string | undefined;
}

/** One-time codes of six digits, stored as keyed hashes; each allows five attempts within five minutes, and one success. */
export class SmsCodes {
  constructor(
    private readonly db: Database,
    private readonly key: Uint8Array,
  ) {}

  async create({ tenantId, phone, userId }: CodeOwner): Promise<{ id: string; code: string }> {
    const id = randomUUID();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await this.db.asPlatform('stores a verification code before sign-in', async () => {
      await this.db.sql.execute(
        sql`insert into sms_code (id, tenant_id, phone, user_id, code_hash, expires_at)
            values (${id}::uuid, ${tenantId}, ${phone}, ${userId ?? null}, ${this.hash(id, code)}, now() + make_interval(mins => ${codeMinutes}))`,
      );
    });
    return { id, code };
  }

  /** Counts an attempt and returns the code's user; a correct code is deleted. */
  async redeem(id: string, value: string, { tenantId, phone }: Omit<CodeOwner, 'userId'>): Promise<string | undefined> {
    if (!uuid.test(id)) return undefined;
    return this.db.asPlatform('checks a verification code before sign-in', async () => {
      const [row] = await queryRows<{ hash: string; userId: string | null }>(
        this.db,
        sql`update sms_code set attempts = attempts + 1
            where id = ${id}::uuid and tenant_id = ${tenantId} and phone = ${phone} and attempts < ${maxAttempts} and expires_at > now()
            returning code_hash as hash, user_id::text as "userId"`,
      );
      const isCorrect = row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(this.hash(id, value.trim())));
      if (!isCorrect) return undefined;
      await this.db.sql.execute(sql`delete from sms_code where id = ${id}::uuid`);
      return row.userId ?? undefined;
    });
  }

  private hash(id: string, code: string): string {
    return createHmac('sha256', this.key).update(`${id.toLowerCase()}|${code}`).digest('hex');
  }
}
