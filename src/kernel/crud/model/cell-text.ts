import { maxCountedRows } from '#shared/contract';
import { isEmpty } from '#shared/text';

/** Formats an amount in 分 (cents): `¥1,234.56`. */
export function moneyText(value: unknown): string {
  const cents = Number(value);
  if (isEmpty(value) || !Number.isFinite(cents)) return '';
  const yuan = Math.abs(cents) / 100;
  return `${cents < 0 ? '-' : ''}¥${yuan.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Formats an amount in 分 (cents) that may be too large for a number. */
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

/** Formats the total of a list. A lower bound is rounded down to thousands if the server has stopped counting. */
export function totalText(total: number, isExact: boolean): string {
  const lowerBound = total < maxCountedRows ? total - 1 : Math.floor(total / 1000) * 1000;
  return (isExact ? total : lowerBound).toLocaleString('en');
}

/** Widths in pixels of the Latin characters, including `¥`, in the font of the page. They are measured once, because the font that a browser uses is not known in advance. */
let characterWidths: Float64Array | undefined;
const latinWidth = 8;
const chineseWidth = 14;

function measureCharacters(): Float64Array {
  const widths = new Float64Array(256).fill(latinWidth);
  const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return widths;
  context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  for (let code = 32; code < 256; code++) widths[code] = context.measureText(String.fromCharCode(code)).width;
  return widths;
}

/** Returns the width of a 14 px label in pixels. */
export function textWidth(text: string): number {
  characterWidths ??= measureCharacters();
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    width += code > 0x2e80 ? chineseWidth : (characterWidths[code] ?? latinWidth);
  }
  return Math.ceil(width);
}
