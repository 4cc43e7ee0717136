import { type SQL, sql } from 'drizzle-orm';
import { ApiError, queryRows, type Repository, repositoryOf, type ServerContext } from '#server';
import { smsPerPhone, smsPerTenant } from '#shared/kernel-parameters';
import { retentionDays, SmsDelivery, type SmsRow, smsProblems } from '../contract.ts';
import type { VendorResult } from './vendors/vendor.ts';

/** Purpose of a message. */
export type Purpose = 'code' | 'debug' | 'notice';
const outcome = { sending: 0, accepted: 1, failed: 2 } as const;
const maxReasonLength = 255;
const maxReceiptLength = 128;
const batchSize = 1000;

function outcomeFor(phone: string, result: VendorResult) {
  if ('receipt' in result) return { outcome: outcome.accepted, receipt: result.receipt.slice(0, maxReceiptLength) || null };
  if (result.refusedPhones && !result.refusedPhones.includes(phone)) return { outcome: outcome.accepted };
  return { outcome: outcome.failed, reason: result.reason.trim().slice(0, maxReasonLength) || null };
}

/** Log of messages sent to vendors, and their rate limits. */
export class Deliveries {
  readonly rows: Repository<typeof SmsDelivery>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'parameters'>) {
    this.rows = repositoryOf(context.db, SmsDelivery);
  }

  /** Refuses messages above the limit of a phone or the tenant. Verification codes are limited where they are requested. */
  async assertWithinLimits(phones: readonly string[]): Promise<void> {
    const { db, parameters } = this.context;
    await db.lock('text messages sent');
    const list = `{${phones.join(',')}}`;
    const [counts] = await queryRows<{ minute: number; phone: number; tenant: number }>(
      db,
      sql`select count(*) filter (where phone = any(${list}::text[]) and create_time > now() - interval '1 minute')::integer as minute,
            coalesce((select max(count) from (select count(*)::integer as count from sms_delivery
              where phone = any(${list}::text[]) and create_time > now() - interval '1 hour' group by phone) each), 0) as phone,
            count(*)::integer as tenant
          from sms_delivery where create_time > now() - interval '1 hour'`,
    );
    const { minute = 0, phone = 0, tenant = 0 } = counts ?? {};
    const [perPhone, perTenant] = [await parameters.integer(smsPerPhone), await parameters.integer(smsPerTenant, db.scope?.tenantId)];
    if (minute > 0 || phone >= perPhone || tenant + phones.length > perTenant) throw new ApiError(smsProblems.tooOften);
  }

  /** Records messages before they are sent; returns their ids. */
  async begin({ smsCode, category }: SmsRow, phones: readonly string[], purpose: Purpose): Promise<string[]> {
    const ids: string[] = [];
    for (const phone of phones) ids.push((await this.rows.save({ phone, smsCode, category, purpose, outcome: outcome.sending })).id);
    return ids;
  }

  /** Records the result of messages whose ids are in the order of the phones. */
  async end(ids: readonly string[], phones: readonly string[], result: VendorResult): Promise<void> {
    for (const [index, id] of ids.entries()) await this.rows.save({ id, ...outcomeFor(phones[index] ?? '', result) });
  }

  /** Deletes deliveries after the retention period, and expired codes. */
  async prune(): Promise<void> {
    const { db, parameters } = this.context;
    const days = await parameters.integer(retentionDays);
    const deleteBatch = (table: string, age: SQL) =>
      db.asPlatform('deletes old message records of all tenants', () =>
        queryRows(
          db,
          sql`delete from ${sql.identifier(table)} where id in (select id from ${sql.identifier(table)} where create_time < now() - ${age} order by create_time limit ${batchSize}) returning 1`,
        ),
      );
    for (const [table, age] of [
      ['sms_delivery', sql`make_interval(days => ${days})`],
      ['sms_validation', sql`interval '1 day'`],
    ] as const)
      while ((await deleteBatch(table, age)).length === batchSize);
  }
}
