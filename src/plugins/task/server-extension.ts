/** Payment for approved work. */
export interface WorkBill {
  readonly submissionId: string;
  readonly payNo: string;
}

/**
 * Port through which a payment plugin reports the state of payments for approved work. Calls take part in the current transaction; a payment that is no longer the work's
 * current one changes nothing.
 */
export abstract class PayoutListener {
  /** Payments were created; the work cannot be paid again until its payment has ended. */
  abstract begun(bills: readonly WorkBill[]): Promise<void>;
  abstract paid(bill: WorkBill): Promise<void>;
  /** The payment failed and the work can be paid again; the reason is shown to users. */
  abstract failed(bill: WorkBill, reason: string): Promise<void>;
  /** The payment was withdrawn, and the work counts as never requested. */
  abstract withdrawn(bill: WorkBill): Promise<void>;
}
