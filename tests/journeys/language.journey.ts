import { expect, type Page, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';
import { visit } from './tabs.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct('gallery');
});

const field = (page: Page, name: string) => page.locator(`[data-field=${name}]`);
const steps = (page: Page, name: string) => page.getByRole('navigation', { name }).getByRole('listitem');

async function speak(page: Page, language: string): Promise<void> {
  await page.getByRole('button', { name: /^(账户|Account)/ }).click();
  await page.getByRole('menuitem', { name: language }).click();
}

test('another language applies at once on every screen, and input is kept', async ({ page }) => {
  const errors = collectErrors(page);
  const code = `LANG-${Date.now()}`;
  const client = await product.signIn();
  expect(await client.post('/api/gallery/specimen/submit', { code, price: 100, isPublic: true, isSealed: 0, way: 1 })).toMatchObject({ code: 200 });
  await openSignedIn(page, product, '/gallery/visitor/index');
  await page.evaluate(() => Object.assign(window, { sinceBefore: true }));
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitemcheckbox', { name: '显示标签栏' }).click();

  await test.step('a page sets the titles of its tab and of the window', async () => {
    await page.getByRole('button', { name: '问候' }).click();
    await expect(page.getByRole('tab', { name: '访客（问候 1 次）' })).toBeVisible();
    await expect(page).toHaveTitle('访客（问候 1 次） - 广告与任务分发管理平台');
  });

  await test.step('a form is open when the language changes', async () => {
    await visit(page, '/gallery/specimen-page/index');
    await expect(page.getByRole('columnheader', { name: '编码' })).toBeVisible();
    await page.getByRole('button', { name: '新增', exact: true }).click();
    await field(page, 'code').locator('input').fill(code);
    await field(page, 'price').locator('input').fill('3');
    await field(page, 'madeOn').locator('input').click();
    await expect(page.getByText('今天', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('今天', { exact: true })).toBeHidden();
    await speak(page, 'English');
  });

  await test.step('the shell changes: menu, tabs, breadcrumb, window', async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Base data' })).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Home', 'Visitors greeted: 1', /^Specimens \(page\)/]);
    await expect(steps(page, 'Breadcrumb')).toHaveText(['Base data', 'Specimens (page)']);
    await expect(page).toHaveTitle('Specimens (page) - Advertising and task distribution');
  });

  await test.step('the form changes, its calendar, and messages of the server; no input is lost', async () => {
    await expect(field(page, 'code')).toContainText('Code');
    await expect(field(page, 'code').locator('input')).toHaveValue(code);
    await field(page, 'madeOn').locator('input').click();
    await expect(page.getByText('Today', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Today', { exact: true })).toBeHidden();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(field(page, 'code').getByText('Code already exists.')).toBeVisible();
    await speak(page, '中文');
    await expect(field(page, 'code').getByText('编码')).not.toHaveCount(0);
    await expect(field(page, 'code').locator('input')).toHaveValue(code);
    await speak(page, 'English');
  });

  await test.step('lists change, hidden ones too', async () => {
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'Code' })).toBeVisible();
    // Other journeys may have left rows with Chinese texts in the shared product.
    for (const row of [page.getByRole('row').first(), page.getByRole('row').filter({ hasText: code })]) await expect(row).not.toContainText(/[\u4e00-\u9fff]/);
    await page.getByRole('tab', { name: 'Visitors greeted: 1' }).click();
    await expect(page.getByRole('button', { name: 'Greet' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Visits' })).toBeVisible();
    await expect(page).toHaveTitle('Visitors greeted: 1 - Advertising and task distribution');
  });

  expect(await page.evaluate(() => 'sinceBefore' in window)).toBe(true);
  expect(errors.filter((error) => !error.includes('409'))).toEqual([]);
});
