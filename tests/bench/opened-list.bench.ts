import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { signInThroughPage } from '../journeys/console.ts';
import { adminPassword, Product } from '../journeys/product.ts';
import { fetchesSettled } from '../journeys/transfers.ts';
import { openBrowser } from './browser.ts';
import { interact, watchInteractions } from './interactions.ts';
import { median, milliseconds, report } from './report.ts';

const section = 'Opening a list';
const rounds = 9;
/** Emulated machines of operators, with the longest allowed times in milliseconds. */
const machines = [
  { name: 'this machine', slowdown: 1, maxOpeningMs: 180, maxPageChangeMs: 60 },
  { name: '4 × slower CPU, 1.6 Mbit/s', slowdown: 4, bytesPerSecond: 200_000, maxOpeningMs: 600, maxPageChangeMs: 250 },
];

const directory = mkdtempSync(join(tmpdir(), 'marquee-bench-demo-'));
const product = new Product({ DATA_DIR: directory });
let browser: Browser;

beforeAll(async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo/fill.mjs', directory, '0.3'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ADMIN_PASSWORD: adminPassword },
  });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  await product.start();
  browser = await openBrowser();
}, 600_000);
afterAll(async () => {
  await browser.close();
  await product.discard();
  rmSync(directory, { recursive: true, force: true });
});

const emulate = async (cdp: CDPSession, { slowdown, bytesPerSecond = -1 }: { slowdown: number; bytesPerSecond?: number }) => {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
};

/** Signs in with an empty cache and stays on the home page for some seconds, during which the console fetches the code of lists. */
async function openHome(): Promise<Page> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await watchInteractions(page);
  await page.goto(product.address);
  await signInThroughPage(page);
  const navigation = page.getByRole('navigation', { name: '主导航' });
  const item = navigation.getByText('任务列表', { exact: true });
  if (!(await item.isVisible())) await navigation.getByText('任务管理', { exact: true }).click();
  await item.waitFor();
  await fetchesSettled(page);
  await page.waitForTimeout(2000);
  await fetchesSettled(page);
  return page;
}

test('the task list shows its rows soon after the click on its menu entry', { timeout: 900_000 }, async () => {
  for (const machine of machines) {
    const openings: number[] = [];
    const pageChanges: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await openHome();
      await emulate(await page.context().newCDPSession(page), machine);
      const opening = await interact(page, 'nav[aria-label=主导航] >> text="任务列表"', {});
      openings.push(opening.shown);
      for (let turn = 0; turn < 2; turn += 1) {
        const previousRow = await page.evaluate(() => window.watched.firstRow()?.dataset.row);
        const change = await interact(page, `.crud-pages button:${turn % 2 === 0 ? 'last' : 'first'}-child:visible`, { previousRow });
        pageChanges.push(change.shown);
      }
      await page.context().close();
    }
    const at = `demo data at scale 0.3, as many rows as the window has room for, ${machine.name}`;
    reportMedian('a click on 任务列表, until its rows are shown', openings, machine.maxOpeningMs, `${at}, ${rounds} first openings with an empty cache`);
    reportMedian('the next or previous page of 任务列表, until its rows are shown', pageChanges, machine.maxPageChangeMs, `${at}, ${2 * rounds} times`);
  }
});

function reportMedian(what: string, durations: readonly number[], maxMs: number, at: string): void {
  const figure = median(durations);
  report({ section, what, figure: milliseconds(figure), bound: `${maxMs} ms`, isMet: figure <= maxMs, at });
}
