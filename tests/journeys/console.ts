import { expect, type Locator, type Page } from '@playwright/test';
import { recordOf } from '../../src/kernel/platform/session/stored-session.ts';
import { adminPassword, type Product } from './product.ts';

/** Signs in through the sign-in page as a user would. */
export async function signInThroughPage(page: Page, account = 'admin', password = adminPassword): Promise<void> {
  await page.getByRole('textbox', { name: '用户名' }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();
}

/** Opens an address signed in without the sign-in page, for journeys about something else. */
export async function openSignedIn(page: Page, product: Product, path: string, account = 'admin', password = adminPassword, tenantId?: string): Promise<void> {
  const record = JSON.stringify(recordOf(await product.grant(account, password, tenantId)));
  // A page of this origin that does not start the console.
  await page.goto(`${product.address}/health/live`);
  await page.evaluate(([prefix, session]) => localStorage.setItem(`${prefix}session`, session), [product.storagePrefix, record] as const);
  await page.goto(product.address + path);
  // A narrow window has its navigation behind a button.
  await expect(page.getByRole('navigation', { name: '主导航' }).or(page.getByRole('button', { name: '打开导航' }))).toBeVisible();
}

/** Chooses an entry of the menu of a list's tools. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Opens the filters of a list and returns their panel. */
export async function openFilters(page: Page): Promise<Locator> {
  await page.getByRole('search').getByRole('button', { name: /^筛选/ }).click();
  return page.getByRole('dialog', { name: '筛选' });
}

/** Counts the clicks of a pointer on a page, also across reloads; keys on buttons do not count. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => (clicks += 1));
  await page.addInitScript(() => addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail > 0 && Object(window).countClick(), true));
  return () => clicks;
}

/** Records every heading that is shown, so that a flash between two frames is recorded too. */
export async function watchHeadings(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { headingsSeen: seen });
    const look = () => {
      for (const heading of document.querySelectorAll('h1, h2, [role=heading]')) seen.add(heading.textContent ?? '');
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => [...(window as unknown as { headingsSeen: Set<string> }).headingsSeen]);
}

/** Collects what the page logs and a healthy console does not: errors, and reports of the Content-Security-Policy. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/** Performs an action of a row of a list: by its button, by the title that opens the record, or from the menu behind the last button. */
export async function actOn(row: Locator, action: string): Promise<void> {
  await expect(row).toBeVisible();
  const button = row.getByRole('button', { name: action, exact: true });
  const title = row.locator('.crud-table__open');
  // A button goes into the menu when the widths of the columns are known, which may be between a look at it and the click.
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 3000 });
    else if (action === '查看' && (await title.isVisible())) await title.click({ timeout: 3000 });
    else {
      await row.locator('[aria-haspopup=menu]').click({ timeout: 3000 });
      await row.page().getByRole('menuitem', { name: action, exact: true }).click({ timeout: 3000 });
    }
  }).toPass({ timeout: 30_000 });
}
