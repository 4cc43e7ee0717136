import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import { ApiError, canSeeField, crudRoutes, hasId, type PluginRoute, problems, queryRows, repositoryOf, route, type ServerContext } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import {
  approvalTotal,
  channelStatus,
  confirmation,
  difference,
  ledger as ledgerCalls,
  Payout,
  payable,
  payChannel,
  paymentProblems,
  payNotice,
  payout,
  payoutStates,
  payTotal,
  reconciliation,
  reconciliationProblems,
} from '../contract.ts';
import type { paymentServices } from './payment-services.ts';
import { payStateSql, reviewStateSql } from './states.ts';

type Services = ReturnType<typeof paymentServices>;

/** Minimum interval between queries of the provider, however often the payee reports an answer. */
const minQueryInterval = '2 seconds';

/** Serves the ledger, and starting and approving payments. */
export function payoutRoutes(db: ServerContext['db'], { ledger, payments, approvals }: Services): PluginRoute[] {
  const submissions = repositoryOf(db, Submission);
  const listPayable = payableSubmissions(db);
  const payouts = repositoryOf(db, Payout);

  return [
    crudRoutes(ledgerCalls, ledger.rows),
    route(ledgerCalls.submit, ({ input, principal }) => ledger.record(principal.tenantId, input)),
    route(ledgerCalls.check, () => ledger.check()),
    route(payable.list, ({ input }) => listPayable(input)),
    route(payTotal, async ({ input }) => sumOf(Submission.name, await submissions.list(hasId(submissions.table, input.ids)))),
    route(approvalTotal, async ({ input }) => sumOf(Payout.name, await payouts.list(hasId(payouts.table, input.ids)))),
    route(payable.pay, ({ input, principal }) => payments.pay(principal, input)),
    crudRoutes(payout, payouts),
    route(payout.approve, ({ input, principal }) => approvals.approve(principal, input.ids)),
    route(payout.reject, ({ input: { id, reason }, principal }) => approvals.reject(principal, id, reason ?? null)),
  ];
}

/** Serves payment channels and the notifications of providers. */
export function channelRoutes({ channels, notices }: Services): PluginRoute[] {
  return [
    crudRoutes(payChannel, channels.rows),
    route(payChannel.enable, ({ input }) => channels.setStatus(input.id, channelStatus.enabled)),
    route(payChannel.disable, ({ input }) => channels.setStatus(input.id, channelStatus.off)),
    route(
      payNotice,
      async ({ input: { raw }, header = () => '' }) => {
        const of = (name: string) => header(`wechatpay-${name}`);
        const notice = { timestamp: of('timestamp'), nonce: of('nonce'), signature: of('signature'), serial: of('serial'), body: raw };
        if (!(await notices.receive(notice))) throw new ApiError(paymentProblems.invalidNotice);
        return { code: 'SUCCESS', message: 'OK' };
      },
      { manualTransactions: true },
    ),
  ];
}

/** Serves payees their own payments and takes their confirmation. */
export function confirmationRoutes(db: ServerContext['db']): PluginRoute[] {
  return [
    route(confirmation.detail, async ({ input, principal }) => {
      const [found] = await queryRows<ReplyOf<typeof confirmation.detail>>(
        db,
        sql`select p.pay_no as "payNo", p.state, p.amount::float8 as amount, c.mch_id as "mchId", c.app_id as "appId",
            case when p.state = ${payoutStates.processing} and p.awaits_payee then p.package_info end as "packageInfo"
          from payout p left join pay_channel c on p.gateway = 'wechat:' || c.id
          where p.submission_id = ${input.id} and p.user_id = ${principal.userId} order by p.id desc limit 1`,
      );
      if (!found) throw new ApiError(problems.notFound);
      return found;
    }),
    route(confirmation.reportDecision, async ({ input, principal }) => {
      await db.sql.execute(
        sql`update payout set next_try = least(next_try, now() + ${minQueryInterval}::interval)
          where submission_id = ${input.id} and user_id = ${principal.userId} and state = ${payoutStates.processing}`,
      );
    }),
  ];
}

/** Serves the comparison of days with providers' statements, and the resolution of differences. */
export function reconciliationRoutes(db: ServerContext['db'], { reconciliations, differences }: Services): PluginRoute[] {
  return [
    crudRoutes(reconciliation, reconciliations.rows),
    crudRoutes(difference, differences.rows),
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

/** Returns the total of rows and the number of payees. */
function sumOf(entity: string, rows: readonly { readonly userId: string; readonly amount: number | string }[]): ReplyOf<typeof payTotal> {
  const amount = canSeeField(entity, 'amount') ? rows.reduce((sum, row) => sum + Number(row.amount), 0) : null;
  return { people: new Set(rows.map(({ userId }) => userId)).size, amount };
}

/** Lists approved work that is not paid and whose approval can no longer be undone, the longest waiting first. */
export function payableSubmissions(db: ServerContext['db']): (input: InputOf<typeof payable.list>) => Promise<ReplyOf<typeof payable.list>> {
  const submissions = repositoryOf(db, Submission);
  const { auditStatus, auditTime, payStatus } = submissions.table;
  const owed = and(
    sql`${auditStatus} = ${reviewStateSql.approved} and ${payStatus} in (${payStateSql.unpaid}, ${payStateSql.failed})`,
    sql`${auditTime} <= now() - make_interval(secs => ${undoSeconds})`,
  );
  return (input) => submissions.page(input.ascs || input.descs ? input : { ...input, ascs: 'audit_time' }, owed);
}
