import { ApiError } from '#server';
import { documentKinds, payeeProblems } from '../contract.ts';

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkCharacters = '10X98765432';

/** Returns true for an ID card number with a date and the check character of GB 11643. */
export function isIdCardNumber(text: string): boolean {
  const [, year, month, day] = /^\d{6}(\d{4})(\d\d)(\d\d)\d{3}[\dX]$/.exec(text) ?? [];
  if (year === undefined) return false;
  const born = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(born.getTime()) || born.toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return text[17] === checkCharacters[sum % 11];
}

/** Removes blanks and writes letters in upper case, as documents do. */
export const normalizedNumber = (text: string): string => text.replace(/\s/g, '').toUpperCase();

/** Throws for a number that a document of this kind cannot have. */
export function assertDocument(kind: number | null | undefined, number: string): void {
  if (kind === documentKinds.idCard && !isIdCardNumber(number)) throw new ApiError(payeeProblems.wrongIdNumber, {}, { field: 'documentNo' });
  if (!/^[A-Z0-9()]{5,30}$/.test(number)) throw new ApiError(payeeProblems.wrongDocument, {}, { field: 'documentNo' });
}

/** Throws for what is no account of Alipay. */
export function assertAlipay(account: string): void {
  if (!/^(1\d{10}|[^\s@]+@[^\s@]+\.[^\s@]+)$/.test(account)) throw new ApiError(payeeProblems.wrongAlipay, {}, { field: 'alipayAccount' });
}

/** Throws for what is no card number. */
export function assertCard(number: string): void {
  if (!/^\d{8,30}$/.test(number)) throw new ApiError(payeeProblems.wrongCard, {}, { field: 'bankCard' });
}

/** Masks a number: its last four characters remain, and the first three of a long one; of an e-mail address the first character and the host. */
export function maskOf(text: string): string {
  const [, first, host] = /^(.)[^@]*(@.+)$/.exec(text) ?? [];
  if (first !== undefined) return `${first}***${host}`;
  const shownFirst = text.length >= 11 ? 3 : 0;
  const shownLast = text.length >= 8 ? 4 : 1;
  return `${text.slice(0, shownFirst)}${'*'.repeat(text.length - shownFirst - shownLast)}${text.slice(-shownLast)}`;
}
