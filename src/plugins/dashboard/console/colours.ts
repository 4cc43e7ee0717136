import type { FigureTone } from '#shared/figures';

/** Colours of the console at the position of a chart. */
export interface Colours {
  readonly tones: Readonly<Record<FigureTone, string>>;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly size: number;
}

/** Reads the colours from the style tokens of an element. */
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
