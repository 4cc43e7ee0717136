import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { collectErrors, signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const product = new Product();
test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

const paramPage = '/system/param/index';
const palette = (page: Page) => page.getByRole('dialog', { name: '快速查找' });
const lines = (page: Page) => palette(page).getByRole('option');
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true });

test('everything is found by typing, with the keyboard only', async ({ page, context }) => {
  const errors = collectErrors(page);
  await page.goto(product.address);
  await signInThroughPage(page);

  await page.getByRole('button', { name: '快速查找' }).focus();
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: '快速查找' })).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('xtcs');
  await expect(chosen(page)).toContainText('系统参数');
  await expect(chosen(page).locator('mark')).toHaveText('系统参数');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${paramPage}$`));
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();

  // The palette opens over a form, which stays open.
  await page.getByRole('button', { name: '新增' }).click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: '参数名称' });
  await name.fill('写到一半');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('x9y9');
  await expect(palette(page).getByText('没有找到「x9y9」')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(name).toHaveValue('写到一半');
  await expect(name).toBeFocused();

  // A record found by the server opens in a new window, which leaves this one unchanged.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('account.');
  const record = lines(page).filter({ hasText: 'account.' }).first();
  await expect(record).toBeVisible();
  await record.hover();
  const [other] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')]);
  await expect(other).toHaveURL(new RegExp(`${paramPage}\\?record=\\d+$`));
  await other.close();
  await expect(name).toHaveValue('写到一半');
  expect(errors).toEqual([]);
});

test('a locked screen has no palette; at 390 pixels it fills the window', async ({ page }) => {
  await page.goto(product.address + paramPage);
  await signInThroughPage(page);
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: '快速查找' }).click();
  const box = await palette(page).boundingBox();
  expect([box?.x, box?.width]).toEqual([8, 374]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.type('锁');
  await page.keyboard.press('Enter');
  await page.getByLabel('锁屏密码', { exact: true }).fill('noodles');
  await page.getByRole('button', { name: '锁定屏幕' }).click();
  await expect(page).toHaveURL(/\/lock$/);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
});
