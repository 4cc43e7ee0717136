import { expect, type Page } from '@playwright/test';
import { signInThroughPage } from './console.ts';

/** A response body that the page fetched: its size in transit, and the time of the request in the page's own milliseconds. */
export interface Transfer {
  readonly path: string;
  readonly kind: 'script' | 'style' | 'document' | 'call' | 'other';
  readonly bytes: number;
  readonly start: number;
}

/** Files that a browser with an empty cache fetched from the first request to the first list. */
export interface FirstVisit {
  /** Time at which the sign-in form could be filled in and sent, and the requests until then. */
  readonly interactive: number;
  readonly signIn: readonly Transfer[];
  /** The requests of `signIn`, and of the following 1.5 seconds without user input. */
  readonly idle: readonly Transfer[];
  /** All requests until 系统参数, opened from the menu, showed rows. */
  readonly firstList: readonly Transfer[];
}

/** Visits the product in a new page that accepts only this encoding. */
export async function visitFirstList(page: Page, address: string, encoding: 'gzip' | 'br'): Promise<FirstVisit> {
  await page.setExtraHTTPHeaders({ 'accept-encoding': encoding });
  await page.addInitScript(markInteractive);
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('sign-in-interactive').length > 0);
  const interactive = await page.evaluate(() => performance.getEntriesByName('sign-in-interactive')[0]?.startTime ?? 0);
  await page.waitForTimeout(1500);
  const idle = await transfersOf(page);
  await signInThroughPage(page);
  await openParams(page);
  return { interactive, signIn: idle.filter(({ start }) => start <= interactive), idle, firstList: await transfersOf(page) };
}

/** Opens 系统参数 from the menu and waits for its rows. */
export async function openParams(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: '主导航' });
  await navigation.getByText('系统管理').click();
  await navigation.getByText('系统参数').click();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
}

/** Waits until nothing has been fetched for half a second. Live events keep the network busy, so the network is never idle as Playwright defines it. */
export async function fetchesSettled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => performance.now() - Math.max(...performance.getEntriesByType('resource').map((entry) => entry.startTime + entry.duration)) > 500,
  );
}

/** Returns all requests of the page so far, in order. */
export async function transfersOf(page: Page): Promise<Transfer[]> {
  const entries = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => {
      const { name, startTime, encodedBodySize } = entry as PerformanceResourceTiming;
      return { path: new URL(name).pathname, start: startTime, bytes: encodedBodySize };
    }),
  );
  return entries.map((entry) => ({ ...entry, kind: kindOf(entry.path) })).sort((a, b) => a.start - b.start);
}

/** Sums up the bytes of one type. */
export function bytesOf(transfers: readonly Transfer[], kind: Transfer['kind']): number {
  return transfers.filter((transfer) => transfer.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

function kindOf(path: string): Transfer['kind'] {
  if (path.endsWith('.js')) return 'script';
  if (path.endsWith('.css')) return 'style';
  if (path.startsWith('/api/')) return 'call';
  return /\.\w+$/.test(path) ? 'other' : 'document';
}

/** Runs in the page: records the time at which the form is visible and enabled. */
export function markInteractive(): void {
  const isUsable = (selector: string) => document.querySelector(`${selector}:enabled`)?.checkVisibility() === true;
  const watch = new MutationObserver(() => {
    if (!isUsable('input[name=username]') || !isUsable('button[type=submit]')) return;
    watch.disconnect();
    performance.mark('sign-in-interactive');
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true });
}
