import { filter } from '#shared/contract';

/** Payout that is about to start; amounts in 分. `withheld` is the tax to withhold: at least 0 and less than the amount. */
export interface PayoutToWithhold {
  readonly submissionId: string;
  readonly userId: string;
  readonly amount: number;
  readonly withheld: number;
}

/** Filters the tax that is withheld from payouts of one request, under the lock of the ledger. Nothing is withheld without a plugin that says so. */
export const PayoutWithholding = filter<readonly PayoutToWithhold[]>('payment:withholding');
