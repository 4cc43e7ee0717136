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
  abstract started(payments: readonly SubmissionPayment[]): Promise<void>;
  abstract paid(payments: readonly SubmissionPayment[]): Promise<void>;
  /** Payments failed and their work can be paid again; the reason is shown to users. */
  abstract failed(payments: readonly FailedPayment[]): Promise<void>;
  /** Payments were withdrawn; the work counts as if none had been requested. */
  abstract withdrawn(payments: readonly SubmissionPayment[]): Promise<void>;
}

/** Name of the lock that serializes the publishing of a tenant's tasks, so that what a filter has checked still holds when the transaction ends. */
export const publishingLock = (tenantId: string): string => `publishing of ${tenantId}`;
