import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { idArray, queryRows, recordChange, type ServerContext, tableOf } from '#server';
import { payStates, Submission } from '../contract.ts';
import { PayoutListener, type SubmissionPayment } from '../server-extension.ts';
import { payState } from './states.ts';

const submissions = tableOf(Submission);

/** Payments as rows `bill` with the submission's id and the payment's number. */
const rowsOf = (bills: readonly SubmissionPayment[]): SQL =>
  sql`unnest(${idArray(bills.map(({ submissionId }) => submissionId))}, ${`{${bills.map(({ payNo }) => JSON.stringify(payNo)).join(',')}}`}::text[]) bill (id, pay_no)`;

/** Stores the payment state of each submission. */
export class SubmissionPay extends PayoutListener {
  constructor(private readonly db: ServerContext['db']) {
    super();
  }

  override async started(bills: readonly SubmissionPayment[]): Promise<void> {
    await this.db.sql.execute(
      sql`update task_submission s set pay_status = ${payState.processing}, pay_no = bill.pay_no, pay_error = null from ${rowsOf(bills)} where s.id = bill.id`,
    );
  }

  override paid(bill: SubmissionPayment): Promise<void> {
    return this.set(bill, { payStatus: payStates.paid, payTime: sql`date_trunc('second', now())`, payError: null });
  }

  override failed(bill: SubmissionPayment, reason: string): Promise<void> {
    return this.set(bill, { payStatus: payStates.failed, payError: reason.slice(0, 255) });
  }

  override async withdrawn(bills: readonly SubmissionPayment[]): Promise<void> {
    const changed = await queryRows<{ id: string }>(
      this.db,
      sql`update task_submission s set pay_status = ${payState.unpaid}, pay_no = null from ${rowsOf(bills)}
          where s.id = bill.id and s.pay_no = bill.pay_no returning s.id::text as id`,
    );
    for (const { id } of changed)
      recordChange({ entity: Submission.name, id, before: { payStatus: payStates.processing }, after: { payStatus: payStates.unpaid } });
  }

  private async set({ submissionId, payNo }: SubmissionPayment, values: PgUpdateSetSource<typeof submissions>): Promise<void> {
    const where = and(eq(submissions.id, submissionId), eq(submissions.payNo, payNo));
    const { payStatus } = submissions;
    const changed = await this.db.sql.update(submissions).set(values).where(where).returning({ payStatus });
    for (const after of changed) recordChange({ entity: Submission.name, id: submissionId, before: { payStatus: payStates.processing }, after });
  }
}
