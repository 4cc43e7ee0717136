import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;
const miniapp = '/api/oms-system/miniapp';

test.beforeAll(async () => {
  product = await sharedProduct();
});

const titlesIn = (page: Page) => page.getByRole('dialog').getByRole('listitem').locator('span').allInnerTexts();

test('banners are reordered by dragging and by keyboard, and the mini-app shows this order', async ({ page }) => {
  const operator = await product.signIn();
  const image = `${product.address}/icon.svg`;
  for (const title of ['甲', '乙', '丙']) await operator.post(`${miniapp}/addbanner`, { title, image, position: 'task' });
  await openSignedIn(page, product, '/miniapp/banner/index');
  await page.getByRole('button', { name: '调整顺序' }).click();
  const panel = page.getByRole('dialog', { name: '调整顺序' });
  await panel.getByText('任务页', { exact: true }).click();
  await expect.poll(() => titlesIn(page)).toEqual(['甲', '乙', '丙']);

  const saved = page.waitForResponse((response) => response.url().includes('/banner/order'));
  await panel.getByRole('listitem').nth(2).dragTo(panel.getByRole('listitem').nth(0));
  await saved;
  await expect.poll(() => titlesIn(page)).toEqual(['丙', '甲', '乙']);

  const up = panel.getByRole('button', { name: '上移 乙' });
  await expect(up).toBeEnabled();
  await up.press('Enter');
  await expect(panel.getByRole('status')).toHaveText('乙：第 2 位，共 3 项');
  const shown = async () =>
    ((await operator.get(`${miniapp}/banner/showing`)).data as { title: string; position: string }[]).filter((one) => one.position === 'task');
  await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual(['丙', '乙', '甲']);
});

test('the phone beside the settings follows the input, and saved values stay', async ({ page }) => {
  await openSignedIn(page, product, '/miniapp/setting/index');
  const phone = page.getByRole('figure', { name: '小程序预览' });
  const announcement = page.getByRole('textbox', { name: '滚动公告' });
  await announcement.fill('今晚八点开抢');
  await expect(phone).toContainText('今晚八点开抢');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('更新成功')).toBeVisible();
  await announcement.fill('明晚八点开抢');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('button', { name: '保存' })).toBeDisabled();
  await page.reload();
  await expect(announcement).toHaveValue('明晚八点开抢');
  await expect(phone).toContainText('明晚八点开抢');
});

test('axe finds nothing on the settings, nor in the forms of advertisers, banners and text messages', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openSignedIn(page, product, '/wel/index');
  await page.evaluate(() => {
    localStorage.setItem('marquee-language', '"en"');
    localStorage.setItem('marquee-appearance', '"dark"');
  });
  for (const path of ['/base/advertiser', '/miniapp/banner', '/resource/sms']) {
    await page.goto(`${product.address}${path}/index`);
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
    await expectNoViolations(page, path);
  }
  await page.goto(`${product.address}/miniapp/setting/index`);
  await expect(page.getByRole('figure')).toBeVisible();
  await expectNoViolations(page, 'mini-app settings');
});
