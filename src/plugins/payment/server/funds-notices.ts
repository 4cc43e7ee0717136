import { sql } from 'drizzle-orm';
import { idArray, type MailKind, queryRows, type ServerContext } from '#server';
import { type Funds, ledgerAccounts } from '../contract.ts';
import { ledgerMenu } from '../menus.ts';
import type { AdvertiserFunds } from './funds.ts';
import { usersWith } from './users-with.ts';

const receiptCode = 'receipt_add';
/** Advertisers whose money is judged in one transaction. */
const batchSize = 500;

const advice = ['请登记收款或调整授信额度', 'Record a receipt or raise the credit limit'] as const;

/** Topic of advertisers whose money is low. */
export const fundsMail: MailKind = {
  code: 'payment:low-funds',
  use: 'notification',
  title: ['广告主资金不足', 'Low funds of advertisers'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  action: ['查看资金流水', 'Open ledger'],
  sample: { title: ['「面包店」可用资金不足', 'Low funds: Bakery'], body: advice },
};

/**
 * Tells users who record receipts, once each time, that the money of an advertiser has fallen below the threshold or below zero. Amounts are left to the page, which knows who may
 * see them.
 */
export class FundsNotices {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'inbox'>,
    private readonly funds: AdvertiserFunds,
  ) {}

  /** Judges the advertisers of all tenants that have money, credit or work. */
  async runOnce(): Promise<void> {
    const { db } = this.context;
    const tenants = await db.asPlatform('finds advertisers with money or work', () =>
      queryRows<{ tenantId: string; ids: string[] }>(
        db,
        sql`select a.tenant_id as "tenantId", array_agg(a.id::text order by a.id) as ids from advertiser a where a.is_deleted = 0 and (
              exists (select from ledger_account k where k.tenant_id = a.tenant_id and k.advertiser_id = a.id and k.account = ${ledgerAccounts.advertiser})
              or exists (select from task t where t.tenant_id = a.tenant_id and t.advertiser_id = a.id and t.is_deleted = 0))
            group by a.tenant_id`,
      ),
    );
    for (const { tenantId, ids } of tenants)
      for (let start = 0; start < ids.length; start += batchSize) await this.notify(tenantId, ids.slice(start, start + batchSize));
  }

  private notify(tenantId: string, advertiserIds: readonly string[]): Promise<void> {
    const { db } = this.context;
    return db.write({ tenantId }, async () => {
      const funds = await this.funds.of(advertiserIds);
      const low = funds.filter(({ isLow }) => isLow);
      const recovered = funds.filter(({ isLow }) => !isLow).map(({ advertiserId }) => advertiserId);
      await db.sql.execute(sql`delete from advertiser_funds_notice where advertiser_id = any(${idArray(recovered)})`);
      const users = low.length > 0 ? await usersWith(db, tenantId, receiptCode) : [];
      // No user records receipts yet; the next round tries again.
      if (users.length === 0) return;
      const fresh = await queryRows<{ id: string }>(
        db,
        sql`insert into advertiser_funds_notice (tenant_id, advertiser_id) select ${tenantId}, id from unnest(${idArray(low.map(({ advertiserId }) => advertiserId))}) id
            on conflict do nothing returning advertiser_id::text as id`,
      );
      const freshIds = new Set(fresh.map(({ id }) => id));
      for (const one of low) if (freshIds.has(one.advertiserId)) await this.deliver(users, one);
    });
  }

  private deliver(users: readonly string[], { advertiserId, name }: Funds): Promise<void> {
    return this.context.inbox.deliver({
      users: [...users],
      kind: 'message',
      topic: fundsMail.code,
      title: [`「${name}」可用资金不足`, `Low funds: ${name}`],
      body: advice,
      link: `${ledgerMenu.path}/index?account=${ledgerAccounts.advertiser}&advertiserId=${advertiserId}`,
    });
  }
}
