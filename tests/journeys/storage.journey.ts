import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

/** A PDF of one page with a line of text; its cross-reference table is omitted, since no reader needs it. */
const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 24 Tf 40 100 Td (Marquee contract) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`,
  'latin1',
);
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('files are uploaded in parts over a breaking connection, previewed, and deleted', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/resource/attach/index');
  const shelf = page.getByRole('region', { name: '附件管理' });
  await expect(shelf).toHaveAttribute('aria-busy', 'false');

  let broken = 0;
  await page.route('**/api/file/parts/send', async (route) => {
    broken += 1;
    return broken === 2 ? route.fulfill({ status: 500, json: { code: 500, success: false, msg: 'broken', data: null } }) : route.continue();
  });
  const input = page.locator('input[type=file]');
  await expect(input).toBeAttached();
  await input.setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(11 * 1024 * 1024, 3) });
  const resume = page.getByRole('button', { name: '继续上传 large.bin' });
  await expect(resume).toBeVisible({ timeout: 30_000 });
  await resume.click();
  await expect(shelf.getByText('large.bin')).toBeVisible({ timeout: 30_000 });
  expect(broken).toBe(4);
  await page.unroute('**/api/file/parts/send');

  await input.setInputFiles([
    { name: 'contract.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'picture.png', mimeType: 'image/png', buffer: picture },
  ]);
  await shelf.getByRole('button', { name: '预览 contract.pdf' }).click();
  const preview = page.getByRole('dialog');
  await expect(preview.getByText('第 1 / 1 页')).toBeVisible();
  const inked = () =>
    preview.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const data = canvas.width > 0 ? canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data : undefined;
      return data?.some((value, at) => at % 4 === 0 && value < 100 && data[at + 3] === 255) ?? false;
    });
  await expect.poll(inked).toBe(true);
  await page.keyboard.press('Escape');
  await expect(preview).toHaveCount(0);

  await shelf.getByRole('button', { name: '重命名 picture.png' }).click();
  await page.getByRole('textbox', { name: '附件原名' }).fill('门头.png');
  await page.getByRole('dialog').getByRole('button', { name: '重命名', exact: true }).click();
  await expect(shelf.getByRole('button', { name: '预览 门头.png' })).toBeVisible();

  await shelf.getByRole('button', { name: '删除 门头.png' }).click();
  const question = page.getByRole('dialog').filter({ hasText: '删除「门头.png」' });
  await question.getByRole('button', { name: '删除', exact: true }).click();
  await expect(shelf.getByText('门头.png')).toHaveCount(0);
  expect(errors.filter((text) => !text.includes('500'))).toEqual([]);
});
