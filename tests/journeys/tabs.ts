import { expect, type Page } from '@playwright/test';
import { openSignedIn, signInThroughPage } from './console.ts';
import type { Product } from './product.ts';

/** Returns the address of one parameter's detail page; each id opens a tab of its own. */
export const detail = (id: number | string) => `/system/param/index?id=${id}`;

/** Follows a link without reloading the console. */
export async function visit(page: Page, location: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, location);
}

/** Returns the ids in the addresses of the open tabs; for home and others the titles. */
export const idsOf = (page: Page): Promise<string[]> =>
  page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => /id=(\w+)/.exec(tab.id)?.[1] ?? (tab.id.endsWith('/wel/index') ? 'home' : tab.id)));

/** Returns the tab of one detail page. */
export const tabOf = (page: Page, id: number | string) => page.locator(`[role=tab][id$="id=${id}"]`);

/** Returns the page of one tab, visible or hidden. */
export const paneOf = (page: Page, id: number | string) => page.locator(`[role=tabpanel][id$="id=${id}"]`);

/** Opens detail pages one after the other, each in its tab. */
export async function openDetails(page: Page, ...ids: (number | string)[]): Promise<void> {
  for (const id of ids) {
    await visit(page, detail(id));
    await expect(tabOf(page, id)).toHaveAttribute('aria-selected', 'true');
  }
  await expect(page.getByRole('button', { name: '新增', exact: true })).toBeVisible();
}

/** Signs in with the tab bar enabled. */
export async function signInWithTabs(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await signInThroughPage(page);
  await showTabBar(page);
}

/** Opens the home page with the tab bar enabled, without the sign-in page. */
export async function openWithTabs(page: Page, product: Product): Promise<void> {
  await openSignedIn(page, product, '/wel/index');
  await showTabBar(page);
}

async function showTabBar(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitemcheckbox', { name: '显示标签栏' }).click();
  await expect(page.getByRole('tab', { name: '首页' })).toBeVisible();
}
