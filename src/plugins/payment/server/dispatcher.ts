import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { decryptStored, queryRows, type ServerContext } from '#server';
import { TaskQueue } from '#shared/task-queue';
import type { LocalizedText } from '#shared/text';
import { type AccountKind, unknownState } from '../contract.ts';
import { type PaymentGateway, TransferRejectedError, type TransferRequest, type TransferResult } from '../server-extension.ts';
import type { Gateways } from './gateways.ts';
import { errorNote, refusedState, type Settlement } from './settlement.ts';
import { payoutStateSql } from './states.ts';

/** Due payout with its account as it is stored, and the provider it was first sent to. */
interface DuePayout extends TransferRequest {
  readonly tenantId: string;
  readonly gateway: string;
  readonly tries: number;
  /** True when the payee's confirmation package is stored. */
  readonly hasPackage: boolean;
  /** Reason of a refusal that is still to be confirmed. */
  readonly refusal: string | null;
  /** True when the last request is so old that the provider may have forgotten its order. */
  readonly isForgotten: boolean;
  /** Gateways that have refused earlier payouts of the submission. */
  readonly refusedBy: readonly string[];
}

interface DueRow extends Omit<DuePayout, 'account'> {
  readonly kind: AccountKind;
  readonly account: string;
  readonly name: string;
  readonly bank: string | null;
}

const batchSize = 20;
/** Seconds in which no other process takes the same payout; longer than the time-out of any provider. */
const initialDelaySeconds = 30;
const maxDelaySeconds = 3600;
/** Time after which a request that was sent can no longer arrive. */
const requestLifetime = '1 hour';
/** Age of a request from which its order counts as forgotten: WeChat Pay knows orders of 30 days, and an order may be older than the last request for it. */
const orderMemory = '28 days';
const forgottenNote: LocalizedText = [
  '发送已超过 28 天，渠道可能不再保留这笔付款，因此不会重新发送；请凭付款单号在渠道的资金账单中核实，再登记结果',
  'Sent more than 28 days ago: the provider may no longer keep this payment, so it is not sent again. Look up its number in the provider’s fund bills, then record the outcome.',
];

/** Payout that is about to be sent through a gateway. */
interface SendAttempt {
  readonly payNo: string;
  readonly gateway: string;
}

/**
 * Sends payouts and polls them until the provider reports a final state. A payout sent before is queried first, and sent again only if the provider does not know it. A
 * refusal ends it only when a later query finds no order either, and an order that the provider may have forgotten is not sent again.
 */
export class Dispatcher {
  private readonly attempts = new Batcher((tenantId, attempts: readonly SendAttempt[]) => this.recordAttempts(tenantId, attempts));
  private readonly settlements = new Batcher((tenantId, results: readonly TransferResult[]) => this.settle(tenantId, results));

  constructor(
    private readonly db: ServerContext['db'],
    private readonly settlement: Settlement,
    private readonly gateways: Pick<Gateways, 'resolve'>,
  ) {}

  /** Processes all due payouts in batches. If the signal aborts, it ends after the current batch. */
  async runOnce(signal?: AbortSignal): Promise<void> {
    let isLast = false;
    while (!isLast && !signal?.aborted) {
      const due = await this.due();
      await Promise.all(due.map((one) => this.process(one)));
      isLast = due.length < batchSize;
    }
  }

  /** Takes due payouts of all tenants; after a crash they become due again. */
  private async due(): Promise<DuePayout[]> {
    const rows = await this.db.asPlatform('sends and settles payouts of all tenants', () =>
      queryRows<DueRow>(
        this.db,
        sql`update payout set tries = tries + 1, next_try = now() + make_interval(secs => least(${maxDelaySeconds}, ${initialDelaySeconds} * 2 ^ least(tries, 8)))
            where id in (select id from payout where state = ${payoutStateSql.processing} and next_try <= now() order by next_try limit ${batchSize} for update skip locked)
            returning tenant_id as "tenantId", pay_no as "payNo", batch_no as "runNo", net_amount::float8 as amount, task_title as remark, gateway, tries, package_info is not null as "hasPackage",
              case when provider_state = ${refusedState} then coalesce(note, '') end as refusal, coalesce(sent_time < now() - ${orderMemory}::interval, false) as "isForgotten",
              array(select distinct o.gateway from payout o where o.submission_id = payout.submission_id and o.state = ${payoutStateSql.failed} and o.gateway <> '') as "refusedBy",
              account_kind as kind, coalesce(account, openid) as account, bank, coalesce(account_name, (select u.real_name from user_account u where u.id = payout.user_id), nick_name) as name`,
      ),
    );
    return rows.map(({ kind, account, name, bank, ...due }) => ({ ...due, account: { kind, account, name, ...(bank ? { bank } : {}) } }));
  }

  private async process(due: DuePayout): Promise<void> {
    const { tenantId, payNo } = due;
    let isOnlyRequest = false;
    try {
      const gateway = await this.gateways.resolve(tenantId, due.gateway, due);
      const result = due.tries > 1 ? await this.queryResult(due, gateway) : undefined;
      if (!result) isOnlyRequest = await this.recordAttempt(due, gateway);
      await this.settlements.run(tenantId, result ?? (await gateway.transfer(this.withDecryptedAccount(due))));
    } catch (error) {
      const message = errorNote(error);
      // A refusal counts only when no other request for this payout can still arrive.
      if (error instanceof TransferRejectedError && isOnlyRequest) await this.settlement.recordRefusal(tenantId, payNo, message);
      else await this.settlement.recordFailure(tenantId, payNo, message);
    }
  }

  /** Decrypts the account of a payout that is about to be sent. */
  private withDecryptedAccount({ account, ...due }: DuePayout): DuePayout {
    return { ...due, account: { ...account, account: decryptStored(this.db, account.account) } };
  }

  /** Returns the state of a payout; undefined when it has to be sent (again): the provider does not know it, or the payee's confirmation package was lost. */
  private async queryResult({ payNo, hasPackage, refusal, isForgotten }: DuePayout, gateway: PaymentGateway): Promise<TransferResult | undefined> {
    const result = await gateway.query(payNo);
    if (result) return result.awaitsPayee && !result.packageInfo && !hasPackage ? undefined : result;
    if (isForgotten) return { payNo, outcome: 'processing', state: unknownState, reason: forgottenNote.join(' ') };
    return refusal === null ? undefined : { payNo, outcome: 'failed', state: refusedState, reason: refusal };
  }

  /** Records the channel before sending; resolves true when no earlier request can still arrive. */
  private async recordAttempt({ tenantId, payNo }: DuePayout, { name }: PaymentGateway): Promise<boolean> {
    const isOnlyRequest = await this.attempts.run(tenantId, { payNo, gateway: name });
    // Another process may have sent it through a channel that was enabled in the meantime.
    if (isOnlyRequest === undefined) throw new Error('already sent through another channel');
    return isOnlyRequest;
  }

  private async recordAttempts(tenantId: string, attempts: readonly SendAttempt[]): Promise<(boolean | undefined)[]> {
    const recorded = await this.db.write({ tenantId }, () =>
      queryRows<{ payNo: string; isOnlyRequest: boolean }>(
        this.db,
        sql`update payout p set gateway = sending.gateway, sendings = p.sendings + 1, sent_time = now()
            from payout before join jsonb_to_recordset(${JSON.stringify(attempts.map(({ payNo, gateway }) => ({ pay_no: payNo, gateway })))}::jsonb)
              as sending (pay_no text, gateway text) on before.pay_no = sending.pay_no
            where before.id = p.id and p.gateway in ('', sending.gateway)
            returning p.pay_no as "payNo", before.sendings = 0 or before.sent_time < now() - ${requestLifetime}::interval as "isOnlyRequest"`,
      ),
    );
    const isOnlyRequest = new Map(recorded.map((one) => [one.payNo, one.isOnlyRequest]));
    return attempts.map(({ payNo }) => isOnlyRequest.get(payNo));
  }

  private async settle(tenantId: string, results: readonly TransferResult[]): Promise<undefined[]> {
    await this.settlement.settleAll(tenantId, results);
    return results.map(() => undefined);
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Collects the items of a tenant that arrive while work runs on others, and runs the work on all of them at once. If this fails, it runs on each item alone. */
export class Batcher<Item, Result> {
  private readonly waiting = new Map<string, Waiting<Item, Result>[]>();
  private readonly queue = new TaskQueue();

  /** `work` returns the result of each item, in their order. */
  constructor(private readonly work: (tenantId: string, items: readonly Item[]) => Promise<readonly Result[]>) {}

  run(tenantId: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(tenantId) ?? [];
      waiting.push({ item, resolve, reject });
      if (waiting.length > 1) return;
      this.waiting.set(tenantId, waiting);
      void this.queue.run(() => this.runWaiting(tenantId));
    });
  }

  private async runWaiting(tenantId: string): Promise<void> {
    await nextTurn();
    const batch = this.waiting.get(tenantId) ?? [];
    this.waiting.delete(tenantId);
    if (!(await this.tryAll(tenantId, batch))) for (const one of batch) await this.runAlone(tenantId, one);
  }

  private async tryAll(tenantId: string, batch: readonly Waiting<Item, Result>[]): Promise<boolean> {
    if (batch.length === 1) return false;
    try {
      const results = await this.work(
        tenantId,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      return true;
    } catch {
      return false;
    }
  }

  private async runAlone(tenantId: string, { item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    await this.work(tenantId, [item]).then(([result]) => resolve(result as Result), reject);
  }
}
