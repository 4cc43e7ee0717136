type Point = readonly [x: number, y: number];
/** Points of a line, in font units. */
export type Stroke = readonly Point[];

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
export function rounded(stroke: Stroke, rounds = 3): Stroke {
  const [first, last] = [stroke[0], stroke.at(-1)];
  if (rounds === 0 || !first || !last) return stroke;
  const cut = stroke.slice(1).flatMap((to, index) => {
    const from = stroke[index] ?? to;
    return [between(from, to, 0.25), between(from, to, 0.75)];
  });
  return rounded([first, ...cut, last], rounds - 1);
}

const between = ([fromX, fromY]: Point, [toX, toY]: Point, part: number): Point => [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part];

function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(',').map(Number);
  return [x, y];
}
