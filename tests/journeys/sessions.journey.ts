import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

test('an administrator lists sessions and ends one, whose console shows the sign-in page at once', async ({ page, browser }) => {
  const errors = collectErrors(page);
  const elsewhere = await browser.newPage();
  await openSignedIn(elsewhere, product, '/wel/index');
  await openSignedIn(page, product, '/monitor/online/index');
  // The second-newest session is that of the other browser.
  const rows = page.locator('tr[data-row]');
  await expect(rows.nth(1)).toContainText('admin');
  await rows.nth(1).getByRole('button', { name: '强制下线' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '强制下线' }).click();
  await expect(page.getByText('已下线 1 个会话')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login/);
  await elsewhere.close();

  await page.goto(`${product.address}/monitor/log/login/index`);
  const attempt = page.locator('tr[data-row]').first();
  await expect(attempt).toContainText('成功');
  await expect(attempt).toContainText('admin');
  expect(errors).toEqual([]);
});
