import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { ApiError, isActive, type PluginRoute, queryRows, type Repository, repositoryOf, route, type ServerContext } from '#server';
import type { ServerOptions } from '#shared/options';
import { SmsValidation, sms, smsProblems } from '../contract.ts';
import type SmsOptions from '../options.ts';
import type { VendorChannel } from './vendor-channel.ts';

type SmsContext = ServerContext<ServerOptions<typeof SmsOptions>>;

/** Maximum number of codes per user and hour. */
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
    private readonly context: Pick<SmsContext, 'db' | 'sms' | 'options'>,
    private readonly channel: VendorChannel,
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
      await this.channel.deliveries.assertWithinLimits([phone]);
      await this.assertRequestRate(userId, phone);
      const [expiry] = await queryRows<{ at: string }>(db, sql`select to_char(now() + make_interval(mins => ${minutes}), 'YYYY-MM-DD HH24:MI:SS') as at`);
      return (await this.rows.save({ phone, value, tries: 0, goodUntil: expiry?.at ?? '' })).id;
    });
    if (code) await this.channel.deliver({ tenantId, code, phones: [phone], params: { code: value, minutes }, purpose: 'code' });
    else sms.send({ tenantId, phone, code: value, minutes });
    return id;
  }

  /** Counts each attempt, including refused ones; a correct code becomes invalid after use. */
  async check(tenantId: string, { id, phone, value }: { id: string; phone: string; value: string }): Promise<void> {
    const { db, options } = this.context;
    const isCorrect = await db.write({ tenantId }, async () => {
      const { table } = this.rows;
      const isValid = and(eq(table.id, id), eq(table.phone, phone), lt(table.tries, options.codeTries), sql`${table.goodUntil} > now()`, isActive(table));
      const tries = sql`${table.tries} + 1`;
      const [row] = await db.sql.update(table).set({ tries }).where(isValid).returning({ id: table.id });
      const storedCode = row ? ((await this.rows.decrypt(id, 'value')) ?? '') : '';
      const enteredCode = value.trim();
      if (storedCode.length !== enteredCode.length || storedCode === '' || !timingSafeEqual(Buffer.from(storedCode), Buffer.from(enteredCode))) return false;
      await db.sql.delete(table).where(eq(table.id, id));
      return true;
    });
    if (!isCorrect) throw new ApiError(smsProblems.wrongCode);
  }

  /** Limits requests even when no vendor logs deliveries. */
  private async assertRequestRate(userId: string, phone: string): Promise<void> {
    const [recentCounts] = await queryRows<{ user: number; phone: number }>(
      this.context.db,
      sql`select count(*) filter (where create_user = ${userId})::integer as "user",
            count(*) filter (where phone = ${phone} and create_time > now() - interval '1 minute')::integer as phone
          from sms_validation where create_time > now() - interval '1 hour'`,
    );
    if ((recentCounts?.user ?? 0) >= maxPerUser || (recentCounts?.phone ?? 0) > 0) throw new ApiError(smsProblems.tooOften);
  }
}

/** Serves the calls by which applications verify phone numbers. */
export function validationRoutes(context: SmsContext, channel: VendorChannel): PluginRoute[] {
  const validations = new Validations(context, channel);

  return [
    route(
      sms.sendValidate,
      async ({ input: { code, phone }, principal }) => ({ id: await validations.send(principal, phone, code), phone, value: '', success: true }),
      { manualTransactions: true },
    ),
    route(
      sms.validateMessage,
      async ({ input, principal: { tenantId } }) => {
        await validations.check(tenantId, input);
        return true as const;
      },
      { manualTransactions: true },
    ),
  ];
}
