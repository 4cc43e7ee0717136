import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor } from './task-staff.ts';

const product = new Product();
test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

test('a record opens beside its list, becomes a page with an address, and leads to its neighbours and related lists', async ({ page }) => {
  const errors = collectErrors(page);
  const floor = await openTaskFloor(product);
  for (const number of [1, 2, 3]) await floor.publish({ title: `拍一条面包视频 ${number}` });
  await openSignedIn(page, product, '/task/list/index');
  await page.locator('[data-row]').first().focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: '查看任务「拍一条面包视频 3」' });
  await expect(panel.getByRole('heading', { name: '拍一条面包视频 3' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { name: '拍一条面包视频 2', level: 2 })).toBeVisible();
  await page.getByRole('button', { name: '在单独页面打开' }).click();
  await expect(page).toHaveURL(/record=\d+&mode=page/);
  await page.reload();
  await expect(page.getByRole('heading', { name: '拍一条面包视频 2', level: 2 })).toBeVisible();
  await page.getByRole('tab', { name: /付款单/ }).click();
  await expect(page).toHaveURL(/part=payout\.taskId/);
  await expect(page.getByRole('columnheader', { name: /收款人/ })).toBeVisible();
  await page.getByRole('button', { name: '返回列表' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(3);
  expect(errors).toEqual([]);
});
