import type { FigureTone } from '#shared/figures';

/** The console's colours where a chart stands. */
export interface Colours {
  readonly tones: Readonly<Record<FigureTone, string>>;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly size: number;
}

/** Reads them from the tokens an element is styled by. */
export function colours(element: Element): Colours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    tones: {
      brand: token('--brand-ink'),
      good: token('--success-ink'),
      warning: token('--warning-ink'),
      danger: token('--danger-ink'),
      neutral: token('--text-faint'),
    },
    text: token('--text'),
    soft: token('--text-soft'),
    line: token('--line'),
    surface: token('--surface'),
    size: Number.parseFloat(style.fontSize) || 12,
  };
}
