/** Payment for approved work. */
export interface SubmissionPayment {
  readonly submissionId: string;
  readonly payNo: string;
}

export interface FailedPayment extends SubmissionPayment {
  readonly reason: string;
}

/**
 * Port through which a payment plugin reports the state of payments for approved work. Calls take part in the current transaction; a payment that is no longer the work's
 * current one changes nothing.
 */
export abstract class PayoutListener {
  /** Payments were created; the work cannot be paid again until its payment has ended. */
  abstract started(bills: readonly SubmissionPayment[]): Promise<void>;
  abstract paid(bills: readonly SubmissionPayment[]): Promise<void>;
  /** Payments failed and their work can be paid again; the reason is shown to users. */
  abstract failed(bills: readonly FailedPayment[]): Promise<void>;
  /** Payments were withdrawn, and the work counts as never requested. */
  abstract withdrawn(bills: readonly SubmissionPayment[]): Promise<void>;
}

/** Name of the lock under which the tasks of a tenant are published, one request after the other: what a filter judges stays true until its transaction ends. */
export const publishingLock = (tenantId: string): string => `publishing of ${tenantId}`;
