import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import { ApiError, crudRoutes, orderedBy, type PluginRoute, problems, queryRows, repositoryOf, route, type ServerContext } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import {
  advertiserFunds,
  approvalTotal,
  confirmation,
  difference,
  ledger as ledgerCalls,
  Payout,
  payable,
  paymentLimits,
  paymentRun,
  payout,
  payoutOutcome,
  payoutStates,
  payTotal,
  receipt,
  receiptStates,
  reconciliation,
  reconciliationProblems,
  runStates,
  statements,
} from '../contract.ts';
import type { paymentServices } from './payment-services.ts';
import { readStatements } from './statements.ts';
import { payStateSql, reviewStateSql } from './states.ts';

type PaymentServices = ReturnType<typeof paymentServices>;

/** Minimum interval between queries of the provider, however often the payee reports an answer. */
const minQueryInterval = '2 seconds';

/** Serves the ledger, and starting and approving payments. */
export function payoutRoutes(db: ServerContext['db'], { ledger, funds, payments, approvals, outcomes }: PaymentServices): PluginRoute[] {
  const listPayable = payableSubmissions(db);
  const payouts = repositoryOf(db, Payout);

  return [
    crudRoutes(ledgerCalls, ledger.rows, { search: { fields: ['payNo'], subtitle: ['advertiserId'] } }),
    route(statements, ({ input }) => readStatements({ db }, input)),
    route(advertiserFunds, ({ input }) => funds.detail(input.advertiserId)),
    route(ledgerCalls.check, () => ledger.check()),
    route(payable.list, ({ input }) => listPayable(input)),
    route(payTotal, ({ input, principal, language }) => payments.preview(principal, input, language)),
    route(approvalTotal, ({ input, principal, language }) => approvals.preview(principal, input.ids, language)),
    route(payable.pay, ({ input, principal, language }) => payments.pay(principal, input, language)),
    route(payable.payManually, ({ input, principal, language }) => payments.payManually(principal, input, language)),
    crudRoutes(payout, payouts, {
      search: {
        fields: ['nickName', 'payNo', 'providerNo', 'batchNo', 'taskTitle'],
        subtitle: ['payNo', 'state'],
        actions: { payout_approve: ({ state }) => state === payoutStates.awaiting },
      },
    }),
    route(payout.approve, ({ input, principal, language }) => approvals.approve(principal, input, language)),
    route(payout.reverse, ({ input, principal }) => approvals.reverse(principal, input)),
    route(payoutOutcome.recordPaid, ({ input, principal }) => outcomes.recordPaid(principal, input)),
    route(payoutOutcome.recordUnpaid, ({ input, principal }) => outcomes.recordUnpaid(principal, input)),
    route(payoutOutcome.approve, ({ input, principal }) => outcomes.approve(principal, input)),
    route(payoutOutcome.reject, ({ input, principal }) => outcomes.reject(principal, input)),
    route(payout.reject, ({ input: { id, reason }, principal }) => approvals.reject(principal, [id], reason ?? null)),
  ];
}

/** Serves what is recorded by hand: receipts and refunds, their approval, and the limits. */
export function receiptRoutes({ receipts, limitSettings }: PaymentServices): PluginRoute[] {
  return [
    route(receipt.submit, ({ input, principal }) => receipts.record(principal, input)),
    crudRoutes(receipt, receipts.rows, {
      search: {
        fields: ['receiptNo'],
        subtitle: ['advertiserId', 'state'],
        actions: { receipt_approve: ({ state }) => state === receiptStates.awaiting },
      },
    }),
    route(receipt.reverse, ({ input, principal }) => receipts.reverse(principal, input)),
    route(receipt.approve, ({ input, principal }) => receipts.approve(principal, input.id)),
    route(receipt.reject, ({ input: { id, reason }, principal }) => receipts.reject(principal, id, reason ?? null)),
    crudRoutes(paymentLimits, limitSettings.rows),
    route(paymentLimits.read, () => limitSettings.read()),
    route(paymentLimits.submit, ({ input }) => limitSettings.save(input)),
  ];
}

/** Serves payment runs, and their approval as a whole. */
export function runRoutes({ runs }: PaymentServices): PluginRoute[] {
  return [
    crudRoutes(paymentRun, runs.rows, {
      search: {
        fields: ['runNo', 'requesterName'],
        subtitle: ['requesterName', 'state'],
        actions: { payout_approve: ({ state }) => state === runStates.awaiting },
      },
    }),
    route(paymentRun.shares, ({ input }) => runs.shares(input.id)),
    route(paymentRun.payees, ({ input }) => runs.payees(input)),
    route(paymentRun.total, ({ input, principal, language }) => runs.total(principal, input.id, language)),
    route(paymentRun.approve, ({ input, principal, language }) => runs.approve(principal, input, language)),
    route(paymentRun.reject, ({ input: { id, reason }, principal }) => runs.reject(principal, id, reason ?? null)),
    route(paymentRun.close, ({ input }) => runs.close(input.id)),
    route(paymentRun.retry, ({ input, principal, language }) => runs.retry(principal, input.id, language)),
  ];
}

/** Serves payees their own payments and takes their confirmation. */
export function confirmationRoutes(db: ServerContext['db'], { gateways }: PaymentServices): PluginRoute[] {
  return [
    route(confirmation.detail, async ({ input, principal }) => {
      const [found] = await queryRows<Omit<ReplyOf<typeof confirmation.detail>, 'mchId' | 'appId'> & { gateway: string }>(
        db,
        sql`select p.pay_no as "payNo", p.state, p.amount::float8 as amount, p.withheld::float8 as withheld, p.net_amount::float8 as "netAmount", p.gateway,
            case when p.state = ${payoutStates.processing} and p.awaits_payee then p.package_info end as "packageInfo"
          from payout p where p.submission_id = ${input.id} and p.user_id = ${principal.userId} order by p.id desc limit 1`,
      );
      if (!found) throw new ApiError(problems.notFound);
      const { gateway, ...payment } = found;
      return { ...payment, ...(await gateways.merchantIds(principal.tenantId, gateway)) };
    }),
    route(confirmation.reportDecision, async ({ input, principal }) => {
      await db.sql.execute(
        sql`update payout set next_try = least(next_try, now() + ${minQueryInterval}::interval)
          where submission_id = ${input.id} and user_id = ${principal.userId} and state = ${payoutStates.processing} and awaits_payee`,
      );
    }),
  ];
}

/** Serves the comparison of days with providers' statements, and the resolution of differences. */
export function reconciliationRoutes(db: ServerContext['db'], { reconciliations, differences }: PaymentServices): PluginRoute[] {
  return [
    crudRoutes(reconciliation, reconciliations.rows),
    crudRoutes(difference, differences.rows, { search: { fields: ['payNo', 'providerNo'], subtitle: ['providerNo'] } }),
    route(
      reconciliation.compare,
      async ({ input: { day }, principal: { tenantId } }) => {
        const [{ isOver } = { isOver: false }] = await db.read({ tenantId }, () =>
          queryRows<{ isOver: boolean }>(db, sql`select ${day}::date <= current_date as "isOver"`),
        );
        if (!isOver) throw new ApiError(reconciliationProblems.futureDay, {}, { field: 'day' });
        return reconciliations.compare(tenantId, day);
      },
      { manualTransactions: true },
    ),
    route(difference.query, ({ input, principal }) => differences.query(principal, input.id), { manualTransactions: true }),
    route(difference.close, ({ input: { id, remark }, principal }) => differences.close(principal, id, remark)),
  ];
}

/** Lists approved work that is not paid and whose approval can no longer be undone, the longest waiting first. */
export function payableSubmissions(db: ServerContext['db']): (input: InputOf<typeof payable.list>) => Promise<ReplyOf<typeof payable.list>> {
  const submissions = repositoryOf(db, Submission);
  const { auditStatus, auditTime, payStatus } = submissions.table;
  const owed = and(
    sql`${auditStatus} = ${reviewStateSql.approved} and ${payStatus} in (${payStateSql.unpaid}, ${payStateSql.failed})`,
    sql`${auditTime} <= now() - make_interval(secs => ${undoSeconds})`,
  );
  return (input) => submissions.page(orderedBy(Submission, input, { ascs: 'audit_time' }), owed);
}
