import { expect, test } from '@rstest/core';
import fc from 'fast-check';
import {
  aliveLimit,
  changePage,
  closedBeside,
  initialPages,
  leaveTabs,
  movePage,
  type OpenPage,
  type OpenPages,
  openPage,
  removePages,
} from '../../../../src/kernel/workbench/tabs/tab-rules.ts';

const home = '/wel/index';

/** An action of an operator or a page, as a step from one state to the next. */
type Step = (state: OpenPages) => OpenPages;

const pick = (state: OpenPages, number: number) => state.pages[number % state.pages.length] as OpenPage;
const keysOf = (pages: readonly OpenPage[]) => pages.map(({ key }) => key);

/** Follows the rule of the store: the only tab, a pinned tab and the home tab are never closed. */
const close =
  (number: number): Step =>
  (state) => {
    const { key, pinned } = pick(state, number);
    return state.pages.length === 1 || pinned || key === home ? state : removePages(state, [key]);
  };

const number = fc.nat(60);
const step: fc.Arbitrary<[string, Step]> = fc.oneof(
  { weight: 8, arbitrary: number.map((n): [string, Step] => [`open ${n}`, (state) => openPage(state, { location: n === 0 ? home : `/page/index?id=${n}` })]) },
  number.map((n): [string, Step] => [`close ${n}`, close(n)]),
  number.map((n): [string, Step] => [`close home or ${n}`, (state) => (state.pages.length > 1 ? removePages(state, [pick(state, n).key]) : state)]),
  number.map((n): [string, Step] => [`pin ${n}`, (state) => changePage(state, pick(state, n).key, { pinned: pick(state, n).key !== home })]),
  number.map((n): [string, Step] => [`unpin ${n}`, (state) => changePage(state, pick(state, n).key, { pinned: false })]),
  number.map((n): [string, Step] => [
    `soil ${n}`,
    (state) => (state.alive.includes(pick(state, n).key) ? changePage(state, pick(state, n).key, { dirty: true }) : state),
  ]),
  number.map((n): [string, Step] => [`save ${n}`, (state) => changePage(state, pick(state, n).key, { dirty: false })]),
  fc.tuple(number, number).map(([n, to]): [string, Step] => [`move ${n} to ${to}`, (state) => movePage(state, pick(state, n).key, to)]),
  fc
    .tuple(number, fc.constantFrom('left' as const, 'right' as const, 'both' as const))
    .map(([n, side]): [string, Step] => [
      `close ${side} of ${n}`,
      (state) => removePages(state, keysOf(closedBeside(state, pick(state, n).key, side)), pick(state, n).key),
    ]),
  fc.constant<[string, Step]>(['leave', leaveTabs]),
);

function expectSound(state: OpenPages): void {
  const keys = keysOf(state.pages);
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(state.pages.map(({ serial }) => serial)).size).toBe(keys.length);
  if (keys.includes(home)) expect(keys[0]).toBe(home);
  const others = state.pages.filter(({ key }) => key !== home).map(({ pinned }) => pinned);
  expect(others).toEqual(others.toSorted((one, other) => Number(other) - Number(one)));
  if (state.active !== undefined) expect(keys).toContain(state.active);
  expect(new Set(state.alive).size).toBe(state.alive.length);
  for (const key of state.alive) expect(keys).toContain(key);
  const stays = new Set(keysOf(state.pages.filter(({ dirty, pinned }) => dirty || pinned)));
  const ordinary = state.alive.filter((key, at) => at > 0 && !stays.has(key));
  if (state.alive.length > aliveLimit) expect(ordinary).toEqual([]);
  for (const { key, dirty } of state.pages) if (dirty) expect(state.alive).toContain(key);
}

test('any sequence of actions keeps the rules of tabs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let state = initialPages(home);
      for (const [, next] of steps) {
        state = next(state);
        expectSound(state);
      }
    }),
    { numRuns: 300 },
  );
});

test('opening shows the page and keeps it alive; moving only changes the order; closing others keeps home and pinned tabs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), number, number, (steps, n, to) => {
      const state = steps.reduce((before, [, next]) => next(before), initialPages(home));
      const after = openPage(state, { location: `/page/index?id=${n}` });
      expect(after.active).toBe(`/page/index?id=${n}`);
      expect(after.alive[0]).toBe(after.active);
      expect(openPage(after, { location: `/page/index?id=${n}#part` })).toEqual(after);

      const arranged = movePage(state, pick(state, n).key, to);
      expect(keysOf(arranged.pages).toSorted()).toEqual(keysOf(state.pages).toSorted());
      expect(arranged.alive).toEqual(state.alive);

      const { key } = pick(state, n);
      const left = removePages(state, keysOf(closedBeside(state, key, 'both')), key).pages;
      expect(keysOf(left)).toEqual(keysOf(state.pages.filter((page) => page.key === key || page.key === home || page.pinned)));
    }),
    { numRuns: 200 },
  );
});

test('a page without keep-alive ends when another is shown, unless changes would be lost', () => {
  const shown = openPage(openPage(initialPages(home), { location: '/a', isTransient: true }), { location: '/b' });
  expect(shown.alive).toEqual(['/b']);
  expect(leaveTabs(openPage(shown, { location: '/a', isTransient: true })).alive).toEqual(['/b']);
  expect(keysOf(shown.pages)).toEqual([home, '/a', '/b']);
  const soiled = changePage(openPage(initialPages(home), { location: '/a', isTransient: true }), '/a', { dirty: true });
  expect(openPage(soiled, { location: '/b' }).alive).toEqual(['/b', '/a']);
  expect(openPage(openPage(soiled, { location: '/a', isTransient: false }), { location: '/b' }).alive).toEqual(['/b', '/a']);
});
