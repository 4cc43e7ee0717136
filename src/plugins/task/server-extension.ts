/** The bill by which approved work is paid for. */
export interface WorkBill {
  readonly submissionId: string;
  readonly payNo: string;
}

/** Told by whoever pays how the pay for approved work stands. It takes part in the transaction under way; what is said of a bill that is no longer the work's changes nothing. */
export abstract class WorkPay {
  /** Bills were made out: until one ends, nobody pays for the same work again. */
  abstract begun(bills: readonly WorkBill[]): Promise<void>;
  abstract paid(bill: WorkBill): Promise<void>;
  /** The work can be paid for anew; people read why. */
  abstract failed(bill: WorkBill, reason: string): Promise<void>;
  /** As if it had not been asked for. */
  abstract withdrawn(bill: WorkBill): Promise<void>;
}
