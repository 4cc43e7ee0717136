import { ApiError, canSeeField } from '#server';
import { type Expected, type PaymentSum, Payout, paymentProblems } from '../contract.ts';

interface Amount {
  readonly userId: string;
  readonly amount: number | string;
}

const totalOf = (rows: readonly Amount[]) => rows.reduce((sum, { amount }) => sum + Number(amount), 0);

/** Returns the number, the total and the number of payees of rows. */
export function sumOf(entity: string, rows: readonly Amount[]): Omit<PaymentSum, 'rows'> {
  return { count: rows.length, people: new Set(rows.map(({ userId }) => userId)).size, amount: canSeeField(entity, 'amount') ? totalOf(rows) : null };
}

/** Throws unless exactly these rows have been confirmed; the error's data is their number and total. */
export function assertExpected(expected: Expected | undefined, rows: readonly Amount[]): void {
  if (!expected || (expected.count === rows.length && (expected.amount === null || expected.amount === totalOf(rows)))) return;
  throw new ApiError(paymentProblems.totalChanged, {}, { data: sumOf(Payout.name, rows) });
}
