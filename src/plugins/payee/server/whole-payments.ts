import { sql } from 'drizzle-orm';
import { Payout } from '#plugins/payment/contract';
import { ApiError, canSeeField, hasFullAccess } from '#server';
import { Payee, payeeProblems } from '../contract.ts';

/** Tests whether the user may see all payees, and all payouts with their amounts: sums by payee contain them all. */
const seesWholePayments = () => hasFullAccess(Payee.name) && hasFullAccess(Payout.name) && canSeeField(Payout.name, 'amount');

/** Options of repositories whose rows are sums of all payouts; other users see none of them. */
export const wholePaymentsOnly = { where: () => sql`${seesWholePayments()}::boolean` };

/** Throws for users who see only a part of the payees or the payouts. */
export function assertWholePayments(): void {
  if (!seesWholePayments()) throw new ApiError(payeeProblems.partialView);
}
