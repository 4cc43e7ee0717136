import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { sheetOf } from '../support/workbook.ts';
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

test('tasks are exported as filtered, with names in place of ids, a name for the file and a total', async ({ page }) => {
  const errors = collectErrors(page);
  await floor.publish({ title: '已发布的甲', unitPrice: 500, quantity: 10 });
  await floor.publish({ title: '已发布的乙', unitPrice: 250, quantity: 4 });
  const { parts, admin } = floor;
  const form = { title: '未发布', requirement: '无', unitPrice: 100, quantity: 1, perUserLimit: 0, ...parts };
  await sent(admin.post('/api/things-task/task/submit', form));
  const { data: picked } = await sent(admin.get('/api/oms-system/base/advertiser/select', { current: '1', size: '10' }));
  const advertiser = picked.records.find(({ id }: { id: string }) => id === parts.advertiserId).name;

  await openSignedIn(page, product, '/task/list/index');
  await expect(page.getByRole('row', { name: /未发布/ })).toBeVisible();
  const search = page.getByRole('search');
  await search.getByRole('combobox', { name: '状态' }).click();
  await page.getByRole('option', { name: '已发布' }).click();
  await expect(page.getByRole('row', { name: /未发布/ })).toBeHidden();

  const exported = async (options: () => Promise<void>) => {
    await page.getByRole('button', { name: '导出', exact: true }).click();
    await options();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog', { name: '导出数据' }).getByRole('button', { name: '开始导出' }).click();
    const file = await download;
    const [titles = [], ...rows] = await sheetOf(readFileSync(await file.path()));
    return { name: file.suggestedFilename(), titles, rows, cell: (row: number, title: string) => rows[row]?.[titles.indexOf(title)] };
  };

  await test.step('the file has the filter in its name, the advertiser by name and the total of the amounts', async () => {
    const { name, rows, cell, titles } = await exported(async () => undefined);
    expect(name).toMatch(/^任务列表_状态-已发布_\d{4}-\d{2}-\d{2}\.xlsx$/);
    expect(rows).toHaveLength(3);
    expect(rows.slice(0, 2).map((_, index) => [cell(index, '任务标题'), cell(index, '广告主'), cell(index, '预算')])).toEqual([
      ['已发布的乙', advertiser, 10],
      ['已发布的甲', advertiser, 50],
    ]);
    expect(cell(2, titles[0] as string)).toBe('合计');
    expect(cell(2, '预算')).toBe(60);
    expect(rows.flat().filter((value) => /^\d{15,}$/.test(String(value)))).toEqual([]);
  });

  await test.step('ids are added on request', async () => {
    const { cell } = await exported(() => page.getByText('同时导出编号').click());
    expect(cell(0, '广告主（编号）')).toBe(parts.advertiserId);
  });
  expect(errors).toEqual([]);
});
