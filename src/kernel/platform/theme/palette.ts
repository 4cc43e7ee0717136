import { channelsOf, luminanceOf, toHex, toOklch } from './colour.ts';

/** Custom properties and their values. */
export type ThemeTokens = Readonly<Record<`--${string}`, string>>;

/** Tokens derived from one colour, for light and for dark. */
export interface Palette {
  readonly light: ThemeTokens;
  readonly dark: ThemeTokens;
}

/** Highest luminance of text on tinted and white surfaces, and lowest of text on dark ones: both give at least 4.5:1 on every surface of every theme. */
const maxInkLuminance = 0.14;
const minInkLuminance = 0.42;

/**
 * Derives all tokens of a colour that an operator or a tenant picked. The colour itself is used for fills and glows (`--brand`); text, links and filled buttons use
 * a shade of it that is legible on every surface (`--brand-ink`) and carries `--on-brand`, whatever was picked. `--brand-deep` stays dark in both, under
 * white.
 */
export function paletteOf(colour: string): Palette {
  const danger = isNearDanger(colour) ? dangerBesideRed : { light: {}, dark: {} };
  return { light: { ...lightTokens(colour), ...danger.light }, dark: { ...darkTokens(colour), ...danger.dark } };
}

/** Tokens of danger beside a red brand: they differ in lightness, and buttons carry a mark. */
const dangerBesideRed: Palette = {
  light: { '--danger-ink': '#6e1a10', '--danger-soft': '#fbeae3', '--danger-6': '110, 26, 16', '--danger-7': '82, 18, 11', '--danger-mark': '"⚠" / ""' },
  dark: { '--danger-ink': '#ffd3b0', '--danger-soft': '#3b2415', '--danger-6': '255, 211, 176', '--danger-7': '255, 228, 206', '--danger-mark': '"⚠" / ""' },
};
const danger = toOklch('#c22f2f');
const [maxHueDistance, minChroma] = [0.5, 0.08];

/** Tells whether a colour could be mistaken for the colour of danger. */
function isNearDanger(colour: string): boolean {
  const { hue, chroma } = toOklch(colour);
  const difference = Math.abs(hue - danger.hue);
  return chroma >= minChroma && Math.min(difference, 2 * Math.PI - difference) < maxHueDistance;
}

function lightTokens(colour: string): ThemeTokens {
  const tint = tintsOf(colour);
  const ink = atMost(colour, maxInkLuminance);
  const strong = atMost(ink, luminanceOf(ink) * 0.66);
  const deeper = atMost(ink, luminanceOf(ink) * 0.52);
  const deepest = atMost(ink, luminanceOf(ink) * 0.2);
  const shades = [tint(0.965, 0.025), tint(0.915, 0.05), tint(0.86, 0.085), tint(0.79, 0.12), colour, ink, strong, deeper, tint(0.31, 0.09), tint(0.24, 0.07)];
  return {
    '--brand': colour,
    '--brand-ink': ink,
    '--brand-ink-strong': strong,
    '--on-brand': '#ffffff',
    '--brand-soft': tint(0.965, 0.025),
    '--brand-softer': tint(0.984, 0.011),
    '--brand-deep': ink,
    '--brand-deeper': deeper,
    '--brand-deepest': deepest,
    '--on-deep-soft': tint(0.96, 0.02),
    ...primaryShades(shades),
  };
}

function darkTokens(colour: string): ThemeTokens {
  const tint = tintsOf(colour);
  const ink = atLeast(colour, minInkLuminance);
  const strong = atLeast(ink, Math.min(0.9, luminanceOf(ink) * 1.28));
  const shades = [
    tint(0.25, 0.06),
    tint(0.32, 0.08),
    tint(0.42, 0.11),
    tint(0.56, 0.14),
    colour,
    ink,
    strong,
    tint(0.88, 0.07),
    tint(0.93, 0.04),
    tint(0.97, 0.02),
  ];
  return {
    '--brand': colour,
    '--brand-ink': ink,
    '--brand-ink-strong': strong,
    '--on-brand': tint(0.2, 0.04),
    '--brand-soft': tint(0.3, 0.06),
    '--brand-softer': tint(0.265, 0.035),
    '--brand-deep': tint(0.4, 0.1),
    '--brand-deeper': tint(0.32, 0.085),
    '--brand-deepest': tint(0.24, 0.065),
    '--on-deep-soft': tint(0.93, 0.03),
    ...primaryShades(shades),
  };
}

/** Formats the ten shades of the component library as it reads them: `r, g, b`. */
function primaryShades(shades: readonly string[]): ThemeTokens {
  return Object.fromEntries(shades.map((shade, index) => [`--primary-${index + 1}`, channelsOf(shade).join(', ')]));
}

/** Returns a function that gives shades of one hue by lightness and maximum chroma; a grey stays grey. */
function tintsOf(colour: string): (lightness: number, chroma: number) => string {
  const { hue, chroma: ownChroma } = toOklch(colour);
  return (lightness, chroma) => toHex({ lightness, chroma: Math.min(chroma, ownChroma), hue });
}

const atMost = (colour: string, luminance: number) =>
  luminanceOf(colour) <= luminance ? colour : shiftToLuminance(colour, luminance, 0, toOklch(colour).lightness);
const atLeast = (colour: string, luminance: number) =>
  luminanceOf(colour) >= luminance ? colour : shiftToLuminance(colour, luminance, 1, toOklch(colour).lightness);

/** Changes the lightness from `near` towards `far` just until the luminance is reached. */
function shiftToLuminance(colour: string, luminance: number, far: number, near: number): string {
  const { chroma, hue } = toOklch(colour);
  let [sufficient, insufficient] = [far, near];
  for (let step = 0; step < 12; step += 1) {
    const middle = (sufficient + insufficient) / 2;
    const measured = luminanceOf(toHex({ lightness: middle, chroma, hue }));
    const isFarEnough = far === 0 ? measured <= luminance : measured >= luminance;
    if (isFarEnough) sufficient = middle;
    else insufficient = middle;
  }
  return toHex({ lightness: sufficient, chroma, hue });
}
