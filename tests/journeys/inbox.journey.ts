import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';

const product = new Product();

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

test('notifications are read in the top bar, older ones are loaded, and another session’s reading is shown here', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/system/param/index');
  const bell = page.getByRole('button', { name: /^通知/ });
  await expect(bell).toHaveAccessibleName('通知，16 条未读');

  await bell.click();
  const popover = page.getByRole('dialog', { name: '通知' });
  await expect(popover.getByRole('tab', { name: /邮件/ })).toBeFocused();
  await expect(popover.getByRole('listitem')).toHaveCount(2);
  const box = await popover.boundingBox();
  expect(box?.width).toBe(350);
  expect((await popover.locator('[aria-busy]').boundingBox())?.height).toBe(300);

  await page.keyboard.press('ArrowLeft');
  await expect(popover.getByRole('tab', { name: /通知/ })).toHaveAttribute('aria-selected', 'true');
  await expect(popover.getByRole('listitem')).toHaveCount(10);
  for (const status of ['进行中', '未开始', '有异常', '已完成']) await expect(popover.getByText(status, { exact: true }).first()).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/inbox-zh.png` });

  const started = Date.now();
  await popover.getByRole('button', { name: '加载更多' }).click();
  await expect(popover.getByRole('button', { name: '正在加载…' })).toBeVisible();
  await expect(popover.getByRole('listitem')).toHaveCount(12);
  expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
  await expect(popover.getByRole('button', { name: '加载更多' })).toHaveCount(0);

  await popover.getByRole('button', { name: /示例：状态「进行中」/ }).click();
  await expect(page.getByRole('button', { name: '通知，15 条未读' })).toBeVisible();

  const elsewhere = await product.signIn();
  await elsewhere.post('/api/blade-desk/inbox/read-all', { kind: 'notice' });
  await expect(page.getByRole('button', { name: '通知，4 条未读' })).toBeVisible();
  await expect(popover.getByRole('listitem').first().getByRole('img', { name: '未读' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  await expect(bell).toBeFocused();

  await bell.click();
  await popover.getByRole('tab', { name: /消息/ }).click();
  await popover.getByRole('button', { name: /欢迎使用/ }).click();
  await expect(page).toHaveURL(/\/wel\/index$/);
  await expect(page.getByRole('button', { name: '通知，3 条未读' })).toBeVisible();

  await page.getByRole('button', { name: '通知，3 条未读' }).click();
  await popover.getByRole('button', { name: '移除示例' }).click();
  await expect(popover.getByText('示例：')).toHaveCount(0);
  await expect(page.getByRole('button', { name: '通知', exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});
