import type { LocalizedText } from '#shared/text';
import { type Palette, paletteOf, type ThemeTokens } from './palette.ts';

/** Titles and accent colours of the console's themes. Their tokens are in `themes/*.css`. */
export const themes = {
  'theme-default': { title: ['默认', 'Default'], accent: '#409EFF' },
  'theme-white': { title: ['素白', 'White'], accent: '#409EFF' },
  'theme-dark': { title: ['墨色', 'Ink'], accent: '#409EFF' },
  'theme-star': { title: ['星空', 'Starry night'], accent: '#5B7CFA' },
  'theme-bule': { title: ['海蓝', 'Blue'], accent: '#409EFF' },
  'theme-iview': { title: ['青石', 'Slate'], accent: '#2D8CF0' },
  'theme-vip': { title: ['黑金', 'Black and gold'], accent: '#C8A25A' },
  'theme-cool': { title: ['霓虹', 'Neon'], accent: '#7C5CFC' },
  'theme-d2': { title: ['雾蓝', 'Mist'], accent: '#2F74FF' },
  'theme-hey': { title: ['缤纷', 'Vivid'], accent: '#18A689' },
  'theme-lte': { title: ['经典', 'Classic'], accent: '#3C8DBC' },
} as const satisfies Readonly<Record<string, { readonly title: LocalizedText; readonly accent: string }>>;

/** Id of a theme in manifest and storage. */
export type ThemeId = keyof typeof themes;

/** Colour of users who have chosen none, in themes without one. */
export const defaultColour = '#409EFF';

/** Builds the style sheet with the colours of all themes. A tenant's own colour replaces that of every theme. */
export function paletteSheet(brandColour?: string): string {
  const commonRules = paletteRules('', paletteOf(brandColour ?? defaultColour));
  const themesWithColour = Object.entries(themes).filter(([, { accent }]) => brandColour === undefined && accent !== defaultColour);
  return [commonRules, ...themesWithColour.map(([id, { accent }]) => paletteRules(id, paletteOf(accent)))].join('');
}

function paletteRules(id: string, { light, dark }: Palette): string {
  const selector = id ? `[data-theme="${id}"]` : '[data-theme]';
  const [inLight, inDark] = [`:root ${selector}`, `:root ${selector}[arco-theme="dark"]`];
  // The selector also names the body, for a page whose body has no theme attribute yet.
  return id ? rule(inLight, light) + rule(inDark, dark) : rule(`:root body, ${inLight}`, light) + rule(`:root body[arco-theme="dark"], ${inDark}`, dark);
}

const rule = (selector: string, tokens: ThemeTokens) =>
  `${selector} { ${Object.entries(tokens)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} }\n`;
