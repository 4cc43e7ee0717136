import { expect, test } from '@playwright/test';
import { actOn, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct('gallery');
});

test('an error in a page is recorded in this browser, sent to the server after a confirmation, and found there', async ({ page }) => {
  await openSignedIn(page, product, '/wel/index');
  const badge = page.getByRole('button', { name: /^错误日志，/ });
  await expect(badge).toHaveAccessibleName('错误日志，0 条');

  await test.step('the badge counts errors, and shows 99 at most', async () => {
    const name = `灯泡 ${Date.now()}`;
    await page.evaluate((message) => void setTimeout(() => reportError(new Error(message))), name);
    await expect(badge).toHaveAccessibleName('错误日志，1 条');
    await badge.click();
    await expect(page).toHaveURL(/\/logs$/);
    const row = page.getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('/wel/index');
    await row.getByRole('button').click();
    await expect(page.getByText(`Error: ${name}`)).toBeVisible();

    await page.getByRole('button', { name: '上传日志' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await expect(page.getByText('发送成功!')).toBeVisible();
    await expect(page.getByText('没有记录到错误。')).toBeVisible();
    await expect(badge).toHaveAccessibleName('错误日志，0 条');

    await page.goto(`${product.address}/monitor/log/error/index`);
    const reported = page.locator('tr[data-row]').filter({ hasText: '/wel/index' }).first();
    await actOn(reported, '查看');
    await expect(page.getByRole('dialog').getByText(name, { exact: true })).toBeVisible();
    await expect(
      page
        .getByRole('dialog')
        .locator('pre')
        .filter({ hasText: `Error: ${name}` }),
    ).toBeVisible();
  });

  await test.step('entries are cleared after a confirmation', async () => {
    await page.goto(`${product.address}/logs`);
    await page.evaluate(() => {
      for (let index = 0; index < 120; index++) reportError(new Error(`bulb ${index}`));
    });
    await expect(badge).toHaveText('99');
    await page.getByRole('button', { name: '清空日志' }).click();
    await expect(badge).toHaveText('99');
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await expect(page.getByText('清空成功!')).toBeVisible();
    await expect(badge).toHaveAccessibleName('错误日志，0 条');
  });
});

test('a search of a log by a part of a text says which times it has searched', async ({ page }) => {
  await openSignedIn(page, product, '/monitor/log/api/index?requestUri=no-such-path');
  await expect(page.getByText(/^已搜索 .+ 至 .+。查找更早的记录请选择更大的时间范围。$/)).toBeVisible();
  await page.goto(`${product.address}/monitor/log/api/index?requestUri=oauth/token`);
  await expect(page.locator('tr[data-row]').first()).toContainText('oauth/token');
});

test('deployments without debugging have no badge, but the page', async ({ page }) => {
  const plain = await sharedProduct();
  await openSignedIn(page, plain, '/logs');
  await expect(page.getByText('没有记录到错误。')).toBeVisible();
  await expect(page.getByRole('button', { name: /^错误日志，/ })).toHaveCount(0);
});
