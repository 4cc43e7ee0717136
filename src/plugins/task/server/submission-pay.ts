import { type SQL, sql } from 'drizzle-orm';
import { idArray, queryRows, recordChange, type ServerContext } from '#server';
import { payStates, Submission } from '../contract.ts';
import { type FailedPayment, PayoutListener, type SubmissionPayment } from '../server-extension.ts';
import { payState } from './states.ts';

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

  override async paid(bills: readonly SubmissionPayment[]): Promise<void> {
    const changed = await queryRows<{ id: string }>(
      this.db,
      sql`update task_submission s set pay_status = ${payState.paid}, pay_time = date_trunc('second', now()), pay_error = null from ${rowsOf(bills)}
          where s.id = bill.id and s.pay_no = bill.pay_no returning s.id::text as id`,
    );
    recordStates(changed, payStates.paid);
  }

  override async failed(bills: readonly FailedPayment[]): Promise<void> {
    const rows = bills.map(({ submissionId, payNo, reason }) => ({ id: submissionId, pay_no: payNo, reason: reason.slice(0, 255) }));
    const changed = await queryRows<{ id: string }>(
      this.db,
      sql`update task_submission s set pay_status = ${payState.failed}, pay_error = bill.reason
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as bill (id bigint, pay_no text, reason text)
          where s.id = bill.id and s.pay_no = bill.pay_no returning s.id::text as id`,
    );
    recordStates(changed, payStates.failed);
  }

  override async withdrawn(bills: readonly SubmissionPayment[]): Promise<void> {
    const changed = await queryRows<{ id: string }>(
      this.db,
      sql`update task_submission s set pay_status = ${payState.unpaid}, pay_no = null from ${rowsOf(bills)}
          where s.id = bill.id and s.pay_no = bill.pay_no returning s.id::text as id`,
    );
    recordStates(changed, payStates.unpaid);
  }
}

function recordStates(changed: readonly { readonly id: string }[], payStatus: number): void {
  for (const { id } of changed) recordChange({ entity: Submission.name, id, before: { payStatus: payStates.processing }, after: { payStatus } });
}
