import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelsOf } from '../../src/kernel/platform/theme/colour.ts';
import type { ThemeTokens } from '../../src/kernel/platform/theme/palette.ts';
import { paletteSheet, type ThemeId, themes } from '../../src/kernel/platform/theme/themes.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const folder = join(process.cwd(), 'src/kernel/platform/theme');
const files = ['tokens.css', ...Object.keys(themes).flatMap((id) => (id === 'theme-default' ? [] : [`themes/${id.slice('theme-'.length)}.css`])), 'vision.css'];
const sheet = [paletteSheet(), ...files.map((file) => readFileSync(join(folder, file), 'utf8'))].join('\n').replace(/\/\*[\s\S]*?\*\//g, '');

interface Rule {
  readonly selectors: readonly string[];
  readonly tokens: ThemeTokens;
}

const rules: readonly Rule[] = [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors = '', body = '']) => ({
  selectors: selectors.split(',').map((selector) => selector.trim()),
  tokens: Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value?.trim()])),
}));

/** Tokens of a theme on the `body` of the console, resolved by the cascade as in a browser. */
export class BodyTheme {
  private readonly tokens: Readonly<Record<string, string>>;

  constructor(theme: ThemeId, isDark: boolean, options: { readonly isWeak?: boolean; readonly inline?: ThemeTokens } = {}) {
    const attributes: Record<string, string | undefined> = {
      'data-theme': theme,
      'arco-theme': isDark ? 'dark' : undefined,
      'data-vision': options.isWeak ? 'weak' : undefined,
    };
    const matching = rules.flatMap((rule, order) => {
      const specificities = rule.selectors.filter((selector) => matches(selector, attributes)).map((selector) => specificityOf(selector));
      return specificities.length > 0 ? [{ ...rule, specificity: Math.max(...specificities), order }] : [];
    });
    matching.sort((a, b) => a.specificity - b.specificity || a.order - b.order);
    this.tokens = Object.assign({}, ...matching.map(({ tokens }) => tokens), options.inline);
  }

  /** Returns the colours that a token paints: one, those of a gradient, or none for `transparent`. */
  colours(token: string): Colour[] {
    const text = this.resolve(`var(${token})`);
    const gradients = text.match(/linear-gradient\((?:[^()]|\([^()]*\))*\)/g);
    const hasStripe = text.includes('no-repeat'); // A stripe along an edge is never behind text.
    const painted = gradients && !hasStripe ? gradients.join(' ') : text.replace(/(linear|radial)-gradient\((?:[^()]|\([^()]*\))*\)/g, '');
    return [...painted.matchAll(/#[0-9a-f]{6}\b|rgba?\([^)]*\)/gi)].map(([colour]) => parseColour(colour));
  }

  private resolve(text: string): string {
    return text.replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
      const value = this.tokens[name];
      if (value === undefined) throw new Error(`${name} is set nowhere`);
      return this.resolve(value);
    });
  }
}

function matches(selector: string, attributes: Readonly<Record<string, string | undefined>>): boolean {
  if (!/^:root (body)?(\[|$)/.test(selector)) return false;
  return [...selector.matchAll(/\[([\w-]+)(?:="([^"]*)")?\]/g)].every(([, name = '', value]) =>
    value === undefined ? attributes[name] !== undefined : attributes[name] === value,
  );
}

const specificityOf = (selector: string) => (selector.match(/\[|:root/g) ?? []).length * 100 + (selector.includes('body') ? 1 : 0);

function parseColour(colour: string): Colour {
  if (colour.startsWith('#')) return [...channelsOf(colour), 1];
  const [red = 0, green = 0, blue = 0, alpha = 1] = [...colour.matchAll(/[\d.]+%?/g)].map(([part]) =>
    part.endsWith('%') ? Number.parseFloat(part) / 100 : Number.parseFloat(part),
  );
  return [red, green, blue, alpha];
}

/** Blends a colour over an opaque one. */
export const blend = ([r, g, b, alpha]: Colour, [r2, g2, b2]: Colour): Colour => [
  r * alpha + r2 * (1 - alpha),
  g * alpha + g2 * (1 - alpha),
  b * alpha + b2 * (1 - alpha),
  1,
];

/** Formats a colour as `#rrggbb`. */
export const hex = ([r, g, b]: Colour) => `#${[r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
