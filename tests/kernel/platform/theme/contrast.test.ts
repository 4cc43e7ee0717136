import { describe, expect, test } from '@rstest/core';
import { contrastOf, toOklch } from '../../../../src/kernel/platform/theme/colour.ts';
import { paletteOf } from '../../../../src/kernel/platform/theme/palette.ts';
import { type ThemeId, themes } from '../../../../src/kernel/platform/theme/themes.ts';
import { BodyTheme, blend, hex } from '../../../support/theme-sheets.ts';

/** Text tokens, each with the layers below them from top to bottom. */
const pairs: readonly (readonly [texts: readonly string[], ...layers: string[]])[] = [
  [['--text', '--text-soft', '--text-faint', '--brand-ink'], '--surface'],
  [['--text', '--text-soft', '--text-faint', '--brand-ink'], '--canvas'],
  [['--text', '--text-soft', '--text-faint', '--brand-ink'], '--surface-sunken'],
  [['--text', '--text-soft', '--text-faint', '--brand-ink'], '--surface-hover'],
  [['--text', '--brand-ink', '--brand-ink-strong'], '--brand-soft'],
  [['--text', '--text-soft', '--brand-ink'], '--brand-softer'],
  [['--danger-ink', '--warning-ink', '--success-ink'], '--surface'],
  [['--danger-ink', '--text-soft'], '--danger-soft'],
  [['--warning-ink'], '--warning-soft'],
  [['--on-brand'], '--brand-ink'],
  [['--on-brand'], '--brand-ink-strong'],
  [['--on-deep', '--on-deep-soft'], '--brand-deep'],
  [['--on-deep', '--on-deep-soft'], '--brand-deeper'],
  [['--on-deep', '--on-deep-soft'], '--brand-deepest'],
  [['--shell-head-text'], '--shell-head', '--shell-side'],
  [['--shell-side-text', '--shell-side-strong'], '--shell-side'],
  [['--shell-side-strong'], '--shell-side-hover', '--shell-side'],
  [['--shell-side-chosen-text'], '--shell-side-chosen', '--shell-side'],
  [['--shell-bar-text', '--shell-bar-strong', '--shell-bar-faint'], '--shell-bar'],
  [['--shell-bar-strong', '--shell-bar-faint'], '--shell-bar-hover', '--shell-bar'],
  [['--shell-bar-chosen-text'], '--shell-bar-chosen', '--shell-bar'],
  [['--shell-avatar-text'], '--shell-avatar'],
  [['--shell-tag-text', '--shell-tag-strong'], '--shell-tag', '--shell-tags'],
  [['--shell-tag-strong'], '--shell-tag-hover', '--shell-tags'],
  [['--shell-tag-chosen-text'], '--shell-tag-chosen', '--shell-tags'],
  [['--shell-tag-text', '--shell-tag-strong'], '--shell-tags'],
];

/** Returns the pairs with a contrast below 4.5:1, each with its lowest contrast. */
function illegible(body: BodyTheme): string[] {
  return pairs.flatMap(([texts, ...layers]) =>
    texts.flatMap((text) => {
      const measured = grounds(body, layers).flatMap((ground) => body.colours(text).map((colour) => contrastOf(hex(colour), ground)));
      const contrast = Math.min(...measured);
      return measured.length > 0 && contrast >= 4.5 ? [] : [`${text} on ${layers.join(' over ')}: ${contrast.toFixed(2)}`];
    }),
  );
}

/** Returns every colour that results from these layers on top of each other. */
function grounds(body: BodyTheme, [top = '', ...below]: readonly string[]): string[] {
  const own = body.colours(top);
  if (below.length === 0) return own.map(hex);
  if (own.length === 0) return grounds(body, below);
  if (own.every(([, , , alpha]) => alpha === 1)) return own.map(hex);
  const under = below.flatMap((layer) => body.colours(layer));
  return own.flatMap((colour) => under.map((ground) => hex(blend(colour, ground))));
}

const ids = Object.keys(themes) as ThemeId[];
const picked = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#00ffff', '#ff0000', '#ff69b4', '#808080', '#3b0066', '#f5222d', '#fa8c16', '#13c2c2'];

describe('every text has a contrast of 4.5:1', () => {
  for (const theme of ids) {
    for (const isDark of [false, true]) {
      const name = `${theme}, ${isDark ? 'dark' : 'light'}`;
      test(`in ${name}`, () => expect(illegible(new BodyTheme(theme, isDark))).toEqual([]));
      test(`in ${name}, with high contrast`, () => expect(illegible(new BodyTheme(theme, isDark, { isWeak: true }))).toEqual([]));
      test(`in ${name}, with any colour`, () => {
        const missed = picked.flatMap((colour) => {
          const palette = paletteOf(colour);
          return illegible(new BodyTheme(theme, isDark, { inline: isDark ? palette.dark : palette.light })).map((pair) => `${colour}: ${pair}`);
        });
        expect(missed).toEqual([]);
      });
    }
  }
});

test('the test detects insufficient contrast', () => {
  expect(contrastOf('#409eff', '#ffffff')).toBeLessThan(3);
  expect(illegible(new BodyTheme('theme-default', false, { inline: { '--brand-ink': '#409eff' } }))).toContain('--on-brand on --brand-ink: 2.78');
});

test('the selected colour itself is the accent, and text uses a legible shade of it', () => {
  const { light, dark } = paletteOf('#409EFF');
  expect([light['--brand'], dark['--brand'], light['--primary-5']]).toEqual(['#409EFF', '#409EFF', '64, 158, 255']);
  expect(contrastOf(light['--brand-ink'] ?? '', '#ffffff')).toBeGreaterThan(5);
});

test('danger differs in lightness from a red brand, and its buttons have a mark', () => {
  for (const colour of ['#ff0000', '#f5222d', '#c8102e'])
    for (const tokens of Object.values(paletteOf(colour))) {
      const [brand, danger] = (['--brand-ink', '--danger-ink'] as const).map((name) => toOklch(tokens[name] ?? '').lightness) as [number, number];
      expect(Math.abs(brand - danger)).toBeGreaterThan(0.12);
      expect(tokens['--danger-mark']).toBeDefined();
    }
  expect(paletteOf('#409eff').light['--danger-mark']).toBeUndefined();
});
