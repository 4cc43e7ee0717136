/** A colour in OKLCH, a perceptual colour space: lightness (0–1), chroma and hue (radians). */
export interface OklchColour {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

type ColourChannels = readonly [number, number, number];

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const toGamma = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055);

/** Returns red, green and blue of `#rrggbb`, each 0–255. */
export function channelsOf(hex: string): ColourChannels {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function linearChannelsOf(hex: string): ColourChannels {
  const [red, green, blue] = channelsOf(hex);
  return [toLinear(red / 255), toLinear(green / 255), toLinear(blue / 255)];
}

/** Returns the relative luminance as defined by WCAG: 0 is black, 1 is white. */
export function luminanceOf(hex: string): number {
  const [red, green, blue] = linearChannelsOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours as defined by WCAG, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Converts `#rrggbb` to OKLCH. */
export function toOklch(hex: string): OklchColour {
  const [r, g, b] = linearChannelsOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, chroma: Math.hypot(x, y), hue: Math.atan2(y, x) };
}

/** Returns the nearest displayable colour as `#rrggbb`: lightness and hue stay, chroma is reduced. */
export function toHex({ lightness, chroma, hue }: OklchColour): string {
  for (let reducedChroma = chroma; ; reducedChroma *= 0.97) {
    const channels = linearOf({ lightness, chroma: reducedChroma < 0.002 ? 0 : reducedChroma, hue });
    if (reducedChroma < 0.002 || channels.every((channel) => channel >= -0.0005 && channel <= 1.0005)) return hexOf(channels);
  }
}

function linearOf({ lightness, chroma, hue }: OklchColour): ColourChannels {
  const x = chroma * Math.cos(hue);
  const y = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function hexOf(channels: ColourChannels): string {
  const bytes = channels.map((channel) => Math.round(toGamma(Math.min(1, Math.max(0, channel))) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
