import { expect, type Page, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

const product = new Product();
let floor: TaskFloor;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
});
test.afterAll(() => product.discard());

// The days that can be picked are those from the day in the deployment's time zone on, which may begin another month than in others.
test.use({ timezoneId: 'Asia/Shanghai' });

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string) => dialog(page).locator(`[data-field=${name}]`);
const problem = (page: Page, name: string) => field(page, name).locator('.crud-form__problem');

async function type(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).getByRole('spinbutton').fill(text);
  await page.keyboard.press('Tab');
}

async function pickTime(page: Page, name: string, time: string): Promise<void> {
  await field(page, name).getByRole('textbox').fill(time);
  await page.keyboard.press('Enter');
}

test('a task keeps what was typed and says which bounds, decimals and dates are allowed', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/task/list/index');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  await expect(field(page, 'unitPrice')).toContainText('0.01–10,000.00 元');

  await type(page, 'unitPrice', '-50');
  await expect(field(page, 'unitPrice').getByRole('spinbutton')).toHaveValue('-50.00');
  await expect(problem(page, 'unitPrice')).toHaveText('单价须在0.01到10000.00之间');
  await type(page, 'unitPrice', '300.555');
  await expect(field(page, 'unitPrice').getByRole('spinbutton')).toHaveValue('300.555');
  await expect(problem(page, 'unitPrice')).toHaveText('单价最多2位小数');
  await type(page, 'unitPrice', '300.55');
  await expect(problem(page, 'unitPrice')).toBeEmpty();

  await pickTime(page, 'startTime', '2099-01-02 00:00:00');
  await pickTime(page, 'endTime', '2099-01-01 23:59:59');
  await expect(problem(page, 'endTime')).toHaveText('结束时间须晚于开始时间');
  await pickTime(page, 'startTime', '2098-01-02 00:00:00');
  await expect(problem(page, 'endTime')).toBeEmpty();
  expect(errors).toEqual([]);
});

test('an end date without a time of day is the last second of the day', async ({ page }) => {
  await openSignedIn(page, product, '/task/list/index');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  await field(page, 'endTime').getByRole('textbox').click();
  await page.locator('.arco-picker-cell-in-view:not(.arco-picker-cell-disabled)').last().click();
  await page.getByRole('button', { name: '确定', exact: true }).click();
  await expect(field(page, 'endTime').getByRole('textbox')).toHaveValue(/ 23:59:59$/);
});

test('the price of a task is judged by its grade before it is sent', async ({ page }) => {
  const { data } = await floor.admin.get('/api/oms-system/base/task-grade/detail', { id: floor.parts.gradeId });
  const grade = { name: '限价', level: (data.level % 99) + 1, min_price: 1000, max_price: 2000 };
  await sent(floor.admin.post('/api/oms-system/base/addtaskgrade', grade));
  await openSignedIn(page, product, '/task/list/index');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  await field(page, 'gradeId').getByRole('combobox').click();
  await page.getByRole('option', { name: '限价' }).click();
  await expect(field(page, 'unitPrice')).toContainText('10.00–20.00 元');
  await type(page, 'unitPrice', '20.01');
  await expect(problem(page, 'unitPrice')).toHaveText('单价不能超过 20.00');
});

test('an imported sheet with the same values is refused row by row, and nothing is written', async ({ page }) => {
  await openSignedIn(page, product, '/base/grade/index');
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const rows = ['负数,11,-50,100', '三位小数,12,300.555,400', '倒置,13,20,10'].join('\r\n');
  const buffer = Buffer.from(`等级名称,等级,最低单价,最高单价\r\n${rows}\r\n`);
  await dialog(page).getByLabel('选择文件').setInputFiles({ name: 'grades.csv', mimeType: 'text/csv', buffer });
  await dialog(page).getByRole('button', { name: '开始导入' }).click();
  await expect(dialog(page).getByRole('status')).toContainText('3 行数据有误，未导入任何数据');
  await expect(dialog(page).getByRole('row', { name: /^2 最低单价 最低单价须在0.00到/ })).toBeVisible();
  await expect(dialog(page).getByRole('row', { name: /^3 最低单价 最低单价最多2位小数/ })).toBeVisible();
  await expect(dialog(page).getByRole('row', { name: /^4 最高单价 最高单价不能低于最低单价/ })).toBeVisible();
});
