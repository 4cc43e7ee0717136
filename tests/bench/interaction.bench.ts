import type { Page } from '@playwright/test';
import { test } from '@rstest/core';
import { galleryProduct } from '../journeys/product.ts';
import { signInWithTabs, visit } from '../journeys/tabs.ts';
import { benchProduct, submitExhibits, submitRows } from './bench-product.ts';
import { type Interaction, interact, press, type Wanted, watchInteractions } from './interactions.ts';
import { milliseconds, percentile, report } from './report.ts';

const section = 'Interaction';
const rounds = 50;
const unmeasured = 3;
const bound = 100;
const slowdown = 4;
const size = 100;

const product = galleryProduct();
/** Names are of two kinds, two pages each. */
const nameOf = (number: number) => `${number % 2 === 0 ? '春展' : '秋展'} ${String(number).padStart(3, '0')}`;
const parameter = (number: number) => ({ paramName: `参数 ${number}`, paramKey: `bench.key.${number}`, paramValue: String(number) });
const openPage = benchProduct(product, async (client) => {
  await submitExhibits(client, 4 * size, (number) => ({ name: nameOf(number) }));
  await submitRows(client, '/api/blade-system/param/submit', 4 * size, parameter);
});

test('the next paint answers every interaction in a list', async () => {
  const page = await openPage();
  await watchInteractions(page);
  await signInWithTabs(page, product.address);
  for (const path of ['/system/param/index', '/gallery/exhibit/index']) {
    await visit(page, path);
    await page.locator(`[role=tab][aria-selected=true][id$="${path}"]`).waitFor();
    await page.getByRole('combobox', { name: '每页条数' }).selectOption(String(size));
    await isShown(page, { rows: size });
  }
  const cpu = await page.context().newCDPSession(page);
  await cpu.send('Emulation.setCPUThrottlingRate', { rate: slowdown });

  const measured = { search: [] as Interaction[], sort: [] as Interaction[], page: [] as Interaction[], tab: [] as Interaction[] };
  for (let round = -unmeasured; round < rounds; round += 1) {
    const made = await oneRound(page, (round + unmeasured) % 2 === 0 ? '春展' : '秋展');
    if (round < 0) continue;
    for (const kind of ['search', 'sort', 'page', 'tab'] as const) measured[kind].push(made[kind]);
  }
  tell('search', measured.search);
  tell('sort', measured.sort);
  tell('next page', measured.page);
  tell('another tab', measured.tab);
});

const isShown = (page: Page, wanted: Wanted) => page.waitForFunction((wanted) => window.watched.isShown(wanted), wanted);

async function oneRound(page: Page, name: string) {
  const another = async () => ({ rows: size, previousRow: await page.evaluate(() => window.watched.firstRow()?.dataset.row) });
  await page.locator('.crud-search input:visible').first().fill(name);
  const search = await interact(page, '.crud-search button[type=submit]:visible', await another());
  const sort = await interact(page, '.crud-sort:visible >> nth=1', await another());
  const next = await interact(page, '.crud-pages button:last-child:visible', await another());
  const tab = await interact(page, '[role=tab][id$="/param/index"]', { rows: size, firstRowText: 'bench.key' });
  await interact(page, '[role=tab][id$="/exhibit/index"]', { rows: size, firstRowText: name });
  return { search, sort, page: next, tab };
}

function tell(what: string, interactions: readonly Interaction[]): void {
  const figures = (kind: keyof Interaction) => {
    const all = interactions.map((interaction) => interaction[kind]);
    return `${milliseconds(percentile(all, 50))}, p98 ${milliseconds(percentile(all, 98))}`;
  };
  const worst = percentile(
    interactions.map(({ paint }) => paint),
    98,
  );
  const at = `a page of ${size} rows, ${slowdown} × slower CPU, a press of ${press} ms, ${interactions.length} times`;
  report({ section, what: `${what}, to the next paint`, figure: figures('paint'), bound: `${bound} ms`, isMet: worst < bound, at });
  report({
    section,
    what: `${what}, until the rows are there`,
    figure: figures('shown'),
    at: `the same, server included; longest task ${figures('longestTask')}`,
  });
}
