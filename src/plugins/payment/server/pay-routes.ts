import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import type { PayoutListener } from '#plugins/task/server-extension';
import { canSeeField, hasId, repositoryOf, type ServerContext } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { approvalSum, Payout, payable, payout, paySum } from '../contract.ts';
import { Approvals } from './approvals.ts';
import { AutomaticPayments } from './automatic-payments.ts';
import type { Ledger } from './ledger.ts';
import { paymentFigures } from './pay-figures.ts';
import { type PayContext, Payments } from './payments.ts';
import { payState, reviewState } from './states.ts';

const automaticSeconds = 10;

/** Serves starting and approving payments, and registers automatic payments and their metrics. */
export function servePayouts(
  context: PayContext & Pick<ServerContext, 'serve' | 'serveCrud' | 'figures' | 'every'>,
  ledger: Ledger,
  work: PayoutListener,
): void {
  const { serve, serveCrud, db, figures, every } = context;
  const submissions = repositoryOf(db, Submission);
  const owedWork = owedWorkOf(db);
  const payouts = repositoryOf(db, Payout);
  const payments = new Payments(context, ledger, work);
  const automatic = new AutomaticPayments(db, payments);
  const approvals = new Approvals(db, ledger, work);

  figures.register(...paymentFigures(context));
  every(automaticSeconds, () => automatic.round());
  serve(payable.list, ({ input }) => owedWork(input));
  serve(paySum, async ({ input }) => sumOf(Submission.name, await submissions.list(hasId(submissions.table, input.ids))));
  serve(approvalSum, async ({ input }) => sumOf(Payout.name, await payouts.list(hasId(payouts.table, input.ids))));
  serve(payable.pay, ({ input, principal }) => payments.pay(principal, input));
  serveCrud(payout, payouts);
  serve(payout.approve, ({ input, principal }) => approvals.approve(principal, input.ids));
  serve(payout.refuse, ({ input: { id, reason }, principal }) => approvals.refuse(principal, id, reason ?? null));
}

/** Returns the total of rows and the number of payees. */
function sumOf(entity: string, rows: readonly { readonly userId: string; readonly amount: number | string }[]): ReplyOf<typeof paySum> {
  const amount = canSeeField(entity, 'amount') ? rows.reduce((sum, row) => sum + Number(row.amount), 0) : null;
  return { people: new Set(rows.map(({ userId }) => userId)).size, amount };
}

/** Lists approved work that is not paid and whose approval can no longer be undone, the longest waiting first. */
export function owedWorkOf(db: ServerContext['db']): (input: InputOf<typeof payable.list>) => Promise<ReplyOf<typeof payable.list>> {
  const submissions = repositoryOf(db, Submission);
  const { auditStatus, auditTime, payStatus } = submissions.table;
  const owed = and(
    sql`${auditStatus} = ${reviewState.approved} and ${payStatus} in (${payState.unpaid}, ${payState.failed})`,
    sql`${auditTime} <= now() - make_interval(secs => ${undoSeconds})`,
  );
  return (input) => submissions.page(input.ascs || input.descs ? input : { ...input, ascs: 'audit_time' }, owed);
}
