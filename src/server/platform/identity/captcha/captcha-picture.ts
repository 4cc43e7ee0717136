/** Size in pixels; BladeX-compatible clients reserve this space. */
export const captchaSize = { width: 130, height: 48 };

const background = '#f5f7fa';
const inks = ['#1f3a93', '#8e2a2a', '#1b6b45', '#6b3fa0', '#7a4f00', '#0f5c6e'];
const pixelsPerUnit = 5;
/** Maximum length of a segment before it is bent, in pixels. */
const stepPixels = 1.5;
const margin = 7;

type Move = (x: number, y: number) => readonly [x: number, y: number];

/** Resolves with a PNG of the text, with new distortions on each call. It needs no font, since the strokes are our own, and sharp renders it outside the event loop. */
export async function captchaPicture(text: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(captchaSvg(text)))
    .png()
    .toBuffer();
}

function captchaSvg(text: string): string {
  const { width, height } = captchaSize;
  const bend = wave();
  const first = pick(inks);
  const inkPair = [first, pick(inks.filter((ink) => ink !== first))];
  const inkOf = (index: number) => inkPair[index % 2] ?? first;
  const advance = (width - 2 * margin) / text.length;
  const letters = Array.from(text, (character, index) => letter(character, margin + advance * (index + 0.5), bend, inkOf(index)));
  const cuts = Array.from({ length: 2 }, () => path([crossing()], bend, background, between(0.9, 1.2)));
  const lines = Array.from({ length: 2 }, (_, index) => path([crossing()], bend, inkOf(index), between(1, 1.5)));
  const shapes = [...letters, ...cuts, ...lines].join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/>${shapes}</svg>`;
}

/** Draws one character turned, slanted and stretched; neighbours touch or overlap, so that they cannot be separated by their gaps. */
function letter(character: string, centre: number, bend: Move, ink: string): string {
  const angle = between(-0.25, 0.25);
  const slant = between(-0.2, 0.2);
  const [wide, high] = [pixelsPerUnit * between(0.75, 0.95), pixelsPerUnit * between(0.95, 1.15)];
  const [left, top] = [centre + between(-2, 2), captchaSize.height / 2 + between(-2.5, 2.5)];
  const toPicture: Move = (x, y) => {
    const [across, down] = [(x - glyphSize.width / 2) * wide, (y - glyphSize.height / 2) * high];
    const slanted = across - slant * down;
    return bend(left + slanted * Math.cos(angle) - down * Math.sin(angle), top + slanted * Math.sin(angle) + down * Math.cos(angle));
  };
  return path(glyphOf(character), toPicture, ink, between(2.6, 3.3));
}

/** Draws a line from edge to edge, through the letters. */
function crossing(): Stroke {
  const at = () => between(8, captchaSize.height - 8);
  return rounded([0, 0.33, 0.67, 1].map((part) => [part * captchaSize.width, at()] as const));
}

/** Bends the whole picture in waves, which differ from picture to picture. */
function wave(): Move {
  const [phaseX, phaseY] = [between(0, 2 * Math.PI), between(0, 2 * Math.PI)];
  const [lengthX, lengthY] = [between(34, 54), between(26, 40)];
  const [x0, y0] = [between(1, 2), between(1.2, 2.4)];
  return (x, y) => [x + x0 * Math.sin((2 * Math.PI * y) / lengthY + phaseX), y + y0 * Math.sin((2 * Math.PI * x) / lengthX + phaseY)];
}

function path(strokes: readonly Stroke[], move: Move, colour: string, thickness: number): string {
  const drawn = strokes.map((stroke) => `M${fine(stroke, move).join('L')}`).join('');
  return `<path d="${drawn}" fill="none" stroke="${colour}" stroke-width="${thickness.toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** Moves the points of a stroke, adding points so that straight segments can bend. */
function fine(stroke: Stroke, move: Move): string[] {
  const points = stroke.flatMap(([x, y], index) => {
    const [toX, toY] = stroke[index + 1] ?? [x, y];
    const [fromMoved, toMoved] = [move(x, y), move(toX, toY)];
    const steps = Math.max(1, Math.ceil(Math.hypot(toMoved[0] - fromMoved[0], toMoved[1] - fromMoved[1]) / stepPixels));
    return Array.from({ length: steps }, (_, step) => move(x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps));
  });
  return points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
}

/** Math.random suffices, because only the appearance of a picture depends on it, never the answer. */
const between = (min: number, max: number) => min + Math.random() * (max - min);
const pick = (from: readonly string[]) => from[Math.floor(Math.random() * from.length)] ?? '';

type Point = readonly [x: number, y: number];
/** Points of a line, in font units. */
type Stroke = readonly Point[];

/** Box of a glyph, in font units. */
export const glyphSize = { width: 4, height: 6 };

/** Strokes of each character: points "x,y", joined by lines or, after a "~", by a curve. Characters that look alike are left out. */
const strokes: Record<string, string> = {
  A: '0,6 2,0 4,6|0.8,3.8 3.2,3.8',
  C: '~3.9,1 3,-0.4 0.2,-0.5 0,3 0.2,6.5 3,6.4 3.9,5',
  E: '3.8,0 0,0 0,6 3.8,6|0,3 3,3',
  F: '3.8,0 0,0 0,6|0,3 3,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  K: '0,0 0,6|4,0 0,3.4|1.4,2.4 4,6',
  M: '0,6 0.3,0 2,4 3.7,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0|~0,0 2,0 4.2,-0.1 4.2,3.4 2,3.3 0,3.3',
  R: '0,6 0,0|~0,0 2,0 4.2,-0.1 4.2,3.4 2,3.3 0,3.3|1.8,3.3 4,6',
  T: '0,0 4,0|2,0 2,6',
  W: '0,0 0.9,6 2,2 3.1,6 4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  3: '~0.2,0.9 0.6,-0.2 3.8,-0.4 3.9,2.8 1.4,2.9|~1.4,2.9 4.2,2.8 4.2,6.5 0.6,6.4 0,4.9',
  6: '~3.5,0.3 1.6,0 0,2.4 0,4.2 0.1,6.3 3.9,6.4 4,4.3 3.8,2.2 0.6,2.3 0.1,4.2',
  7: '0,0 4,0 1.6,6',
  9: '~0.5,5.7 2.4,6 4,3.6 4,1.8 3.9,-0.5 0,-0.6 0,1.7 0.2,3.8 3.4,3.7 3.9,1.8',
};

/** Every character that can be drawn. */
export const captchaAlphabet = Object.keys(strokes).join('');

/** Returns the strokes of a character of the alphabet in either case; empty for any other. */
export function glyphOf(character: string): readonly Stroke[] {
  const text = strokes[character.toUpperCase()];
  return text ? text.split('|').map(strokeOf) : [];
}

function strokeOf(text: string): Stroke {
  const isCurve = text.startsWith('~');
  const points = text
    .slice(isCurve ? 1 : 0)
    .split(' ')
    .map(pointOf);
  return isCurve ? rounded(points) : points;
}

/** Cuts the corners of a stroke (Chaikin's algorithm) until it looks like a curve; the ends stay where they are. */
function rounded(stroke: Stroke, rounds = 3): Stroke {
  const [first, last] = [stroke[0], stroke.at(-1)];
  if (rounds === 0 || !first || !last) return stroke;
  const cut = stroke.slice(1).flatMap((to, index) => {
    const from = stroke[index] ?? to;
    return [pointBetween(from, to, 0.25), pointBetween(from, to, 0.75)];
  });
  return rounded([first, ...cut, last], rounds - 1);
}

const pointBetween = ([fromX, fromY]: Point, [toX, toY]: Point, part: number): Point => [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part];

function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(',').map(Number);
  return [x, y];
}
