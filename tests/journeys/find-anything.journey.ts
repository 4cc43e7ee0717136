import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { collectErrors, signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const product = new Product();
test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

const palette = (page: Page) => page.getByRole('dialog', { name: '快速查找' });
const lines = (page: Page) => palette(page).getByRole('option');
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true });

async function find(page: Page, text: string) {
  // The keys that open the palette close it while it is open.
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
}

test('a user is found by pinyin from any page and opened, edited or given a new password without a list', async ({ page }) => {
  const errors = collectErrors(page);
  await page.goto(`${product.address}/system/post/index`);
  await signInThroughPage(page);

  await find(page, 'bumen');
  await page.keyboard.press('Escape');
  await find(page, 'guanliyuan');
  const person = lines(page).filter({ hasText: 'admin' }).first();
  await expect(person).toBeVisible();
  await expect(person.locator('mark')).toHaveText('管理员');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  // The actions of the record are reached from the keyboard.
  await person.hover();
  await page.keyboard.press('ArrowRight');
  await expect(lines(page)).toContainText(['打开', '编辑']);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press('ArrowLeft');
  await expect(chosen(page)).toContainText('管理员');
  await page.keyboard.press('Tab');
  await lines(page).filter({ hasText: '分配角色' }).click();
  await expect(page).toHaveURL(/\/system\/user\/index/);
  await expect(page.getByRole('dialog').filter({ hasText: '角色' })).toBeVisible();
  await page.keyboard.press('Escape');

  await find(page, 'gly');
  await expect(lines(page).filter({ hasText: 'admin' }).first()).toBeVisible();
  await page.keyboard.press('Escape');

  // Records opened this way come first the next time.
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('group', { name: '最近打开的数据' })).toContainText('管理员');
  expect(errors).toEqual([]);
});
