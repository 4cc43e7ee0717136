import { expect, test } from '@rstest/core';
import sharp from 'sharp';
import { captchaAlphabet, captchaPicture, glyphOf, glyphSize } from '../../../../../src/server/platform/identity/captcha/captcha-picture.ts';
import { pngChunks, pngSize } from '../../../../support/png.ts';

/** Counts the pixels that are darker than the background. */
async function inkOf(png: Buffer): Promise<number> {
  const pixels = await sharp(png).greyscale().raw().toBuffer();
  return pixels.reduce((sum, value) => sum + (value < 200 ? 1 : 0), 0);
}

test('the picture is a PNG of 130×48 that holds pixels alone: no text, no path, no metadata', async () => {
  const png = await captchaPicture('RK7MN');
  expect(pngSize(png)).toEqual({ width: 130, height: 48 });
  const allowed = ['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND'];
  expect(pngChunks(png).filter(({ type }) => !allowed.includes(type))).toEqual([]);
  expect(png.toString('latin1')).not.toMatch(/RK7MN|<svg|<path/i);
});

test('a code looks different each time it is drawn', async () => {
  const pictures = await Promise.all(Array.from({ length: 20 }, () => captchaPicture('RK7MN')));
  expect(new Set(pictures.map((png) => png.toString('base64'))).size).toBe(20);
});

test('the alphabet has no characters that people mistake for one another, and enough of them', () => {
  expect(captchaAlphabet).not.toMatch(/[^A-Z0-9]/);
  for (const lookalikes of ['0OQD', '1ILJ', '2Z', '4A', '5S', '8B', '6G', 'UV']) {
    expect([...lookalikes].filter((character) => captchaAlphabet.includes(character)).length, lookalikes).toBeLessThanOrEqual(1);
  }
  expect(captchaAlphabet.length ** 5).toBeGreaterThan(1_000_000);
});

test('each character is drawn inside its box, in either case, and leaves ink', async () => {
  const empty = await inkOf(await captchaPicture(' '.repeat(5)));
  for (const character of captchaAlphabet) {
    const points = glyphOf(character).flat();
    for (const [x, y] of points) expect(Math.abs(x - glyphSize.width / 2) < 2.6 && Math.abs(y - glyphSize.height / 2) < 3.6, character).toBe(true);
    expect(glyphOf(character.toLowerCase())).toEqual(glyphOf(character));
    expect(await inkOf(await captchaPicture(character.repeat(5))), character).toBeGreaterThan(empty + 300);
  }
});
