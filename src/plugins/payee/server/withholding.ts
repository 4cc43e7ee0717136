import { ApiError } from '#server';
import { allowanceMethods, type WithholdingRuleRow, withholdingBases, withholdingProblems } from '../contract.ts';

/** Step of a table of rates: it applies to taxable income above `above`. Amounts in 分, the rate in hundredths of a percent. */
interface Band {
  readonly above: bigint;
  readonly rate: bigint;
  readonly deduction: bigint;
}

/** The parts of a rule that decide an amount. */
export type WithholdingTerms = Pick<WithholdingRuleRow, 'basis' | 'allowanceRate' | 'allowanceFixed' | 'allowanceMethod' | 'bands'>;

/** Income of a payee in the period of a rule before a payment, in 分; `months` counts the months with income, the current one included. */
export interface IncomeSoFar {
  readonly gross: number;
  readonly withheld: number;
  readonly months: number;
}

const hundred = 100n;
/** Rates are hundredths of a percent. */
const rateUnit = 10_000n;

/** Reads the bands of a rule; throws for a line that is none. */
export function bandsOf(text: string): Band[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bands = lines.map((line, index): Band => {
    const [, above, rate, deduction] = /^\s*(\d{1,10}(?:\.\d\d?)?)[\s,，]+(\d{1,3}(?:\.\d\d?)?)%?[\s,，]+(\d{1,10}(?:\.\d\d?)?)\s*$/.exec(line) ?? [];
    const band = above && rate && deduction ? { above: hundredthsOf(above), rate: hundredthsOf(rate), deduction: hundredthsOf(deduction) } : undefined;
    if (!band || band.rate > rateUnit) throw new ApiError(withholdingProblems.wrongBand, { line: index + 1 }, { field: 'bands' });
    return band;
  });
  const isRising = bands[0]?.above === 0n && bands.every(({ above }, index) => index === 0 || above > (bands[index - 1]?.above ?? 0n));
  if (!isRising) throw new ApiError(withholdingProblems.unsortedBands, {}, { field: 'bands' });
  return bands;
}

/**
 * Computes the tax to withhold from a payment, in 分. All steps are exact; the tax that is due on the income so far is rounded once, half a 分 up, and what has been
 * withheld is subtracted. At least one 分 remains for the payee: the rest is withheld from the next payment of the period, as income and tax accumulate.
 */
export function taxOn(terms: WithholdingTerms, amount: number, before: IncomeSoFar): number {
  const isAlone = terms.basis === withholdingBases.payment;
  const income = BigInt(amount) + (isAlone ? 0n : BigInt(before.gross));
  const months = terms.basis === withholdingBases.year ? BigInt(before.months) : 1n;
  const proportional = income * BigInt(Math.round(terms.allowanceRate * 100));
  const fixed = BigInt(terms.allowanceFixed) * months * rateUnit;
  const allowance = terms.allowanceMethod === allowanceMethods.greater ? larger(proportional, fixed) : proportional + fixed;
  const taxable = larger(0n, income * rateUnit - allowance);
  const band = bandsOf(terms.bands).findLast(({ above }) => above * rateUnit < taxable);
  if (!band) return 0;
  const scale = rateUnit * rateUnit;
  const due = (larger(0n, taxable * band.rate - band.deduction * scale) + scale / 2n) / scale;
  const open = Number(due) - (isAlone ? 0 : before.withheld);
  return Math.max(0, Math.min(open, amount - 1));
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function hundredthsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * hundred + BigInt(decimals.padEnd(2, '0'));
}
