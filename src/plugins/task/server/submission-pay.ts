import { type SQL, sql } from 'drizzle-orm';
import type { ServerContext } from '#server';
import { PayoutListener, type WorkBill } from '../server-extension.ts';
import { payState } from './states.ts';
import { idArray } from './timeline.ts';

/** Stores the payment state of each submission. */
export class SubmissionPay extends PayoutListener {
  constructor(private readonly db: ServerContext['db']) {
    super();
  }

  override async begun(bills: readonly WorkBill[]): Promise<void> {
    const payNos = `{${bills.map(({ payNo }) => JSON.stringify(payNo)).join(',')}}`;
    await this.db.sql.execute(
      sql`update task_submission s set pay_status = ${payState.processing}, pay_no = bill.pay_no, pay_error = null
          from unnest(${idArray(bills.map(({ submissionId }) => submissionId))}, ${payNos}::text[]) bill (id, pay_no) where s.id = bill.id`,
    );
  }

  override paid(bill: WorkBill): Promise<void> {
    return this.set(bill, sql`pay_status = ${payState.paid}, pay_time = date_trunc('second', now()), pay_error = null`);
  }

  override failed(bill: WorkBill, reason: string): Promise<void> {
    return this.set(bill, sql`pay_status = ${payState.failed}, pay_error = ${reason.slice(0, 255)}`);
  }

  override withdrawn(bill: WorkBill): Promise<void> {
    return this.set(bill, sql`pay_status = ${payState.unpaid}, pay_no = null`);
  }

  private async set({ submissionId, payNo }: WorkBill, values: SQL): Promise<void> {
    await this.db.sql.execute(sql`update task_submission set ${values} where id = ${submissionId} and pay_no = ${payNo}`);
  }
}
