import { expect, type Page } from '@playwright/test';
import { openSignedIn, signInThroughPage } from './console.ts';
import type { Product } from './product.ts';

/** The address of one detail of the parameters: another id is another tab. */
export const detail = (id: number | string) => `/system/param/index?id=${id}`;

/** Goes where a link would, without loading the console again. */
export async function visit(page: Page, location: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, location);
}

/** The tabs of the bar by the id of their address; home and others by their title. */
export const idsOf = (page: Page): Promise<string[]> =>
  page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => /id=(\w+)/.exec(tab.id)?.[1] ?? (tab.id.endsWith('/wel/index') ? 'home' : tab.id)));

/** The tab of one detail. */
export const tabOf = (page: Page, id: number | string) => page.locator(`[role=tab][id$="id=${id}"]`);

/** The page of one tab, on screen or hidden. */
export const paneOf = (page: Page, id: number | string) => page.locator(`[role=tabpanel][id$="id=${id}"]`);

/** Shows details one after the other, each in its tab. */
export async function openDetails(page: Page, ...ids: (number | string)[]): Promise<void> {
  for (const id of ids) {
    await visit(page, detail(id));
    await expect(tabOf(page, id)).toHaveAttribute('aria-selected', 'true');
  }
  await expect(page.getByRole('button', { name: '新增', exact: true })).toBeVisible();
}

/** Signs in with the tag bar on. */
export async function signInWithTabs(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await signInThroughPage(page);
  await showTabBar(page);
}

/** Begins at home with the tag bar on, past the login page. */
export async function openWithTabs(page: Page, product: Product): Promise<void> {
  await openSignedIn(page, product, '/wel/index');
  await showTabBar(page);
}

async function showTabBar(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitemcheckbox', { name: '显示标签栏' }).click();
  await expect(page.getByRole('tab', { name: '首页' })).toBeVisible();
}
