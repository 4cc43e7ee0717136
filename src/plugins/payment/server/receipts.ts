import { sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { publishingLock } from '#plugins/task/server-extension';
import {
  ApiError,
  hasFullAccess,
  type Principal,
  queryRows,
  type Repository,
  recordChange,
  repositoryOf,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { InputOf } from '#shared/contract';
import { LedgerPosting, ledgerAccounts, paymentProblems, Receipt, type ReceiptRow, type receipt, receiptKinds, receiptStates } from '../contract.ts';
import { notifyReceiptApprovers } from './approver-notices.ts';
import type { AdvertiserFunds } from './funds.ts';
import type { Ledger } from './ledger.ts';
import type { LimitSettings } from './limits.ts';
import { storedFiles } from './stored-files.ts';
import { formatYuan } from './yuan.ts';

/** Receipt to be written. The amount is signed as on the advertiser's account, and the voucher has stored links. */
type ReceiptDraft = Pick<ReceiptRow, 'advertiserId' | 'amount' | 'kind'> & {
  readonly remark?: string | null | undefined;
  readonly voucher?: readonly string[] | null;
  readonly reverses?: string;
};
type StoredReceipt = ReceiptDraft & Pick<ReceiptRow, 'id' | 'state' | 'createUser'>;

/** Records money received from advertisers and refunded to them. Above the limit of the tenant it enters the ledger only after another user has approved it. */
export class Receipts {
  readonly rows: Repository<typeof Receipt>;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'inbox'>,
    private readonly ledger: Ledger,
    private readonly funds: AdvertiserFunds,
    private readonly limits: LimitSettings,
  ) {
    const { db } = context;
    const { advertiserId, entryId } = tableOf(Receipt);
    // A receipt is for users who may see its advertiser and, once recorded, its posting.
    this.rows = repositoryOf(db, Receipt, {
      where: () =>
        hasFullAccess(Advertiser.name) && hasFullAccess(LedgerPosting.name)
          ? sql`true`
          : sql`${advertiserId} in (select a.id from advertiser a where ${visibleRows(db, Advertiser.name, 'a')}) and (${entryId} is null
              or ${entryId} in (select p.entry_id from ledger_posting p where p.account = ${ledgerAccounts.advertiser} and ${visibleRows(db, LedgerPosting.name, 'p')}))`,
    });
  }

  /** A refund leaves what is reserved and owed. */
  async record(by: Principal, { advertiserId, amount, remark, voucher }: InputOf<typeof receipt.submit>): Promise<ReceiptRow> {
    if (amount === 0) throw new ApiError(paymentProblems.zeroAmount, {}, { field: 'amount' });
    await this.lock(by.tenantId);
    if (!(await this.isVisible(advertiserId))) throw new ApiError(paymentProblems.noAdvertiser, {}, { field: 'advertiserId' });
    if (amount < 0) await this.assertRefundable(advertiserId, -amount);
    const kind = amount > 0 ? receiptKinds.received : receiptKinds.refunded;
    return this.submit(by, { advertiserId, amount, kind, remark, voucher: await storedFiles(this.context.db, voucher ?? []) });
  }

  /** Reverses a receipt or a refund, once. The reversal of a receipt leaves what is reserved and owed, as a refund does. */
  async reverse(by: Principal, { id, remark }: InputOf<typeof receipt.reverse>): Promise<ReceiptRow> {
    await this.lock(by.tenantId);
    const { entryId, advertiserId, amount, kind, state } = await this.rows.detail(id);
    if (state === receiptStates.reversed) throw new ApiError(paymentProblems.alreadyReversed);
    if (state !== receiptStates.recorded || kind === receiptKinds.reversed || entryId === null) throw new ApiError(paymentProblems.notReversible);
    const [earlier] = await queryRows(this.context.db, sql`select from receipt where reverses = ${entryId} and state = ${receiptStates.awaiting}`);
    if (earlier) throw new ApiError(paymentProblems.alreadyReversed);
    if (amount > 0) await this.assertRefundable(advertiserId, amount);
    return this.submit(by, { advertiserId, amount: -amount, kind: receiptKinds.reversed, remark, reverses: entryId });
  }

  /** Records a receipt that waits for approval, by what the advertiser has now. */
  async approve(by: Principal, id: string): Promise<ReceiptRow> {
    const receipt = await this.awaiting(by, id);
    if (receipt.amount < 0) await this.assertRefundable(receipt.advertiserId, -receipt.amount);
    await this.decide(by, receipt, { state: receiptStates.recorded, entryId: await this.book(receipt) });
    return this.rows.detail(id);
  }

  async reject(by: Principal, id: string, reason: string | null): Promise<void> {
    await this.decide(by, await this.awaiting(by, id), { state: receiptStates.refused, reason });
  }

  private async submit({ tenantId, userId, deptId }: Principal, draft: ReceiptDraft): Promise<ReceiptRow> {
    const { receiptApprovalAbove } = await this.limits.current();
    const waits = receiptApprovalAbove !== null && Math.abs(draft.amount) > receiptApprovalAbove;
    const entryId = waits ? null : await this.book(draft);
    const { advertiserId, amount, kind, remark, voucher, reverses } = draft;
    const state = waits ? receiptStates.awaiting : receiptStates.recorded;
    const files = voucher?.length ? JSON.stringify(voucher) : null;
    const [row] = await queryRows<{ id: string }>(
      this.context.db,
      sql`insert into receipt (advertiser_id, kind, amount, state, remark, voucher, entry_id, reverses, requester_name, create_user, create_dept)
          values (${advertiserId}, ${kind}, ${amount}, ${state}, ${remark ?? null}, ${files}::jsonb, ${entryId}, ${reverses ?? null},
            coalesce((select real_name from user_account where id = ${userId}), ''), ${userId}, ${deptId || null}::bigint) returning id::text as id`,
    );
    const { id = '' } = row ?? {};
    recordChange({ entity: Receipt.name, id, before: undefined, after: { advertiserId, amount, kind, state } });
    if (waits) await notifyReceiptApprovers(this.context, { tenantId, requester: userId, id });
    return this.rows.detail(id);
  }

  /** Writes the entry of a receipt and returns its id. */
  private async book({ advertiserId, amount, kind, remark, voucher, reverses }: ReceiptDraft): Promise<string> {
    const { advertiser, received } = ledgerAccounts;
    const [from, to] = amount > 0 ? [received, advertiser] : [advertiser, received];
    const entryId = await this.ledger.move({
      ...{ kind, from, to, advertiserId, amount: Math.abs(amount), remark, voucher: voucher ?? undefined },
      ...(reverses ? { reverses } : {}),
    });
    if (reverses) await this.context.db.sql.execute(sql`update receipt set state = ${receiptStates.reversed} where entry_id = ${reverses}`);
    return entryId;
  }

  private async awaiting({ tenantId, userId }: Principal, id: string): Promise<StoredReceipt> {
    await this.lock(tenantId);
    const { receiptNo, state, createUser } = await this.rows.detail(id);
    if (state !== receiptStates.awaiting) throw new ApiError(paymentProblems.receiptNotAwaiting, { receiptNo });
    if (createUser === userId) throw new ApiError(paymentProblems.ownReceipt);
    const [stored] = await queryRows<StoredReceipt>(
      this.context.db,
      sql`select id::text as id, state, create_user::text as "createUser", advertiser_id::text as "advertiserId", amount::float8 as amount, kind, remark, voucher,
            reverses::text as reverses from receipt where id = ${id}`,
    );
    return stored as StoredReceipt;
  }

  private async decide({ userId }: Principal, { id, state: before }: StoredReceipt, decided: { state: number; entryId?: string; reason?: string | null }) {
    const { state, entryId = null, reason = null } = decided;
    await this.context.db.sql.execute(
      sql`update receipt set state = ${state}, entry_id = ${entryId}, reason = ${reason}, approved_by = ${userId},
            approver_name = (select real_name from user_account where id = ${userId}), update_user = ${userId}, update_time = date_trunc('second', now()) where id = ${id}`,
    );
    recordChange({ entity: Receipt.name, id, before: { state: before }, after: { state, ...(reason === null ? {} : { reason }) } });
  }

  /** Publications and refunds take one lock, because both need the available money. */
  private async lock(tenantId: string): Promise<void> {
    await this.ledger.lock(tenantId);
    await this.context.db.lock(publishingLock(tenantId));
  }

  /** Tells whether an advertiser is among those that the caller may see. */
  private async isVisible(advertiserId: string): Promise<boolean> {
    const { db } = this.context;
    const found = await queryRows(
      db,
      sql`select from advertiser a where a.id = ${advertiserId} and a.is_deleted <> 1 and ${visibleRows(db, Advertiser.name, 'a')}`,
    );
    return found.length > 0;
  }

  private async assertRefundable(advertiserId: string, amount: number): Promise<void> {
    const [found] = await this.funds.of([advertiserId]);
    const { balance = 0, reserved = 0, owed = 0 } = found ?? {};
    const refundable = Math.max(0, balance - reserved - owed);
    if (amount <= refundable) return;
    if (!(await this.funds.isVisible(advertiserId))) throw new ApiError(paymentProblems.refundRefused, {}, { field: 'amount' });
    throw new ApiError(paymentProblems.refundTooLarge, { balance: formatYuan(refundable) }, { field: 'amount' });
  }
}
