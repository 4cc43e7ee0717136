import { useMemo } from 'react';
import { Locale, useService, useStream } from '#kernel';
import type { ChartRow, FigureUnit } from '#shared/figures';
import type { LocalizedText } from '#shared/text';

const localeTags = { zh: 'zh-CN', en: 'en' } as const;
const currency = { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' } as const;

/** Formats numbers for the user's language; money is in 分. */
export interface FigureText {
  full(value: number, unit: FigureUnit): string;
  /** Short form for axes and labels: 1.2万, 12K. */
  short(value: number, unit: FigureUnit): string;
}

/** Returns the number format of the user's language. */
export function useFigureText(): FigureText {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  return useMemo(() => figureText(localeTags[language]), [language]);
}

function figureText(tag: string): FigureText {
  const [count, money] = [new Intl.NumberFormat(tag), new Intl.NumberFormat(tag, currency)];
  const shortCount = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
  const shortMoney = new Intl.NumberFormat(tag, { ...currency, notation: 'compact', maximumFractionDigits: 1 });
  return {
    full: (value, unit) => (unit === 'money' ? money.format(value / 100) : count.format(value)),
    short: (value, unit) => (unit === 'money' ? shortMoney.format(value / 100) : shortCount.format(value)),
  };
}

/** Returns the label of a chart row. */
export const labelOf = ({ label }: ChartRow, t: (text: LocalizedText) => string): string => (typeof label === 'string' ? label : t(label));
