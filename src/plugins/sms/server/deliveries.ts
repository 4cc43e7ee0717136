import { type SQL, sql } from 'drizzle-orm';
import { Refusal, type Repository, repositoryOf, rowsOf, type ServerContext } from '#server';
import { SmsDelivery, type SmsRow, smsProblems } from '../contract.ts';
import type { Told } from './vendors/vendor.ts';

/** What a message is for. */
export type Purpose = 'code' | 'debug' | 'notice';
const outcomes = { underway: 0, accepted: 1, failed: 2 } as const;
const longestReason = 255;
const longestReceipt = 128;
const leastDays = 7;
const daysKept = 180;
const atOnce = 1000;

/** What was handed to vendors, and how often that may be. */
export class Deliveries {
  readonly rows: Repository<typeof SmsDelivery>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'parameters'>) {
    this.rows = repositoryOf(context.db, SmsDelivery);
  }

  /** Refuses what would be too often, for one of the phones or for the tenant. Codes are counted where they are asked for. */
  async mustNotBeTooMany(phones: readonly string[]): Promise<void> {
    const { db, parameters } = this.context;
    await db.lock('text messages sent');
    const list = `{${phones.join(',')}}`;
    const [counted] = await rowsOf<{ minute: number; phone: number; tenant: number }>(
      db,
      sql`select count(*) filter (where phone = any(${list}::text[]) and create_time > now() - interval '1 minute')::integer as minute,
            coalesce((select max(asked) from (select count(*)::integer as asked from sms_delivery
              where phone = any(${list}::text[]) and create_time > now() - interval '1 hour' group by phone) each), 0) as phone,
            count(*)::integer as tenant
          from sms_delivery where create_time > now() - interval '1 hour'`,
    );
    const { minute = 0, phone = 0, tenant = 0 } = counted ?? {};
    const [perPhone, perTenant] = [await parameters.whole('sms.perPhone', 5), await parameters.whole('sms.perTenant', 1000)];
    if (minute > 0 || phone >= Math.max(1, perPhone) || tenant + phones.length > Math.max(1, perTenant)) throw new Refusal(smsProblems.tooOften);
  }

  /** Notes that messages are on their way. */
  async begin({ smsCode, category }: SmsRow, phones: readonly string[], purpose: Purpose): Promise<string[]> {
    const begun: string[] = [];
    for (const phone of phones) begun.push((await this.rows.save({ phone, smsCode, category, purpose, outcome: outcomes.underway })).id);
    return begun;
  }

  async end(ids: readonly string[], told: Told): Promise<void> {
    const end =
      'receipt' in told
        ? { outcome: outcomes.accepted, receipt: told.receipt.slice(0, longestReceipt) || null }
        : { outcome: outcomes.failed, reason: told.reason.trim().slice(0, longestReason) || null };
    for (const id of ids) await this.rows.save({ id, ...end } as never);
  }

  /** Deletes what was sent longer ago than is kept, and codes nobody can answer any more. */
  async prune(): Promise<void> {
    const { db, parameters } = this.context;
    const days = Math.max(leastDays, await parameters.whole('sms.keepDays', daysKept));
    const gone = (table: string, age: SQL) =>
      db.asPlatform('what was sent long ago is deleted for all tenants together', () =>
        rowsOf(
          db,
          sql`delete from ${sql.identifier(table)} where id in (select id from ${sql.identifier(table)} where create_time < now() - ${age} order by create_time limit ${atOnce}) returning 1`,
        ),
      );
    for (const [table, age] of [
      ['sms_delivery', sql`make_interval(days => ${days})`],
      ['sms_validation', sql`interval '1 day'`],
    ] as const)
      while ((await gone(table, age)).length === atOnce);
  }
}
