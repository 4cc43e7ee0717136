import { maxCountedRows } from '#shared/contract';
import { isEmpty } from '#shared/text';

/** Formats an amount in 分 (cents): `¥1,234.56`. */
export function moneyText(value: unknown): string {
  const cents = Number(value);
  if (isEmpty(value) || !Number.isFinite(cents)) return '';
  const yuan = Math.abs(cents) / 100;
  return `${cents < 0 ? '-' : ''}¥${yuan.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Formats a number with thousands separators. */
export const numberText = (value: unknown): string =>
  isEmpty(value) || !Number.isFinite(Number(value)) ? '' : Number(value).toLocaleString('en', { maximumFractionDigits: 6 });

/** True for a link that is safe to render: an absolute HTTP address or a path of this site. */
export const isSafeLink = (link: string) => /^(https?:\/\/|\/(?![/\\]))/i.test(link);

/** Formats the total; a lower bound is rounded down to thousands once counting has stopped. */
export function totalText(total: number, isExact: boolean): string {
  const lowerBound = total < maxCountedRows ? total - 1 : Math.floor(total / 1000) * 1000;
  return (isExact ? total : lowerBound).toLocaleString('en');
}

/** Estimates the width of a 14 px label in pixels: a Chinese character is nearly twice as wide as a Latin letter. */
export const textWidth = (text: string): number => [...text].reduce((width, letter) => width + (letter > '\u2e80' ? 14 : 8), 0);
