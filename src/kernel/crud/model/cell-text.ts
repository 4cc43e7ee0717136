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
