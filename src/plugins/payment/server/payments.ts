import { and, sql } from 'drizzle-orm';
import { payStates, reviewStates, Submission, undoSeconds } from '#plugins/task/contract';
import type { PayoutListener } from '#plugins/task/server-extension';
import {
  ApiError,
  type BatchRefusal,
  batchResult,
  idArray,
  missingRows,
  type Principal,
  problems,
  queryRows,
  recordChange,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import type { Language } from '#shared/text';
import {
  entryKinds,
  ledgerAccounts,
  type PaymentSum,
  Payout,
  PayoutWithholding,
  type payable,
  paymentProblems,
  payoutStates,
  type payTotal,
  WorkPaying,
} from '../contract.ts';
import { assertExpected, sumOf, taxOf } from './approvals.ts';
import { notifyApprovers } from './approver-notices.ts';
import type { Gateways } from './gateways.ts';
import type { Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';
import { manualGateway } from './manual-gateway.ts';
import { manualRoutes, type PayeeRoute, routesOf } from './payee-routes.ts';
import { sealedColumns } from './sealed-accounts.ts';
import { payoutStateSql } from './states.ts';
import { storedFiles } from './stored-files.ts';

const payouts = tableOf(Payout);

/** Submission that is to be paid. */
interface PayableSubmission {
  readonly id: string;
  readonly taskId: string;
  readonly title: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly nickName: string;
  readonly openid: string | null;
  /** Real name of the payee, or the nickname. */
  readonly name: string;
  readonly amount: number;
  readonly auditStatus: number;
  readonly payStatus: number;
  /** True while its auditor can still undo the approval. */
  readonly isUndoable: boolean;
}

/** Submission with the account that it is paid to, and the tax that is withheld. */
interface AcceptedSubmission extends PayableSubmission {
  readonly route: PayeeRoute;
  readonly withheld: number;
}

/** Proof of payments that were made outside of any provider, with stored links. */
interface ManualPayment {
  readonly voucher: readonly string[];
  readonly remark: string;
}

type StartedPayout = ReplyOf<typeof payable.pay>['payouts'][number];

/** User who starts payments; without an id when the server pays automatically. */
type Payer = Pick<Principal, 'tenantId'> & Partial<Pick<Principal, 'userId' | 'deptId'>>;

/** Services that starting payments needs. */
export interface PayContext extends Pick<ServerContext, 'db' | 'inbox' | 'applyFilters'> {
  readonly gateways: Pick<Gateways, 'enabled'>;
}

/** Services that payments use. */
export interface PaymentParts {
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly listener: PayoutListener;
}

/** Starts payments: takes the money from the balance and creates a payout each, which is sent afterwards. Concurrent requests create only one payout per submission. */
export class Payments {
  constructor(
    private readonly context: PayContext,
    private readonly services: PaymentParts,
  ) {}

  async pay(
    payer: Payer,
    { id, ids = [], partial = false, expected }: InputOf<typeof payable.pay>,
    language: Language = 'zh',
  ): Promise<ReplyOf<typeof payable.pay>> {
    const uniqueIds = [...new Set(id ? [id, ...ids] : ids)];
    if (uniqueIds.length === 0) throw new ApiError(problems.missingParameter, { name: 'ids' });
    const { accepted, refusals } = await this.judge(payer, uniqueIds, partial);
    assertExpected(expected, accepted);
    if (accepted.length > 0) await this.start(payer, accepted);
    return this.replyOf(uniqueIds, refusals, partial ? language : undefined);
  }

  /** Records payments that were made outside of any provider. They are judged, withheld from, approved and booked as all others. */
  async payManually(
    payer: Principal,
    { ids, partial = false, voucher, remark, expected }: InputOf<typeof payable.payManually>,
    language: Language,
  ): Promise<ReplyOf<typeof payable.payManually>> {
    const uniqueIds = [...new Set(ids)];
    const { accepted, refusals } = await this.judge(payer, uniqueIds, partial, true);
    assertExpected(expected, accepted);
    if (accepted.length > 0) await this.start(payer, accepted, { voucher: await storedFiles(this.context.db, voucher), remark });
    return this.replyOf(uniqueIds, refusals, partial ? language : undefined);
  }

  /** Returns the payouts of submissions; with a language also the report of a partial batch. */
  private async replyOf(uniqueIds: readonly string[], refusals: readonly BatchRefusal[], language: Language | undefined): Promise<ReplyOf<typeof payable.pay>> {
    const refusedIds = new Set(refusals.map((one) => one.id));
    const payouts = await this.payoutsOf(uniqueIds.filter((one) => !refusedIds.has(one)));
    const [first] = payouts;
    const result = language ? await batchResult(this.context.db, Submission, uniqueIds, { refusals, language }) : {};
    return { payNo: first?.payNo ?? '', state: first?.state ?? payoutStates.awaiting, payouts, ...result };
  }

  /** Judges what a partial payment of these submissions would do, or its record; changes nothing. */
  async preview(payer: Payer, { ids, manual = false }: InputOf<typeof payTotal>, language: Language): Promise<PaymentSum> {
    const uniqueIds = [...new Set(ids)];
    const { accepted, refusals } = await this.judge(payer, uniqueIds, true, manual);
    const { rows } = await batchResult(this.context.db, Submission, uniqueIds, { refusals, language });
    const channels = await this.channelsOf(accepted);
    const limits = await this.services.limits.applied();
    const needsApproval = await this.services.limits.needsApproval(payer.userId, accepted);
    const sum = sumOf(Submission.name, accepted);
    const tax = sum.amount === null ? {} : taxOf(accepted);
    return { ...sum, ...tax, rows, channels, needsApproval, ...(limits ? { limits } : {}) };
  }

  /** Locks the ledger and the submissions, and finds those to be paid. Without `partial`, or for a single one, it throws the first reason against a payment. */
  private async judge(
    payer: Payer,
    ids: readonly string[],
    partial: boolean,
    isManual = false,
  ): Promise<{ accepted: AcceptedSubmission[]; refusals: BatchRefusal[] }> {
    await this.services.ledger.lock(payer.tenantId);
    const owed = await this.owed(ids);
    const found = new Set(owed.map(({ id }) => id));
    const refusals = missingRows(ids, found);
    const isUnpaid = ({ payStatus }: PayableSubmission) => payStatus === payStates.unpaid || payStatus === payStates.failed;
    let open = owed.filter(isUnpaid);
    const refuse = (refused: readonly BatchRefusal[]) => {
      refusals.push(...refused);
      const out = new Set(refused.map(({ id }) => id));
      open = open.filter(({ id }) => !out.has(id));
      if (refusals[0] && (!partial || ids.length === 1)) throw refusals[0].error;
    };
    if (partial)
      refusals.push(...owed.filter((one) => !isUnpaid(one)).map(({ id, title }) => ({ id, error: new ApiError(paymentProblems.alreadyPaid, { title }) })));
    refuse(open.flatMap((one) => refusalOf(one, payer.userId)));
    if (open.length === 0) return { accepted: [], refusals };
    const { routes, refusals: unreachable } = isManual ? manualRoutes(open) : await routesOf(this.context, payer.tenantId, await this.netOf(open));
    refuse(unreachable);
    if (open.length > 0) refuse(await this.vetoes(open, partial));
    if (partial && open.length > 0) refuse(await this.services.limits.refusals(payer.userId, open));
    const withheld = await this.withheldFrom(open);
    const accepted = open.flatMap((one, index): AcceptedSubmission[] => {
      const route = routes.get(one.id);
      return route ? [{ ...one, route, withheld: withheld[index] ?? 0 }] : [];
    });
    return { accepted, refusals };
  }

  /** Asks other plugins. In part, each payment of a refused request is asked about alone, and then the rest together. */
  private async vetoes(open: readonly PayableSubmission[], partial: boolean): Promise<BatchRefusal[]> {
    const ask = (some: readonly PayableSubmission[]) =>
      this.context.applyFilters(
        WorkPaying,
        some.map(({ id, taskId, advertiserId, userId, amount }) => ({ submissionId: id, taskId, advertiserId, userId, amount })),
      );
    const refusals: BatchRefusal[] = [];
    try {
      await ask(open);
      return refusals;
    } catch (reason) {
      if (!partial || !(reason instanceof ApiError)) throw reason;
    }
    for (const one of open)
      await ask([one]).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        refusals.push({ id: one.id, error });
      });
    const refused = new Set(refusals.map(({ id }) => id));
    const rest = open.filter(({ id }) => !refused.has(id));
    if (rest.length > 0) await ask(rest);
    return refusals;
  }

  private async start({ tenantId, userId, deptId }: Payer, owed: readonly AcceptedSubmission[], manual?: ManualPayment): Promise<void> {
    const needsApproval = await this.services.limits.check(userId, owed);
    const state = needsApproval ? payoutStates.awaiting : payoutStates.processing;
    const inserted = await queryRows<{ id: string; batchNo: string; submissionId: string; payNo: string; amount: number }>(
      this.context.db,
      // Materialized, because the number would otherwise be drawn again for each row.
      sql`with batch as materialized (select next_id() as no)
          insert into payout (batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, account_kind, account, account_mask, account_name, bank, amount, withheld, gateway, voucher, remark, state, requester_name, create_user, create_dept)
          select 'B' || batch.no, s.id, s.task_id, s.task_title, s.advertiser_id, s.user_id, s.nick_name, coalesce(paid_to.openid, ''), paid_to.kind, paid_to.account, paid_to.mask, paid_to.name, paid_to.bank, s.amount, paid_to.withheld, ${manual ? manualGateway : ''}, ${manual ? JSON.stringify(manual.voucher) : null}::jsonb, ${manual?.remark ?? null}, ${state},
            coalesce((select real_name from user_account where id = ${userId ?? null}::bigint), ''), ${userId ?? null}::bigint, ${deptId ?? null}::bigint
          from task_submission s cross join batch
          join jsonb_to_recordset(${JSON.stringify(owed.map(({ id, route, withheld }) => ({ id, withheld, ...sealedColumns(this.context.db, route) })))}::jsonb)
            as paid_to (id bigint, openid text, kind integer, account text, mask text, name text, bank text, withheld bigint) on paid_to.id = s.id
          order by s.id returning id::text as id, batch_no as "batchNo", submission_id::text as "submissionId", pay_no as "payNo", amount::float8 as amount`,
    );
    const { advertiser, inTransit } = ledgerAccounts;
    await this.services.ledger.movePayouts(
      { kind: entryKinds.started, from: advertiser, to: inTransit },
      inserted.map(({ id }) => id),
    );
    for (const { id, payNo, amount } of inserted) recordChange({ entity: Payout.name, id, before: undefined, after: { payNo, amount, state } });
    await this.services.listener.started(inserted);
    const [first] = inserted;
    if (needsApproval && first) await notifyApprovers(this.context, { tenantId, requester: userId, runNo: first.batchNo, count: inserted.length });
  }

  /** Returns submissions with the amounts that a provider would transfer. */
  private async netOf(open: readonly PayableSubmission[]): Promise<PayableSubmission[]> {
    const withheld = await this.withheldFrom(open);
    return open.map((one, index) => ({ ...one, amount: one.amount - (withheld[index] ?? 0) }));
  }

  /** Asks other plugins for the tax to withhold from each payment, in 分. */
  private async withheldFrom(owed: readonly PayableSubmission[]): Promise<number[]> {
    const asked = owed.map(({ id, userId, amount }) => ({ submissionId: id, userId, amount, withheld: 0 }));
    const found = new Map((await this.context.applyFilters(PayoutWithholding, asked)).map((one) => [one.submissionId, one.withheld]));
    return owed.map(({ id }) => found.get(id) ?? 0);
  }

  /** Locks submissions until the transaction ends, always in the order of their ids. */
  private async owed(ids: readonly string[]): Promise<PayableSubmission[]> {
    const { db } = this.context;
    return queryRows<PayableSubmission>(
      db,
      sql`select s.id::text as id, s.task_id::text as "taskId", s.task_title as title, s.advertiser_id::text as "advertiserId", s.user_id::text as "userId",
            s.nick_name as "nickName", s.amount::float8 as amount, s.audit_status as "auditStatus", s.pay_status as "payStatus",
            s.audit_time > now() - make_interval(secs => ${undoSeconds}) as "isUndoable",
            coalesce((select u.real_name from user_account u where u.id = s.user_id), s.nick_name) as name,
            coalesce(s.openid, (select o.uuid from user_oauth o where o.user_id = s.user_id and o.is_deleted = 0 and o.source like 'wechat%' order by o.id limit 1)) as openid
          from task_submission s
          where s.id = any(${idArray(ids)}) and s.is_deleted = 0 and ${visibleRows(db, 'task_submission', 's')} order by s.id for update of s`,
    );
  }

  /** Counts the payments by channel, which the database derives from the names of gateways. */
  private channelsOf(accepted: readonly AcceptedSubmission[]): Promise<NonNullable<PaymentSum['channels']>> {
    return queryRows(
      this.context.db,
      sql`select payout_channel(name) as channel, count(*)::integer as count from jsonb_array_elements_text(${JSON.stringify(accepted.map(({ route }) => route.gateway))}::jsonb) as gateway (name)
          group by 1 order by 1`,
    );
  }

  private async payoutsOf(ids: readonly string[]): Promise<StartedPayout[]> {
    const { submissionId: id, payNo, state } = payouts;
    const isOpenOrPaid = sql`${state} in (${payoutStateSql.awaiting}, ${payoutStateSql.processing}, ${payoutStateSql.paid})`;
    const isOfSubmission = sql`${id} = any(${idArray(ids)})`;
    const order = sql`array_position(${idArray(ids)}, ${id})`;
    return this.context.db.sql.select({ id, payNo, state }).from(payouts).where(and(isOfSubmission, isOpenOrPaid)).orderBy(order);
  }
}

function refusalOf({ id, title, userId, auditStatus, isUndoable }: PayableSubmission, payer: string | undefined): BatchRefusal[] {
  const because = (error: ApiError) => [{ id, error }];
  if (auditStatus !== reviewStates.approved) return because(new ApiError(paymentProblems.notApproved, { title }));
  if (isUndoable) return because(new ApiError(paymentProblems.tooEarly, { title, seconds: undoSeconds }));
  if (userId === payer) return because(new ApiError(paymentProblems.ownWork));
  return [];
}
