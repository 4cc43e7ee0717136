import type { Page } from '@playwright/test';
import { expect, test } from '@rstest/core';
import { openSignedIn } from '../journeys/console.ts';
import { Product } from '../journeys/product.ts';
import { openTaskFloor } from '../journeys/task-staff.ts';
import { benchProduct } from './bench-product.ts';
import { milliseconds, percentile, report } from './report.ts';

const items = 100;
const bound = 100;

declare global {
  interface Window {
    cleared: { pressed: number; shown: number[] };
  }
}

const product = new Product();
const openPage = benchProduct(product, async () => {
  const floor = await openTaskFloor(product);
  const taskId = await floor.publish({ steps: '到店', content: '<p>详细</p>' });
  // One item more: after the last one, no next item would be shown.
  for (let made = 0; made <= items; made += 1) await floor.handIn(taskId, { content: `第 ${made} 条` });
});

/** Records the time from each key press to the frame in which the next item is shown. */
const watch = (page: Page) =>
  page.evaluate(() => {
    window.cleared = { pressed: 0, shown: [] };
    const item = () => document.querySelector<HTMLElement>('section[data-item]')?.dataset.item;
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const before = item();
        window.cleared.pressed += 1;
        const look = () => {
          const now = item();
          if (now === undefined || now === before) requestAnimationFrame(look);
          else setTimeout(() => window.cleared.shown.push(performance.now() - timeStamp));
        };
        requestAnimationFrame(look);
      },
      { capture: true },
    );
  });

test('an auditor clears a hundred items by keyboard, and each key shows the next at once', async () => {
  const page = await openPage();
  await openSignedIn(page, product, '/task/audit/index');
  await page.locator('section[data-item]').waitFor();
  await watch(page);
  const begun = performance.now();
  for (let done = 1; done <= items; done += 1) {
    await page.keyboard.press('a');
    await page.waitForFunction((wanted) => window.cleared.shown.length === wanted, done);
  }
  const seconds = (performance.now() - begun) / 1000;
  const shown = await page.evaluate(() => window.cleared.shown);
  const p95 = percentile(shown, 95);
  const figure = `${milliseconds(percentile(shown, 50))}, p95 ${milliseconds(p95)}`;
  const at = `${items} items with a picture each, cleared in ${seconds.toFixed(1)} s`;
  report({
    section: 'Audit workbench',
    what: 'audit by keyboard, from the key to the next item shown',
    figure,
    bound: `p95 ${bound} ms`,
    isMet: p95 < bound,
    at,
  });
  expect(p95).toBeLessThan(bound);
});
