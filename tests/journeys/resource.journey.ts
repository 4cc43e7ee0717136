import { expect, test } from '@playwright/test';
import { expectNoViolationsInLightAndDark, followDevice } from './axe.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

test('material is uploaded into a folder, dragged into another and found there', async ({ page }) => {
  const errors = collectErrors(page);
  await followDevice(page);
  await openSignedIn(page, product, '/resource/depart/index');
  const shelf = page.getByRole('region', { name: '部门资源' });
  await expect(shelf.getByText('这里还没有内容')).toBeVisible();

  await page.getByRole('button', { name: '新建文件夹' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(panel.getByRole('alert')).toHaveText('请输入名称');
  await panel.getByRole('textbox', { name: '文件夹名称' }).fill('春季素材');
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(shelf.getByRole('button', { name: '打开 春季素材' })).toBeVisible();

  await page.getByText('我上传的', { exact: true }).click();
  const mine = page.getByRole('region', { name: '我上传的' });
  await page.locator('input[type=file]').setInputFiles([
    { name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('请使用最新海报') },
    { name: '清单.txt', mimeType: 'text/plain', buffer: Buffer.from('一二三') },
  ]);
  const note = mine.getByRole('listitem').filter({ hasText: '说明.txt' });
  await expect(note.getByText('待审核')).toBeVisible();
  await expect(mine.getByRole('listitem')).toHaveCount(3);
  await expectNoViolationsInLightAndDark(page, 'department resources');

  await note.dragTo(mine.getByRole('listitem').filter({ hasText: '春季素材' }));
  await expect(note).toHaveCount(0);
  await mine.getByRole('button', { name: '打开 春季素材' }).click();
  await expect(note).toBeVisible();
  await page.getByText('列表', { exact: true }).click();
  await note.getByRole('button', { name: '打开 说明.txt' }).click();
  await expect(page.getByRole('dialog').getByText('请使用最新海报')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await note.getByRole('button', { name: '移动 说明.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '全部资源' }).click();
  await expect(note).toHaveCount(0);
  await page.getByRole('navigation', { name: '文件夹路径' }).getByRole('button', { name: '全部资源' }).click();
  await expect(note).toBeVisible();
  expect(errors).toEqual([]);
});
