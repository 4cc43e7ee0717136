import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import { canSeeField, crudRoutes, hasId, type PluginRoute, repositoryOf, route, type ServerContext } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { approvalSum, Payout, payable, payout, paySum } from '../contract.ts';
import type { Approvals } from './approvals.ts';
import type { Payments } from './payments.ts';
import { payStateSql, reviewStateSql } from './states.ts';

/** Serves starting and approving payments. */
export function payoutRoutes(db: ServerContext['db'], payments: Payments, approvals: Approvals): PluginRoute[] {
  const submissions = repositoryOf(db, Submission);
  const listPayable = payableSubmissions(db);
  const payouts = repositoryOf(db, Payout);

  return [
    route(payable.list, ({ input }) => listPayable(input)),
    route(paySum, async ({ input }) => sumOf(Submission.name, await submissions.list(hasId(submissions.table, input.ids)))),
    route(approvalSum, async ({ input }) => sumOf(Payout.name, await payouts.list(hasId(payouts.table, input.ids)))),
    route(payable.pay, ({ input, principal }) => payments.pay(principal, input)),
    crudRoutes(payout, payouts),
    route(payout.approve, ({ input, principal }) => approvals.approve(principal, input.ids)),
    route(payout.refuse, ({ input: { id, reason }, principal }) => approvals.refuse(principal, id, reason ?? null)),
  ];
}

/** Returns the total of rows and the number of payees. */
function sumOf(entity: string, rows: readonly { readonly userId: string; readonly amount: number | string }[]): ReplyOf<typeof paySum> {
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
