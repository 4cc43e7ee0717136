import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type ThemeId, themes } from '../../src/kernel/platform/theme/themes.ts';
import { violationsOn } from './axe.ts';
import { collectErrors, signInThroughPage } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;
let page: Page;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  product = await sharedProduct();
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(product.address);
  await signInThroughPage(page);
});

test.afterAll(() => page.context().close());

const attribute = (name: string) => page.evaluate((asked) => document.body.getAttribute(asked), name);
const brand = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--brand').trim());

test('a theme, a colour and a density apply at once, by the keyboard alone', async () => {
  const errors = collectErrors(page);
  await page.goto(`${product.address}/system/param/index`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('button', { name: /^账户/ }).focus();
  await page.keyboard.press('Enter');
  // The last entry signs out.
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: '界面设置' });
  await expect(panel).toBeFocused();

  await panel.getByRole('radio', { name: '默认' }).focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowRight');
  expect(await attribute('data-theme')).toBe('theme-vip');
  await panel.getByRole('radio', { name: '适中', exact: true }).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await attribute('data-density')).toBe('compact');
  await panel.getByRole('radio', { name: '主题自带的颜色' }).focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(brand).toBe('#f5222d');
  await panel.getByRole('switch', { name: '水印' }).focus();
  await page.keyboard.press('Space');
  await expect(panel.getByRole('switch', { name: '水印' })).toBeChecked();
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([]);

  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^账户/ })).toBeFocused();
  expect(errors).toEqual([]);
});

test('they are set before the first paint after a reload, also on the sign-in page', async ({ browser }) => {
  const again = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await again.newPage();
  await fresh.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { looksPainted: seen });
    const note = () => {
      if (document.body) seen.push([document.body.dataset.theme, document.body.dataset.density, document.body.style.getPropertyValue('--brand')].join(' '));
      if (seen.length < 40) requestAnimationFrame(note);
    };
    new PerformanceObserver(() => note()).observe({ type: 'paint', buffered: true });
    requestAnimationFrame(note);
  });
  const painted = () => fresh.evaluate(() => [...new Set((window as unknown as { looksPainted: string[] }).looksPainted)]);
  await fresh.goto(`${product.address}/system/param/index`);
  await expect(fresh.getByRole('row').nth(1)).toBeVisible();
  expect(await painted()).toEqual(['theme-vip compact #f5222d']);
  await fresh.evaluate(() => localStorage.removeItem('marquee-session'));
  await fresh.goto(`${product.address}/login`);
  await expect(fresh.getByRole('progressbar', { name: '自动验证' })).toBeVisible();
  expect(await painted()).toEqual(['theme-vip compact #f5222d']);
  await again.close();
});

test('every theme is legible on a real page, light and dark', async () => {
  await page.evaluate(() => {
    localStorage.removeItem('marquee-look');
    const { owner } = JSON.parse(localStorage.getItem('marquee-session') ?? '{}');
    localStorage.setItem(`marquee-shell:${owner}`, JSON.stringify({ version: 1, preference: { tagBar: true } }));
  });
  await page.goto(`${product.address}/system/param/index`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  // One row has the same colours as ten.
  await page.getByRole('textbox', { name: '参数键名' }).fill('account.failCount');
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  const found: string[] = [];
  for (const theme of Object.keys(themes) as ThemeId[]) {
    for (const isDark of [false, true]) {
      await page.evaluate(
        async ([look, dark]) => {
          document.body.dataset.theme = look;
          document.body.toggleAttribute('arco-theme', dark);
          if (dark) document.body.setAttribute('arco-theme', 'dark');
          await new Promise(requestAnimationFrame);
          await Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : [])));
        },
        [theme, isDark] as const,
      );
      const violations = await violationsOn(page, ['color-contrast']);
      found.push(
        ...violations.flatMap(({ nodes }) => nodes.map(({ target, any }) => `${theme} ${isDark ? 'dark' : 'light'} ${target.join(' ')}: ${any[0]?.message}`)),
      );
    }
  }
  expect(found).toEqual([]);
});

test('the system setting for reduced motion is respected', async () => {
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '更多界面设置' }).click();
  await expect(page.getByRole('dialog', { name: '界面设置' })).toBeVisible();
  const longest = await page.evaluate(() => Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))));
  expect(longest).toBeLessThanOrEqual(1);
});
