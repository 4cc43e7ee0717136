import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import { repositoryOf, type ServerContext } from '#server';
import type { Crud } from '#shared/contract';
import { Payout, payable, payout } from '../contract.ts';
import { Approvals } from './approvals.ts';
import type { Ledger } from './ledger.ts';
import { paymentFigures } from './pay-figures.ts';
import { Payments } from './payments.ts';

/** What those who pay ask and do, and those who approve of it, and what the first page tells of it. */
export function servePayouts(context: Pick<ServerContext, 'applyFilters' | 'serve' | 'serveCrud' | 'db' | 'parameters' | 'figures'>, ledger: Ledger): void {
  const { serve, serveCrud, db, figures } = context;
  const submissions = repositoryOf(db, Submission);
  const payments = new Payments(context, ledger);
  const approvals = new Approvals(db, ledger);
  const { auditStatus, auditTime, payStatus } = submissions.table;
  const owed = and(sql`${auditStatus} = 1 and ${payStatus} in (0, 3)`, sql`${auditTime} <= now() - make_interval(secs => ${undoSeconds})`);

  figures.give(...paymentFigures(context));
  serve(payable.list, ({ input }) => submissions.page(input, owed));
  serve(payable.pay, ({ input, principal }) => payments.pay(principal, input));
  serveCrud(payout as unknown as Crud<typeof Payout>, repositoryOf(db, Payout));
  serve(payout.approve, async ({ input, principal }) => {
    await approvals.approve(principal, input.ids);
    return null;
  });
  serve(payout.refuse, async ({ input: { id, reason }, principal }) => {
    await approvals.refuse(principal, id, reason ?? null);
    return null;
  });
}
