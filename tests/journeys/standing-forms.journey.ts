import { expect, type Page, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

const announcement = (page: Page) => page.getByRole('textbox', { name: '滚动公告' });
const isStored = (page: Page, text: string) =>
  page.evaluate((typed) => Object.entries(sessionStorage).some(([key, stored]) => key.includes('draft:') && stored.includes(typed)), text);

test('a form inside a page asks before a reload or a sign-out loses its input, and offers the input again', async ({ page }) => {
  const errors = collectErrors(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await openSignedIn(page, product, '/miniapp/setting/index');
  const before = await announcement(page).inputValue();
  await announcement(page).fill('写到一半的公告');
  await expect.poll(() => isStored(page, '写到一半的公告')).toBe(true);

  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page.getByRole('dialog')).toContainText('未保存');
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();

  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await expect(announcement(page)).toHaveValue(before);
  await page.getByRole('button', { name: '继续填写' }).click();
  await expect(announcement(page)).toHaveValue('写到一半的公告');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByText('更新成功')).toBeVisible();
  await page.reload();
  await expect(announcement(page)).toHaveValue('写到一半的公告');
  await expect(page.getByRole('button', { name: '继续填写' })).toHaveCount(0);
  expect(asked).toEqual(['beforeunload']);
  expect(errors).toEqual([]);
});

test('the editor of a setting opens again with its input after a reload', async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await openSignedIn(page, product, '/system/setting/index');
  await page.getByRole('button', { name: '修改审核占用时长' }).click();
  const input = page.locator('form').getByRole('textbox', { name: '审核占用时长' });
  await input.fill('17');
  await expect.poll(() => isStored(page, '"17"')).toBe(true);
  await page.reload();
  await expect(page.locator('form').getByRole('textbox', { name: '审核占用时长' })).toHaveValue('17');
  await page.getByRole('button', { name: '取消', exact: true }).click();
  await page.reload();
  await expect(page.locator('form').getByRole('textbox', { name: '审核占用时长' })).toHaveCount(0);
});
