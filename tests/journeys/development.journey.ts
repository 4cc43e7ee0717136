import { expect, test } from '@playwright/test';
import { Product } from './product.ts';

test('npm run dev serves both halves, the console with hot reload', async ({ page }) => {
  const product = new Product({ CAPTCHA_TEST_ANSWER: '' }, ['scripts/dev.mjs']);
  try {
    await product.start();
    await page.goto(product.address);
    await expect(page).toHaveTitle('登录');
    await expect(page.getByRole('textbox', { name: '验证码' })).toBeVisible();
    expect(await product.signIn()).toBeDefined();
  } finally {
    await product.discard();
  }
});
