import { maxCountedRows } from '#shared/contract';
import { isEmpty } from '#shared/text';

/** Formats an amount in 分 (cents): `¥1,234.56`. */
export function moneyText(value: unknown): string {
  const cents = Number(value);
  if (isEmpty(value) || !Number.isFinite(cents)) return '';
  const yuan = Math.abs(cents) / 100;
  return `${cents < 0 ? '-' : ''}¥${yuan.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Formats an exact amount, which may be larger than a number holds. */
export function exactMoneyText(cents: string): string {
  const amount = BigInt(cents);
  const positive = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}¥${(positive / 100n).toLocaleString('en')}.${String(positive % 100n).padStart(2, '0')}`;
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

/** Widths in pixels of a digit and of a Latin letter on average. */
interface LetterWidths {
  readonly digit: number;
  readonly letter: number;
}

/** Widths in the font of the page, measured once; fallback fonts are wider than those we name. */
let measured: LetterWidths | undefined;
const sample = 'Edit publish take down advertiser';

function measureLetters(): LetterWidths {
  const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return { digit: 8, letter: 8 };
  context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  return { digit: Math.max(8, context.measureText('0').width), letter: context.measureText(sample).width / sample.length };
}

/** Estimates the width of a 14 px label in pixels: a Chinese character is nearly twice as wide as a Latin letter. */
export function textWidth(text: string): number {
  measured ??= measureLetters();
  let width = 0;
  for (const letter of text) width += letter > '\u2e80' ? 14 : letter >= 'A' || letter === ' ' ? measured.letter : measured.digit;
  return Math.ceil(width);
}
