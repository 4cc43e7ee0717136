import { expect, type Page, test } from '@playwright/test';
import { chooseTool, collectErrors, signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const product = new Product({ BASE_PATH: '/marquee', API_DOCS: 'open' });

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`,
);

/** Collects the addresses that a page requests, its workers and frames included. */
function watchRequests(page: Page): string[] {
  const seen: string[] = [];
  page.context().on('request', (request) => seen.push(request.url()));
  return seen;
}

const outside = (requests: readonly string[]) => requests.filter((url) => !url.startsWith(`${product.address}/`) && !/^(blob|data):/.test(url));

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('under a base path an operator signs in, works, and signs out, and no request leaves the path', async ({ page }) => {
  const errors = collectErrors(page);
  const requests = watchRequests(page);
  expect(product.address).toMatch(/\/marquee$/);

  // A deep link waits behind the sign-in page.
  await page.goto(`${product.address}/system/param/index`);
  await expect(page).toHaveURL(`${product.address}/login`);
  await signInThroughPage(page);
  await expect(page).toHaveURL(`${product.address}/system/param/index`);
  const list = page.getByRole('table', { name: '系统参数' });
  await expect(list).toBeVisible();
  expect((await page.context().cookies()).map(({ path }) => path)).toEqual(['/marquee/', '/marquee/', '/marquee/']);

  await page.reload();
  await expect(list).toBeVisible();
  await page.getByRole('link', { name: '首页' }).first().click();
  await expect(page).toHaveURL(`${product.address}/wel/index`);
  await page.goBack();
  await expect(page).toHaveURL(`${product.address}/system/param/index`);
  await expect(list).toBeVisible();

  // A live event of another session.
  await expect(page.getByRole('button', { name: '通知，16 条未读' })).toBeVisible();
  const elsewhere = await product.signIn();
  await elsewhere.post('/api/blade-desk/inbox/read-all', { kind: 'notice' });
  await expect(page.getByRole('button', { name: '通知，4 条未读' })).toBeVisible();

  await page.goto(`${product.address}/resource/attach/index`);
  const shelf = page.getByRole('region', { name: '附件管理' });
  await expect(shelf).toHaveAttribute('aria-busy', 'false');
  await page.locator('input[type=file]').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: picture });
  await shelf.getByRole('button', { name: '预览 picture.png' }).click();
  await expect.poll(() => page.locator('.arco-image-preview-img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await page.keyboard.press('Escape');
  const worker = page.waitForEvent('worker');
  await page.locator('input[type=file]').setInputFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer: pdf });
  await shelf.getByRole('button', { name: '预览 contract.pdf' }).click();
  await expect(page.getByRole('dialog').getByText('第 1 / 1 页')).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await worker).url()).toContain(`${product.address}/assets/`);

  await page.goto(`${product.address}/system/param/index`);
  await page.evaluate(() => Object.assign(window, { print: () => {} }));
  await chooseTool(page, '打印');
  await expect(page.locator('.print-sheet')).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.getByRole('button', { name: '导出', exact: true }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog', { name: '导出数据' }).getByRole('button', { name: '开始导出' }).click();
  const download = await downloading;
  expect(download.url()).toContain(`${product.address}/api/file/blob?key=`);
  expect(await download.failure()).toBeNull();

  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(`${product.address}/login`);
  await page.reload();
  await signInThroughPage(page);
  expect(outside(requests)).toEqual([]);
  expect(errors).toEqual([]);
});
