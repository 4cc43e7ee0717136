import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { Product } from '../journeys/product.ts';
import { detail, idsOf, signInWithTabs, tabOf, visit } from '../journeys/tabs.ts';
import { report } from './report.ts';

const product = new Product();
const count = 200;
const warmUp = 25;
const section = `${count} pages opened and closed`;

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

interface Figures {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

test(`${count} pages opened and closed leave nothing behind`, async ({ page }) => {
  await signInWithTabs(page, product.address);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  await openAndClose(page, 0, warmUp);
  const before = await figuresOf(browser);
  await openAndClose(page, warmUp, warmUp + count);
  const after = await figuresOf(browser);
  expect(await idsOf(page)).toEqual(['home']);
  report(section, { what: 'JS heap', before: before.heap, after: after.heap, bound: before.heap * 1.1 });
  report(section, { what: 'DOM nodes', before: before.nodes, after: after.nodes, bound: before.nodes + 20 });
  report(section, { what: 'event listeners', before: before.listeners, after: after.listeners, bound: before.listeners + 20 });
  expect(after.heap).toBeLessThan(before.heap * 1.1);
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + 20);
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 20);
});

/** On every fifth page a form is opened before the page is closed. */
async function openAndClose(page: Page, from: number, to: number): Promise<void> {
  const add = page.getByRole('button', { name: '新增', exact: true });
  for (let id = from; id < to; id += 1) {
    await visit(page, detail(id));
    await expect(add).toBeVisible();
    if (id % 5 === 0) {
      await add.click();
      await expect(page.getByRole('dialog').getByRole('textbox', { name: '参数名称' })).toBeVisible();
    }
    await page.keyboard.press('Alt+w');
    await expect(tabOf(page, id)).toHaveCount(0);
  }
}

/** Returns the figures after garbage collection. */
async function figuresOf(browser: CDPSession): Promise<Figures> {
  for (let round = 0; round < 4; round += 1) {
    await browser.send('HeapProfiler.collectGarbage');
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  const { metrics } = await browser.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: figure('JSHeapUsedSize'), nodes: figure('Nodes'), listeners: figure('JSEventListeners') };
}
