import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { sheetOf } from '../support/workbook.ts';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { sent } from './task-staff.ts';

const product = new Product();
const base = '/api/oms-system/base';
let id: string;

test.beforeAll(async () => {
  await product.start();
  const admin = await product.signIn();
  const form = { name: '晨光面包', contact_name: '王小麦', contact_phone: '13800000001', credit_limit: 10_000 };
  id = (await sent(admin.post(`${base}/addadvertiser`, form))).data.id;
  await sent(admin.post(`${base}/addadvertiser`, { id, contact_name: '李小米', city_code: '4403' }));
  await sent(admin.post(`${base}/addadvertiser`, { id, contact_name: '赵大麦', credit_limit: 25_000 }));
});
test.afterAll(() => product.discard());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /晨光面包/ });

async function openHistory(page: Page) {
  await openSignedIn(page, product, '/base/advertiser/index');
  await actOn(page.getByRole('row', { name: /晨光面包/ }), '查看');
  await dialogOf(page).getByText('变更历史', { exact: true }).click();
  const history = dialogOf(page).getByRole('region', { name: '变更历史' });
  await expect(history.getByRole('listitem')).toHaveCount(3);
  return history;
}

const restoring = (page: Page) => page.getByRole('dialog', { name: '恢复旧值' });

async function confirmRestore(page: Page): Promise<void> {
  await restoring(page).getByRole('button', { name: '恢复', exact: true }).click();
  await expect(restoring(page)).toBeHidden();
}

test('the changes of a record are shown with names, restored by value and by version, and exported', async ({ page }) => {
  const errors = collectErrors(page);
  const history = await openHistory(page);

  await test.step('each change has its author, call and labels instead of ids and codes', async () => {
    const items = history.getByRole('listitem');
    const [latest, middle, first] = [items.nth(0), items.nth(1), items.nth(2)];
    await expect(latest).toContainText('管理员');
    await expect(latest).toContainText('新增或修改');
    await expect(latest).toContainText(/授信额度.*¥100\.00.*¥250\.00/s);
    await expect(middle).toContainText(/所在地区.*空.*深圳市/s);
    await expect(first).toContainText(/名称.*空.*晨光面包/s);
    await expect(history).not.toContainText('4403');
  });

  await test.step('a value is restored after a confirmation that names the change', async () => {
    const latest = history.getByRole('listitem').first();
    await latest.getByRole('button', { name: '恢复「联系人」的原值' }).click();
    await expect(restoring(page).getByRole('row', { name: /联系人/ })).toContainText(/赵大麦.*李小米/s);
    await confirmRestore(page);
    await expect(history.getByRole('listitem')).toHaveCount(4);
    await expect(history.getByRole('listitem').first()).toContainText(/联系人.*赵大麦.*李小米/s);
  });

  await test.step('a version is restored with the keyboard', async () => {
    const button = history.getByRole('listitem').last().getByRole('button', { name: '恢复到此版本' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(restoring(page).getByRole('row')).toHaveCount(4);
    await confirmRestore(page);
    const latest = history.getByRole('listitem').first();
    await expect(latest).toContainText(/联系人.*李小米.*王小麦/s);
    await expect(latest).toContainText(/授信额度.*¥250\.00.*¥100\.00/s);
    await dialogOf(page).getByText('详情', { exact: true }).click();
    await expect(dialogOf(page).getByText('王小麦')).toBeVisible();
  });

  await test.step('the history is downloaded with the same labels', async () => {
    await dialogOf(page).getByText('变更历史', { exact: true }).click();
    const download = page.waitForEvent('download', { timeout: 90_000 });
    await history.getByRole('button', { name: '导出 XLSX' }).click();
    // On a busy machine an export continues in the background, and its end is announced with a button.
    const announced = page.getByRole('button', { name: /^下载 XLSX/ });
    await Promise.race([download, announced.click({ timeout: 90_000 }).catch(() => undefined)]);
    const rows = await sheetOf(readFileSync(await (await download).path()));
    expect(rows[0]).toEqual(['时间', '操作人', '操作', '接口', '字段', '原值', '新值']);
    expect(rows.map((row) => row.slice(4))).toContainEqual(['所在地区', null, '深圳市']);
    expect(rows.flat().filter((value) => /^\d{15,}$/.test(String(value)))).toEqual([]);
  });
  expect(errors).toEqual([]);
});

test('a restore that is based on an earlier version is refused, and the current values can be reloaded', async ({ page }) => {
  await openSignedIn(page, product, '/base/advertiser/index');
  await actOn(page.getByRole('row', { name: /晨光面包/ }), '查看');
  await dialogOf(page).getByText('变更历史', { exact: true }).click();
  const history = dialogOf(page).getByRole('region', { name: '变更历史' });
  await history.getByRole('button', { name: '恢复到此版本' }).first().click();
  const admin = await product.signIn();
  await sent(admin.post(`${base}/addadvertiser`, { id, remark: '别人的修改' }));
  await restoring(page).getByRole('button', { name: '恢复', exact: true }).click();
  await expect(restoring(page).getByRole('alert')).toContainText('修改');
  await restoring(page).getByRole('button', { name: '查看最新值' }).click();
  await expect(history.getByRole('listitem').first()).toContainText('别人的修改');
  await confirmRestore(page);
});
