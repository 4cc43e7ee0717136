import { ApiError, canSeeField } from '#server';
import { type Expected, type PaymentSum, Payout, paymentProblems } from '../contract.ts';

interface Amount {
  readonly userId: string;
  readonly amount: number | string;
}
interface TaxedAmount extends Amount {
  readonly withheld: number;
}

const totalOf = (rows: readonly Amount[]) => rows.reduce((sum, { amount }) => sum + Number(amount), 0);
const withheldOf = (rows: readonly (Amount | TaxedAmount)[]) => rows.reduce((sum, row) => sum + ('withheld' in row ? row.withheld : 0), 0);

/** Returns the number, the total and the number of payees of rows. */
export function sumOf(entity: string, rows: readonly Amount[]): Omit<PaymentSum, 'rows'> {
  return { count: rows.length, people: new Set(rows.map(({ userId }) => userId)).size, amount: canSeeField(entity, 'amount') ? totalOf(rows) : null };
}

/** Returns the tax that is withheld from payments and what remains for the payees; nothing for users who may not see them. */
export function taxOf(rows: readonly TaxedAmount[]): Pick<PaymentSum, 'withheld' | 'net'> {
  if (!['amount', 'withheld', 'netAmount'].every((field) => canSeeField(Payout.name, field))) return {};
  const withheld = withheldOf(rows);
  return { withheld, net: totalOf(rows) - withheld };
}

/** Throws unless exactly these rows, with this tax if it was confirmed, have been confirmed; the error's data is their number and total. */
export function assertExpected(expected: Expected | undefined, rows: readonly (Amount | TaxedAmount)[]): void {
  if (!expected) return;
  const { count, amount, withheld } = expected;
  if (count === rows.length && (amount === null || amount === totalOf(rows)) && (withheld === undefined || withheld === withheldOf(rows))) return;
  throw new ApiError(paymentProblems.totalChanged, {}, { data: sumOf(Payout.name, rows) });
}
