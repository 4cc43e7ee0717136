import { expect, test } from '@playwright/test';
import type { CodeFile } from '#plugins/codegen/contract';
import { expectNoViolationsInLightAndDark, followDevice } from './axe.ts';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { sharedProduct } from './product.ts';
import { visit } from './tabs.ts';

test('a table becomes a plugin in the console: its source is tested, it is imported, edited, compared and downloaded', async ({ page }) => {
  const product = await sharedProduct();
  const errors = collectErrors(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: RegExp) => page.getByRole('row', { name });
  await followDevice(page);
  await openSignedIn(page, product, '/tool/datasource/index');
  await expect(row(/本系统数据库/)).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'data sources');
  await actOn(row(/本系统数据库/), '测试连接');
  await expect(page.getByText(/连接正常/)).toBeVisible();
  await button('新增').first().click();
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'form of a data source');
  await page.keyboard.press('Escape');

  await visit(page, '/tool/model/index');
  await button('导入表').click();
  await page.getByRole('combobox', { name: '数据源' }).click();
  await page.getByRole('option', { name: '本系统数据库' }).click();
  await page.getByRole('textbox', { name: '按表名或注释查找' }).fill('notice');
  await page.getByText('notice', { exact: true }).click();
  await button('导入 1 张表').click();
  await actOn(row(/notice/), '字段');
  await page.getByRole('textbox', { name: 'title：中文名' }).fill('公告标题');
  await expectNoViolationsInLightAndDark(page, 'fields of a model');
  await button('保存').click();
  await expect(page.getByText('字段已保存')).toBeVisible();
  await page.keyboard.press('Escape');
  await row(/notice/)
    .getByRole('checkbox')
    .check();
  await button('加入代码生成').click();

  await visit(page, '/tool/code/index');
  await actOn(row(/notice/), '编辑');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'form of a plugin to be written');
  await page.keyboard.press('Escape');
  // A built server has no sources to write into, so the journey supplies the replies of one in development.
  let conflicts = false;
  await page.route('**/code/preview*', async (route) => {
    const reply = await (await route.fetch()).json();
    const files: CodeFile[] = reply.data.files;
    if (conflicts) reply.data = { canWrite: true, files: files.map((file) => ({ ...file, state: 'conflict', current: '// by hand\n' })) };
    await route.fulfill({ json: reply });
  });
  await actOn(row(/notice/), '预览');
  const files = page.getByRole('list', { name: '文件' });
  await files.getByRole('button', { name: /contract\.ts/ }).click();
  await expect(page.getByRole('region', { name: /contract\.ts$/ })).toContainText("title: ['公告标题', ");
  await expectNoViolationsInLightAndDark(page, 'files of a plugin');
  const download = page.waitForEvent('download');
  await button('下载代码').last().click();
  expect((await download).suggestedFilename()).toMatch(/^notice.*\.zip$/);
  await page.keyboard.press('Escape');

  conflicts = true;
  await actOn(row(/notice/), '预览');
  await expect(page.getByText(/个文件有冲突/)).toBeVisible();
  await button('写入，冲突处保留手工修改').hover();
  await expectNoViolationsInLightAndDark(page, 'files that conflict, the pointer on a primary button');
  expect(errors).toEqual([]);
});
