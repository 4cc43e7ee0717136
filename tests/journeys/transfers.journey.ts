import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { collectErrors, signInThroughPage } from './console.ts';
import { Product } from './product.ts';
import { openParams } from './transfers.ts';

const product = new Product();

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

test('an operator exports a list, corrects a refused sheet, and finds both in the download centre', async ({ page }) => {
  const errors = collectErrors(page);
  const api = await product.signIn();
  for (const [paramName, paramKey] of [
    ['=公式', 'formula.one'],
    ['审核超时', 'audit.timeout'],
  ])
    await api.post('/api/blade-system/param/submit', { paramName, paramKey, paramValue: '1' });
  await page.goto(product.address);
  await signInThroughPage(page);
  await openParams(page);

  await test.step('the current view is exported as shown', async () => {
    await page.getByRole('button', { name: '导出', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '导出数据' });
    await dialog.getByText('CSV').click();
    await dialog.getByText('创建时间').click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: '开始导出' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^系统参数_\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .replace(/^\ufeff/, '')
      .trim()
      .split('\r\n');
    expect(lines[0]).toBe('参数名称,参数键名,参数键值,备注');
    expect(lines.slice(1, 3)).toEqual(['审核超时,audit.timeout,1,', "'=公式,formula.one,1,"]);
    await expect(dialog).toBeHidden();
  });

  const sheet = (rows: string) => ({ name: 'params.csv', mimeType: 'text/csv', buffer: Buffer.from(`参数名称,参数键名,值\r\n${rows}`) });
  await test.step('a sheet with an invalid row writes nothing and shows the reason', async () => {
    await page.getByRole('button', { name: '导入', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '导入数据' });
    await dialog.getByLabel('选择文件').setInputFiles(sheet('新参数,new.one,1\r\n重复,audit.timeout,2\r\n'));
    await expect(dialog.getByRole('alert')).toHaveText('缺少必填列：参数键值');
    await dialog.getByRole('combobox', { name: '「值」对应的字段' }).click();
    await page.getByRole('option', { name: '参数键值' }).click();
    await dialog.getByRole('button', { name: '开始导入' }).click();
    await expect(dialog.getByRole('status')).toContainText('1 行数据有误，未导入任何数据');
    await expect(dialog.getByRole('row', { name: /^3 参数键名 .*参数键名「audit.timeout」已被「审核超时」使用/ })).toBeVisible();
    await expect(dialog.getByRole('button', { name: '下载错误明细' })).toBeVisible();
  });

  await test.step('corrected it is written, and the list shows it', async () => {
    const dialog = page.getByRole('dialog', { name: '导入数据' });
    await dialog.getByRole('button', { name: '换一个文件' }).click();
    await dialog.getByLabel('选择文件').setInputFiles({ ...sheet(''), buffer: Buffer.from('参数名称,参数键名,参数键值\r\n新参数,new.one,1\r\n') });
    await dialog.getByRole('button', { name: '开始导入' }).click();
    await expect(dialog.getByRole('status')).toContainText('已导入 1 行');
    await dialog.getByRole('button', { name: '关闭' }).click();
    await expect(page.getByRole('row', { name: /new\.one/ })).toBeVisible();
  });

  await test.step('the download centre has all three', async () => {
    await page.getByRole('button', { name: '下载中心' }).click();
    const centre = page.getByRole('dialog', { name: '下载中心' });
    await expect(centre.getByRole('listitem')).toHaveCount(3);
    await expect(centre.getByRole('listitem').nth(1)).toContainText('失败');
    await centre.getByRole('button', { name: '删除: 导出 · 系统参数' }).click();
    await expect(centre.getByRole('listitem')).toHaveCount(2);
  });
  expect(errors).toEqual([]);
});
