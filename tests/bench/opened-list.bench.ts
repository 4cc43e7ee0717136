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
/** Machines of operators: one like ours, and one with a slow processor on a slow line. */
const machines = [
  { name: 'this machine', slowdown: 1, first: 180, next: 60 },
  { name: '4 × slower CPU, 1.6 Mbit/s', slowdown: 4, bytesPerSecond: 200_000, first: 600, next: 250 },
];

const directory = mkdtempSync(join(tmpdir(), 'marquee-bench-demo-'));
const product = new Product({ DATA_DIR: directory });
let browser: Browser;

beforeAll(async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo/fill.mjs', directory, '0.3'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ADMIN_PASSWORD: adminPassword },
  });
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
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

/** Signs in with an empty cache and reads the home page for some seconds, in which the code of lists is fetched. */
async function settledHome(): Promise<Page> {
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
    const opened: number[] = [];
    const turned: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await settledHome();
      await emulate(await page.context().newCDPSession(page), machine);
      const first = await interact(page, 'nav[aria-label=主导航] >> text="任务列表"', {});
      opened.push(first.shown);
      for (let turn = 0; turn < 2; turn += 1) {
        const instead = await page.evaluate(() => window.watched.firstRow()?.dataset.row);
        const next = await interact(page, `.crud-pages button:${turn % 2 === 0 ? 'last' : 'first'}-child:visible`, { instead });
        turned.push(next.shown);
      }
      await page.context().close();
    }
    const at = `demo data at scale 0.3, as many rows as the window has room for, ${machine.name}`;
    tell('a click on 任务列表, until its rows are there', opened, machine.first, `${at}, ${rounds} first openings with an empty cache`);
    tell('the next or former page of 任务列表, until its rows are there', turned, machine.next, `${at}, ${2 * rounds} times`);
  }
});

function tell(what: string, figures: readonly number[], bound: number, at: string): void {
  const figure = median(figures);
  report({ section, what, figure: milliseconds(figure), bound: `${bound} ms`, kept: figure <= bound, at });
}
