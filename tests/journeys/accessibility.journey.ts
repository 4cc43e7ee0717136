import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { adminPassword, captchaAnswer, Product } from './product.ts';

const product = new Product();

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

for (const language of ['zh', 'en'] as const) {
  for (const appearance of ['light', 'dark'] as const) {
    test(`axe finds nothing on any screen, ${language}, ${appearance}`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.addInitScript(
        ([chosenLanguage, chosenAppearance]) => {
          localStorage.setItem('marquee-language', JSON.stringify(chosenLanguage));
          localStorage.setItem('marquee-appearance', JSON.stringify(chosenAppearance));
        },
        [language, appearance] as const,
      );
      const zh = language === 'zh';

      await page.goto(product.address);
      await expect(page.getByRole('textbox', { name: zh ? '验证码' : 'Code' })).toBeVisible();
      await isClean(page, 'sign-in');
      await page.getByRole('textbox', { name: zh ? '用户名' : 'Account' }).fill('admin');
      await page.getByLabel(zh ? '密码' : 'Password', { exact: true }).fill(adminPassword);
      await page.getByRole('textbox', { name: zh ? '验证码' : 'Code' }).fill(captchaAnswer);
      await page.getByRole('button', { name: zh ? '登录' : 'Sign in', exact: true }).click();
      await expect(page).toHaveURL(/\/wel\/index$/);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.body.getAttribute('arco-theme'))).toBe(appearance === 'dark' ? 'dark' : null);
      await isClean(page, 'home');

      for (const [path, add] of [
        ['/system/param/index', zh ? '新增' : 'Add'],
        ['/system/dict/index', zh ? '新增' : 'Add'],
      ] as const) {
        await page.goto(product.address + path);
        await expect(page.getByRole('row').nth(1)).toBeVisible();
        await isClean(page, path);
        await page.getByRole('button', { name: add, exact: true }).first().click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: zh ? '保存' : 'Save' })
          .click();
        await isClean(page, `${path} form with its messages`);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }

      await page.goto(`${product.address}/info/index`);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await isClean(page, 'personal information');
      await page.goto(`${product.address}/nowhere`);
      await expect(page).toHaveURL(/\/404$/);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await isClean(page, '404');
    });
  }
}

async function isClean(page: Page, screen: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect({ screen, found }).toEqual({ screen, found: [] });
}
