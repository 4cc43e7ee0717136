import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

const product = new Product();
let floor: TaskFloor;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
});
test.afterAll(() => product.discard());

const form = (title: string) => ({ title, requirement: '出现招牌', unitPrice: 500, quantity: 3, perUserLimit: 0, ...floor.parts });
const add = async (title: string): Promise<string> => (await sent(floor.admin.post('/api/things-task/task/submit', form(title)))).data.id;
const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `选择${name}` }).check();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const publishFromRow = async (page: Page, title: string) => {
  await page
    .getByRole('row', { name: new RegExp(title) })
    .getByRole('button', { name: '发布', exact: true })
    .click();
  await expect(page.getByRole('dialog', { name: '发布任务' })).toContainText(title);
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
};

test('a row that a colleague changes meanwhile is left out with its reason, and a reload drops it from the selection', async ({ page, browser }) => {
  const errors = collectErrors(page);
  const titles = ['早餐', '午餐', '晚餐', '夜宵'];
  for (const title of titles) await add(title);
  await openSignedIn(page, product, '/task/list/index');
  for (const title of titles) await choose(page, title);
  await expect(page.getByText('已选 4 项')).toBeVisible();

  const other = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await openSignedIn(other, product, '/task/list/index');
  await publishFromRow(other, '午餐');
  await expect(other.getByText('已发布 1 个任务')).toBeVisible();

  await page.locator('.crud-toolbar').getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByRole('dialog', { name: '发布 3 个任务' })).toContainText('另有 1 项不能发布');
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  const report = page.getByRole('dialog', { name: '已完成 3 / 4，1 项未处理' });
  await expect(report).toContainText('「午餐」为已发布状态，不能发布');
  await expectNoViolations(page, 'the report of a batch');
  await report.getByRole('button', { name: '午餐', exact: true }).click();
  const record = page.getByRole('dialog', { name: '查看「午餐」' });
  await expect(record).toContainText('出现招牌');
  await record.getByRole('button', { name: '关闭', exact: true }).last().click();
  await report.getByRole('button', { name: '选中这 1 项' }).click();
  await expect(report).toBeHidden();
  await expect(page.getByText('已选 1 项')).toBeVisible();
  for (const title of titles) await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('已发布');

  // The colleague takes the selected task down: taking down no longer applies to it.
  await button(other, '刷新').click();
  await actOn(other.getByRole('row', { name: /午餐/ }), '下架');
  await other.getByRole('dialog').getByRole('button', { name: '下架', exact: true }).click();
  await expect(other.getByText('已下架 1 个任务')).toBeVisible();
  await button(page, '刷新').click();
  await expect(page.getByText('1 项已变化或不在列表中')).toBeVisible();
  await expect(page.getByText(/已选/)).toHaveCount(0);
  await other.close();
  expect(errors).toEqual([]);
});
