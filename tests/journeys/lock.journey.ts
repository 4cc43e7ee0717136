import { expect, type Page, test } from '@playwright/test';
import { collectErrors, signInThroughPage } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await sharedProduct();
});

const paramPage = '/system/param/index';

/** Returns the status of an API call in this browser's session. */
async function statusOf(page: Page): Promise<number> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('marquee-session') ?? '{}').accessToken as string);
  const reply = await page.request.get(`${product.address}/api/blade-system/param/list`, { headers: { 'things-auth': `bearer ${token}` } });
  return reply.status();
}

async function lock(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: '锁屏' }).click();
  await page.getByRole('button', { name: '锁定屏幕' }).click();
  await expect(page.getByText('锁屏密码不能为空')).toBeVisible();
  await page.getByLabel('锁屏密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '锁定屏幕' }).click();
  await expect(page).toHaveURL(/\/lock$/);
}

async function unlock(page: Page, password: string): Promise<void> {
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '解锁' }).click();
}

test('a locked screen hides everything in every tab, the server refuses its session, and unlocking restores the input', async ({ page, context }) => {
  const errors = collectErrors(page);
  await page.goto(product.address);
  await signInThroughPage(page);
  await page.getByRole('button', { name: '系统管理' }).click();
  await page.getByRole('navigation', { name: '主导航' }).getByText('系统参数').click();
  await page.getByRole('button', { name: '新增' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: '参数名称' }).fill('午饭前写到一半');
  const other = await context.newPage();
  await other.goto(product.address + paramPage);
  await expect(other.getByRole('table', { name: '系统参数' })).toBeVisible();

  await lock(other, 'noodles');
  await expect(page).toHaveURL(/\/lock$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/系统参数|午饭前/);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('noodles');
  expect(await statusOf(page)).toBe(423);

  await page.goBack();
  await expect(page).toHaveURL(/\/lock$/);
  await page.goForward();
  await expect(page).toHaveURL(/\/lock$/);
  await unlock(page, 'rice');
  await expect(page.getByRole('alert').filter({ hasText: '密码不正确' })).toBeVisible();
  await unlock(page, 'noodles');
  await expect(page).not.toHaveURL(/\/lock$/);
  await expect(page.getByRole('dialog').getByRole('textbox', { name: '参数名称' })).toHaveValue('午饭前写到一半');
  await expect(other.getByRole('table', { name: '系统参数' })).toBeVisible();
  expect(await statusOf(page)).toBe(200);
  expect(errors.filter((error) => !/40[0-9]|423/.test(error))).toEqual([]);
});

test('a locked screen stays locked after a reload and at any address, until it is unlocked or signed out', async ({ page }) => {
  await page.goto(product.address + paramPage);
  await signInThroughPage(page);
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
  await lock(page, 'noodles');
  await page.reload();
  await expect(page.getByRole('button', { name: '解锁' })).toBeVisible();
  await page.goto(`${product.address}/wel/index`);
  await expect(page).toHaveURL(/\/lock$/);
  await page.evaluate(() => localStorage.removeItem('marquee-locked'));
  await page.goto(product.address + paramPage);
  await expect(page).toHaveURL(/\/lock$/);
  await unlock(page, 'noodles');
  await expect(page).toHaveURL(new RegExp(`${paramPage}$`));
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();

  await lock(page, 'noodles');
  await page.getByRole('button', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signInThroughPage(page);
  await expect(page).toHaveURL(/\/wel\/index$/);
});
