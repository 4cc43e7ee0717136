import type { Page } from '@playwright/test';
import { test } from '@rstest/core';
import { galleryProduct } from '../journeys/product.ts';
import { signInWithTabs, visit } from '../journeys/tabs.ts';
import { benchProduct, submitExhibits } from './bench-product.ts';
import { median, milliseconds, report, times } from './report.ts';

const section = 'Painting a list';
const size = 100;
const rounds = 20;
/** Upper bound of the time until a list is painted, relative to a plain table of the same cells. */
const bound = 2.5;

const product = galleryProduct();
const openPage = benchProduct(product, (client) => submitExhibits(client, 2 * size, (number) => ({ pieces: number * 7 })));

test('a list is painted in a small multiple of the time of a plain table', async () => {
  const page = await openPage();
  await signInWithTabs(page, product.address);
  await visit(page, '/gallery/exhibit/index');
  await page.getByRole('combobox', { name: '每页条数' }).selectOption(String(size));
  await page.waitForFunction((rows) => document.querySelectorAll('tr[data-row]').length === rows, size);
  const cpu = await page.context().newCDPSession(page);
  for (const rate of [1, 4]) {
    await cpu.send('Emulation.setCPUThrottlingRate', { rate });
    const figures: Record<'sort' | 'page' | 'search', number[]> = { sort: [], page: [], search: [] };
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      figures.sort.push(await paintAfter(page, () => page.locator('.crud-sort >> nth=1').click()));
      figures.page.push(await paintAfter(page, () => page.locator('.crud-pages button:last-child').click()));
      figures.search.push(await paintAfter(page, () => page.locator('.crud-search__quick input').first().press('Enter')));
      plain.push(await page.evaluate(paintPlainTable, size));
    }
    for (const [what, all] of Object.entries(figures)) {
      const ratio = median(all) / median(plain);
      const figure = `${times(ratio)} a plain table (${milliseconds(median(all))} to ${milliseconds(median(plain))})`;
      const at = `${size} rows, ${rate} × slower CPU, ${rounds} times`;
      report({ section, what: `${what}, from the answer to the paint`, figure, bound: `${bound} ×`, isMet: ratio <= bound, at });
    }
  }
});

/** Returns the milliseconds from the answer of the list to the frame that shows its rows in the window; the rows below it follow, and are waited for. */
async function paintAfter(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => performance.clearResourceTimings());
  const painted = page.evaluate(async () => {
    const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const answerOf = () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/exhibit/list')) as PerformanceResourceTiming | undefined;
    const isShown = () => document.querySelector('.crud-table')?.getAttribute('aria-busy') === 'false';
    while (!answerOf() || !isShown()) await frame();
    return performance.now() - (answerOf()?.responseEnd ?? Number.NaN);
  });
  await act();
  const time = await painted;
  // Polling in each frame would keep a slow processor from anything else.
  await page.waitForFunction((rows) => document.querySelectorAll('tr[data-row]').length === rows, size, { polling: 50 });
  await page.waitForTimeout(200);
  return time;
}

/** Runs in the page: renders the texts of the list as a plain table over the page, and returns the milliseconds until it is painted. */
async function paintPlainTable(rows: number): Promise<number> {
  const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const shown = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-row]')].slice(0, rows);
  const answer = JSON.stringify(shown.map((row) => [...row.cells].map((cell) => cell.textContent ?? '')));
  const host = document.createElement('div');
  host.style.cssText = 'position: fixed; inset: 0; z-index: 99; overflow: auto; background: #fff';
  document.body.append(host);
  await frame();
  const start = performance.now();
  const table = document.createElement('table');
  const body = table.createTBody();
  for (const texts of JSON.parse(answer) as string[][]) {
    const row = body.insertRow();
    for (const text of texts) row.insertCell().textContent = text;
  }
  host.append(table);
  await frame();
  const painted = performance.now() - start;
  host.remove();
  return painted;
}
