import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

const product = new Product();
let floor: TaskFloor;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
  for (const name of ['晨麦烘焙', '蓝鲸旅行'])
    await sent(floor.admin.post('/api/oms-system/base/addadvertiser', { name, contact_name: '王', contact_phone: '13800000009' }));
});
test.afterAll(() => product.discard());

/** Most clicks from the console's first page to the sheet with the password. */
const maxClicks = 8;

/** Counts the clicks of the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    document.addEventListener('pointerdown', () => Object.assign(window, { clicks: (window as unknown as { clicks: number }).clicks + 1 }), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

test('a new user gets the audit of two advertisers in at most eight clicks, and ends with the one-time password', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/system/user/index');
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: '分配工作', exact: true }).first().click();
  const panel = page.getByRole('dialog', { name: '分配工作' });
  await expect(panel.getByRole('textbox', { name: '姓名' })).toBeFocused();
  await page.keyboard.type('李审核');
  await page.keyboard.press('Tab');
  await page.keyboard.type('li-audit');
  await panel.getByText('任务审核', { exact: true }).click();
  await panel.getByRole('combobox', { name: '广告主' }).click();
  await page.getByRole('option', { name: '晨麦烘焙' }).click();
  await page.getByRole('option', { name: '蓝鲸旅行' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.arco-select-option')).toHaveCount(0);
  await expect(panel.getByRole('status')).toContainText('李审核可以：任务审核，仅限所选的广告主');
  await expectNoViolations(page, 'giving work');
  await panel.getByRole('button', { name: '完成', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: '一次性密码' });
  await expect(sheet).toContainText('li-audit');
  await expectNoViolations(page, 'one-time passwords');
  expect(await clicks()).toBeLessThanOrEqual(maxClicks);
  expect(errors).toEqual([]);
});
