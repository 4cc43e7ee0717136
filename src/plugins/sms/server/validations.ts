import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { ApiError, notDeleted, queryRows, type Repository, repositoryOf, type ServerContext } from '#server';
import type { ServerOptions } from '#shared/options';
import { SmsValidation, smsProblems } from '../contract.ts';
import type SmsOptions from '../options.ts';
import type { Sending } from './sending.ts';

const maxPerUser = 10;

/** User and tenant of the calling application. */
interface ValidationCaller {
  readonly tenantId: string;
  readonly userId: string;
}

/** Codes that verify phone numbers. They cannot be used to sign in. */
export class Validations {
  private readonly rows: Repository<typeof SmsValidation>;

  constructor(
    private readonly context: Pick<ServerContext<ServerOptions<typeof SmsOptions>>, 'db' | 'sms' | 'options'>,
    private readonly sending: Sending,
  ) {
    this.rows = repositoryOf(context.db, SmsValidation);
  }

  /** Sends a code and returns its id. Uses the configuration or template with this code, otherwise the one for sign-in codes. */
  async send({ tenantId, userId }: ValidationCaller, phone: string, code: string | null | undefined): Promise<string> {
    const { db, sms } = this.context;
    const minutes = this.context.options.codeMinutes;
    if (!code && !(await sms.isOffered(tenantId))) throw new ApiError(smsProblems.noneEnabled);
    const value = String(randomInt(1_000_000)).padStart(6, '0');
    const id = await db.write({ tenantId }, async () => {
      await this.sending.deliveries.mustNotBeTooMany([phone]);
      await this.mustNotAskTooOften(userId, phone);
      const [until] = await queryRows<{ at: string }>(db, sql`select to_char(now() + make_interval(mins => ${minutes}), 'YYYY-MM-DD HH24:MI:SS') as at`);
      return (await this.rows.save({ phone, value, tries: 0, goodUntil: until?.at ?? '' })).id;
    });
    if (code) await this.sending.deliver({ tenantId, code, phones: [phone], params: { code: value, minutes }, purpose: 'code' });
    else sms.send({ tenantId, phone, code: value, minutes });
    return id;
  }

  /** Counts each attempt, including refused ones; a correct code becomes invalid after use. */
  async check(tenantId: string, { id, phone, value }: { id: string; phone: string; value: string }): Promise<void> {
    const { db, options } = this.context;
    const isRight = await db.write({ tenantId }, async () => {
      const { table } = this.rows;
      const isOpen = and(eq(table.id, id), eq(table.phone, phone), lt(table.tries, options.codeTries), sql`${table.goodUntil} > now()`, notDeleted(table));
      const tries = sql`${table.tries} + 1`;
      const [row] = await db.sql.update(table).set({ tries }).where(isOpen).returning({ id: table.id });
      const storedCode = row ? ((await this.rows.decrypt(id, 'value')) ?? '') : '';
      const enteredCode = value.trim();
      if (storedCode.length !== enteredCode.length || storedCode === '' || !timingSafeEqual(Buffer.from(storedCode), Buffer.from(enteredCode))) return false;
      await db.sql.delete(table).where(eq(table.id, id));
      return true;
    });
    if (!isRight) throw new ApiError(smsProblems.wrongCode);
  }

  /** Limits requests even when no vendor logs deliveries. */
  private async mustNotAskTooOften(userId: string, phone: string): Promise<void> {
    const [recentCounts] = await queryRows<{ user: number; phone: number }>(
      this.context.db,
      sql`select count(*) filter (where create_user = ${userId})::integer as "user",
            count(*) filter (where phone = ${phone} and create_time > now() - interval '1 minute')::integer as phone
          from sms_validation where create_time > now() - interval '1 hour'`,
    );
    if ((recentCounts?.user ?? 0) >= maxPerUser || (recentCounts?.phone ?? 0) > 0) throw new ApiError(smsProblems.tooOften);
  }
}
