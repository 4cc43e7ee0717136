import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor } from './task-staff.ts';

const product = new Product();
test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

test('a list is a board whose cards move, a calendar and groups, each with an address', async ({ page }) => {
  const errors = collectErrors(page);
  const floor = await openTaskFloor(product);
  await floor.publish({ title: '拍一条面包视频', endTime: '2099-12-04 12:00:00' });
  const waiting = { title: '待发布任务', requirement: '要求', unitPrice: 500, quantity: 10, perUserLimit: 0, ...floor.parts };
  expect(await floor.admin.post('/api/things-task/task/submit', waiting)).toMatchObject({ code: 200 });
  await openSignedIn(page, product, '/task/list/index?layout=board.status');
  const column = (title: string) => page.locator('.board__column', { has: page.getByRole('heading', { name: title }) });
  await expect(column('已发布').locator('.board__card')).toHaveCount(1);
  await page.getByRole('button', { name: '移动「待发布任务」' }).click();
  await page.getByRole('menuitem', { name: '移到：已发布' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  await expect(column('已发布').locator('.board__card')).toHaveCount(2);
  await page.goto(`${product.address}/task/list/index?layout=calendar.endTime&at=2099-12-01`);
  await expect(page.getByRole('button', { name: '12:00 拍一条面包视频' })).toBeVisible();
  await page.goto(`${product.address}/task/list/index?layout=group.status`);
  await expect(page.getByRole('button', { name: /已发布\s*2/ })).toBeVisible();
  expect(errors).toEqual([]);
});
