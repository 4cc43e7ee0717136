import { sql } from 'drizzle-orm';
import { Submission } from '#plugins/task/contract';
import type { WorkPay } from '#plugins/task/server-extension';
import { repositoryOf, type ServerContext, seesField } from '#server';
import type { Crud, ReplyOf } from '#shared/contract';
import { approvalSum, Payout, payable, payout, paySum } from '../contract.ts';
import { Approvals } from './approvals.ts';
import { AutomaticPayments } from './automatic-payments.ts';
import type { Ledger } from './ledger.ts';
import { owedWorkOf } from './owed-work.ts';
import { paymentFigures } from './pay-figures.ts';
import { idArray, Payments } from './payments.ts';

const automaticSeconds = 10;

/** What those who pay ask and do, and those who approve of it, what is paid unasked, and what the first page tells of it. */
export function servePayouts(
  context: Pick<ServerContext, 'applyFilters' | 'serve' | 'serveCrud' | 'db' | 'parameters' | 'figures' | 'every'>,
  ledger: Ledger,
  work: WorkPay,
): void {
  const { serve, serveCrud, db, figures, every } = context;
  const submissions = repositoryOf(db, Submission);
  const owedWork = owedWorkOf(db);
  const payouts = repositoryOf(db, Payout);
  const payments = new Payments(context, ledger, work);
  const automatic = new AutomaticPayments(db, payments);
  const approvals = new Approvals(db, ledger, work);

  figures.give(...paymentFigures(context));
  every(automaticSeconds, () => automatic.round());
  serve(payable.list, ({ input }) => owedWork(input));
  serve(paySum, async ({ input }) => sumOf(Submission.name, await submissions.list(sql`${submissions.table.id} = any(${idArray(input.ids)})`)));
  serve(approvalSum, async ({ input }) => sumOf(Payout.name, await payouts.list(sql`${payouts.table.id} = any(${idArray(input.ids)})`)));
  serve(payable.pay, ({ input, principal }) => payments.pay(principal, input));
  serveCrud(payout as unknown as Crud<typeof Payout>, payouts);
  serve(payout.approve, async ({ input, principal }) => {
    await approvals.approve(principal, input.ids);
    return null;
  });
  serve(payout.refuse, async ({ input: { id, reason }, principal }) => {
    await approvals.refuse(principal, id, reason ?? null);
    return null;
  });
}

/** What rows of an entity come to, and for how many people. */
function sumOf(entity: string, rows: readonly { readonly userId: string; readonly amount: number | string }[]): ReplyOf<typeof paySum> {
  const amount = seesField(entity, 'amount') ? rows.reduce((sum, row) => sum + Number(row.amount), 0) : null;
  return { people: new Set(rows.map(({ userId }) => userId)).size, amount };
}
