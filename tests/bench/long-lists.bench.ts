import type { CDPSession, Page } from '@playwright/test';
import { test } from '@rstest/core';
import { galleryProduct } from '../journeys/product.ts';
import { signInWithTabs, visit } from '../journeys/tabs.ts';
import { benchProduct, submitExhibits } from './bench-product.ts';
import { interact, watchInteractions } from './interactions.ts';
import { bytes, median, milliseconds, report, times } from './report.ts';

const section = 'Long lists';
const rowCount = 10_000;
const size = 50;
const slowdown = 4;
const rounds = 15;

const product = galleryProduct();
const openPage = benchProduct(product, (client) => submitExhibits(client, rowCount, (number) => ({ pieces: number % 101, price: number * 123 })));

async function openList(): Promise<{ page: Page; cdp: CDPSession }> {
  const page = await openPage();
  await watchInteractions(page);
  await signInWithTabs(page, product.address);
  await visit(page, '/gallery/exhibit/index');
  await page.getByRole('combobox', { name: '每页条数' }).selectOption(String(size));
  await page.waitForFunction((rows) => window.watched.isShown({ rows }), size);
  return { page, cdp: await page.context().newCDPSession(page) };
}

test('ten thousand selected rows slow down neither another selection nor the next page', async () => {
  const { page, cdp } = await openList();
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const oneRound = async () => {
    const shown = { rows: size };
    const choice = await interact(page, 'tr[data-row] input[type=checkbox] >> nth=3', shown);
    await interact(page, 'tr[data-row] input[type=checkbox] >> nth=3', shown);
    const previousRow = await page.evaluate(() => window.watched.firstRow()?.dataset.row);
    const turn = await interact(page, '.crud-pages button:last-child:visible', { ...shown, previousRow });
    return { choice, turn };
  };
  const measure = async () => {
    const all = [];
    for (let round = 0; round < rounds; round += 1) all.push(await oneRound());
    return { choice: all.map(({ choice }) => choice), turn: all.map(({ turn }) => turn) };
  };
  const without = await measure();

  await page.getByRole('checkbox', { name: '选择本页全部' }).click();
  const start = performance.now();
  await page.getByRole('button', { name: `选择前 ${rowCount} 项` }).click();
  await page.getByText(`已选 ${rowCount} 项`).waitFor();
  report({
    section,
    what: 'all rows of a list selected, server included',
    figure: milliseconds(performance.now() - start),
    at: `${rowCount} rows, ${slowdown} × slower CPU`,
  });
  const selected = await measure();

  const at = `a page of ${size} rows, ${rowCount} rows selected, ${slowdown} × slower CPU, ${rounds} times`;
  for (const [what, kind, figure] of [
    ['a row is selected, to the next paint', 'choice', 'paint'],
    ['next page, until the rows are there', 'turn', 'shown'],
  ] as const) {
    const [before, after] = [without, selected].map((measured) => median(measured[kind].map((one) => one[figure]))) as [number, number];
    const ratio = after / before;
    report({
      section,
      what,
      figure: `${times(ratio)} of none selected (${milliseconds(after)} to ${milliseconds(before)})`,
      bound: '1.3 ×',
      isMet: ratio <= 1.3,
      at,
    });
  }
  await page.close();
});

test('two hundred pages of a list do not grow the memory', async () => {
  const { page, cdp } = await openList();
  await cdp.send('Performance.enable');
  const turnPages = async (count: number) => {
    for (let one = 0; one < count; one += 1) {
      const previousRow = await page.evaluate(() => window.watched.firstRow()?.dataset.row);
      const isLast = await page.locator('.crud-pages button:last-child:visible').isDisabled();
      await page.locator(`.crud-pages ${isLast ? 'button:first-child' : 'button:last-child'}:visible`).click();
      await page.waitForFunction((wanted) => window.watched.isShown(wanted), { rows: size, previousRow });
    }
  };
  const memory = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
  };
  await turnPages(20);
  const before = await memory();
  await turnPages(200);
  const after = await memory();
  const ratio = after.heap / before.heap;
  report({
    section,
    what: 'JavaScript heap after 200 more pages of a list',
    figure: `${times(ratio)} (${bytes(before.heap)} to ${bytes(after.heap)}; ${before.nodes} to ${after.nodes} nodes of the document)`,
    bound: '1.1 ×',
    isMet: ratio <= 1.1,
    at: `pages of ${size} rows, after 20 pages and garbage collection`,
  });
  await page.close();
});
