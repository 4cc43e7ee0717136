import { afterEach, expect, test } from '@rstest/core';
import { AddressBar } from '../../../../src/kernel/workbench/routes/address-bar.ts';

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Creates an address bar at `/a` with a guard that waits for the answer of the test. */
function guarded() {
  history.replaceState(null, '', '/a');
  const bar = new AddressBar();
  const answers: ((mayLeave: boolean) => void)[] = [];
  let isHolding = true;
  bar.guard({ isNeeded: () => isHolding, ask: () => new Promise((resolve) => answers.push(resolve)) });
  endings.push(() => bar.dispose());
  const answer = async (mayLeave: boolean) => {
    if (mayLeave) isHolding = false;
    answers.at(-1)?.(mayLeave);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { bar, answers, answer };
}

test('an address is left when its guard allows it, and stays until then', async () => {
  const { bar, answer } = guarded();
  bar.push('/b');
  expect([bar.location.pathname, location.pathname]).toEqual(['/a', '/a']);
  await answer(false);
  expect(location.pathname).toBe('/a');
  bar.push('/b');
  await answer(true);
  expect([bar.location.pathname, location.pathname]).toEqual(['/b', '/b']);
});

test('a guard is not asked again while it is being asked', async () => {
  const { bar, answers, answer } = guarded();
  bar.push('/b');
  bar.replace('/c');
  expect(answers).toHaveLength(1);
  await answer(true);
  expect(bar.location.pathname).toBe('/b');
});

test('a removed guard blocks nothing', () => {
  history.replaceState(null, '', '/a');
  const bar = new AddressBar();
  endings.push(() => bar.dispose());
  bar.guard({ isNeeded: () => true, ask: async () => false })();
  bar.push('/b', { from: '/a' });
  expect(bar.location).toMatchObject({ pathname: '/b', state: { from: '/a' } });
});

test('the browser’s back button waits for the guard too', async () => {
  const { bar, answers, answer } = guarded();
  await answer(true);
  const holding = { isNeeded: () => !left, ask: () => new Promise<boolean>((resolve) => answers.push(resolve)) };
  let left = false;
  bar.push('/b');
  bar.guard(holding);
  history.back();
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(1);
  await expect.poll(() => location.pathname, { timeout: 10_000 }).toBe('/b');
  expect(bar.location.pathname).toBe('/b');
  left = true;
  answers[0]?.(true);
  await expect.poll(() => bar.location.pathname, { timeout: 10_000 }).toBe('/a');
});
