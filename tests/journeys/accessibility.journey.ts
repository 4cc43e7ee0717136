import { expect, type Page, test } from '@playwright/test';
import { sharedViews } from '../../src/shared/platform/views.ts';
import { expectNoViolations, expectNoViolationsInLightAndDark, followDevice } from './axe.ts';
import { openSignedIn } from './console.ts';
import { adminPassword, type Product, sharedProduct } from './product.ts';
import { openDetails, openWithTabs, tabOf, visit } from './tabs.ts';
import { openTaskFloor } from './task-staff.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

// A soak covers every screen in both languages and appearances (`tests/soak/axe.soak.ts`).
test('axe finds nothing on the screens that differ most, in Chinese, light and dark', async ({ page }) => {
  await followDevice(page);

  await page.goto(product.address);
  await expect(page.getByRole('status').filter({ hasText: '自动验证已完成' })).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'sign-in');
  await page.getByRole('textbox', { name: '用户名' }).fill('admin');
  await page.getByLabel('密码', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/\/wel\/index$/);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'home');

  await visit(page, '/system/param/index');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'a list');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: '保存', exact: true }).click();
  await expect(form.locator('[aria-invalid=true]').first()).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'a form with its messages');
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);

  await visit(page, '/system/social_app/index');
  await expect(page.getByRole('search').getByRole('combobox')).toBeVisible();
  await (await product.signIn()).post(sharedViews.share.path, {
    of: '/api/blade-system/social-app/list',
    name: 'axe',
    view: { version: 1, filters: {}, conditions: [], columns: [] },
  });
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await expect(page.getByRole('region', { name: '共享视图' })).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'filters that are picked, and shared views');
  await page.keyboard.press('Escape');

  await visit(page, '/nowhere');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoViolationsInLightAndDark(page, '404');
});

test('axe finds nothing in the menus of the tab bar, light and dark', async ({ page }) => {
  await followDevice(page);
  await openWithTabs(page, product);
  await openDetails(page, 1, 2);
  await tabOf(page, 2).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: '关闭其他', exact: true })).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'menu of a tab');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '全部已打开的页面（3）' }).click();
  const list = page.getByRole('dialog', { name: '已打开的页面' });
  await expect(list.getByRole('option')).toHaveCount(3);
  await expectNoViolationsInLightAndDark(page, 'list of all tabs');
  await list.getByRole('combobox').fill('zzz');
  await expect(list.getByRole('status')).toBeVisible();
  await expectNoViolationsInLightAndDark(page, 'list of all tabs, nothing found');
});

/** Checks overlays and shell variants once each: in Chinese and light, or in English and dark. */
async function openAs(page: Page, gallery: Product, path: string, worn: { language: 'zh' | 'en'; appearance: string; layout: string }): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const exhibit of ['exhibit', 'specimen'])
    await (await gallery.signIn()).post(`/api/gallery/${exhibit}/submit`, {
      name: '灯',
      code: `X${Date.now()}`,
      price: 100,
      way: 1,
      accessKey: 'k',
      isPublic: true,
      isSealed: 0,
    });
  await openSignedIn(page, gallery, '/wel/index');
  await page.evaluate(
    ([prefix, { language, appearance, layout }]) => {
      const { owner } = JSON.parse(localStorage.getItem(`${prefix}session`) ?? '{}');
      localStorage.setItem(`${prefix}language`, JSON.stringify(language));
      localStorage.setItem(`${prefix}appearance`, JSON.stringify(appearance));
      localStorage.setItem(`${prefix}shell:${owner}`, JSON.stringify({ version: 1, preference: { layout, tagBar: true } }));
    },
    [gallery.storagePrefix, worn] as const,
  );
  await page.goto(gallery.address + path);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name?: string) => page.getByRole('dialog', name === undefined ? {} : { name });

test('axe finds nothing in the menu above, and in what opens over a list, a form beside it and the looks', async ({ page }) => {
  const gallery = await sharedProduct('gallery');
  await openAs(page, gallery, '/gallery/exhibit/index', { language: 'zh', appearance: 'light', layout: 'top' });
  await expect(button(page, '新增')).toBeVisible();
  await expectNoViolations(page, 'top layout');
  for (const name of ['筛选', '视图', '表格设置']) {
    await button(page, name).click();
    await expect(dialog(page, name)).toBeVisible();
    await expectNoViolations(page, name);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  }
  await button(page, '锁屏').click();
  await expect(dialog(page)).toBeVisible();
  await expectNoViolations(page, 'lock dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '更多界面设置' }).click();
  await expect(dialog(page, '界面设置')).toBeVisible();
  await expectNoViolations(page, 'settings panel');
  await page.goto(`${gallery.address}/gallery/specimen-drawer/index`);
  await button(page, '新增').click();
  await expect(dialog(page, '新增').getByText('价格')).toBeVisible();
  await expectNoViolations(page, 'form in a drawer');
});

test('axe finds nothing in the sections above, and in exports, imports, a page form, another role, paper and the logs', async ({ page }) => {
  const gallery = await sharedProduct('gallery');
  await openAs(page, gallery, '/gallery/exhibit/index', { language: 'en', appearance: 'dark', layout: 'mixed' });
  await expect(button(page, 'Add')).toBeVisible();
  await expectNoViolations(page, 'mixed layout');
  for (const name of ['Export', 'Import']) {
    await button(page, name).click();
    await expect(dialog(page)).toBeVisible();
    await expectNoViolations(page, name);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  }
  await button(page, 'Download center').click();
  await expect(dialog(page, 'Download center')).toBeVisible();
  await expectNoViolations(page, 'download centre');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Switch department or role' }).click();
  await expect(dialog(page).getByRole('combobox').first()).toBeVisible();
  await expectNoViolations(page, 'another role');
  await page.goto(`${gallery.address}/gallery/exhibit/index`);
  await page.evaluate(() => Object.assign(window, { print: () => {} }));
  // The sections above can have such a button too.
  await page.getByRole('tabpanel').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print', exact: true }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1, name: 'Exhibits' })).toBeVisible();
  await expectNoViolations(page, 'on paper');
  await page.emulateMedia({ media: null });
  await page.goto(`${gallery.address}/gallery/specimen-page/index`);
  await button(page, 'Add').click();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible();
  await expectNoViolations(page, 'form in place of its list');
  await page.goto(`${gallery.address}/logs`);
  await page.evaluate(() => reportError(new Error('bulb')));
  await expect(page.getByRole('row', { name: /bulb/ })).toBeVisible();
  await expectNoViolations(page, 'local logs');
});

test('axe finds nothing where tasks are stored, audited, paid and reviewed, in English and dark', async ({ page }) => {
  const floor = await openTaskFloor(product);
  const taskId = await floor.publish({ steps: '到店', content: '<p>详细</p>' });
  for (let count = 0; count < 2; count += 1) await floor.handIn(taskId, { link: 'https://video.example/same', pictures: 2 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openSignedIn(page, product, '/task/list/index');
  await page.evaluate(() => {
    localStorage.setItem('marquee-language', '"en"');
    localStorage.setItem('marquee-appearance', '"dark"');
  });
  await page.goto(`${product.address}/task/list/index`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await button(page, 'Add').first().click();
  await expect(dialog(page)).toBeVisible();
  await expectNoViolations(page, 'tasks, and the form of one');
  await page.keyboard.press('Escape');
  await visit(page, '/task/audit/index');
  await expect(page.getByText('Same link as an earlier submission').first()).toBeVisible();
  await button(page, 'Shortcuts').click();
  await expect(page.getByText('Review later')).toBeVisible();
  await expectNoViolations(page, 'workbench and its keys');
  await page.keyboard.press('Escape');
  await visit(page, '/task/record/index');
  await button(page, 'Statistics').click();
  await expect(dialog(page)).toBeVisible();
  await expectNoViolations(page, 'audit records and figures');
  await page.keyboard.press('Escape');

  await floor.admin.post('/api/things-task/ledger/submit', { advertiserId: floor.parts.advertiserId, amount: 5000 });
  const { data: postings } = await floor.admin.get('/api/things-task/ledger/list', { size: 1 });
  await floor.admin.post('/api/things-task/reconciliation/compare', { day: postings.records[0].createTime.slice(0, 10) });
  for (const screen of ['ledger', 'reconciliation']) {
    await visit(page, `/task/${screen}/index`);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expectNoViolations(page, screen);
  }
  await button(page, 'Compare a day').click();
  await expect(dialog(page)).toBeVisible();
  await expectNoViolations(page, 'a day that is compared');
  await page.keyboard.press('Escape');
  for (const screen of ['pay', 'payout']) {
    await visit(page, `/task/${screen}/index`);
    await expect(page.getByRole('search')).toBeVisible();
    await expectNoViolations(page, screen);
  }
  await visit(page, '/task/pay-channel/index');
  await button(page, 'Add').first().click();
  await expect(dialog(page).getByText('Merchant ID', { exact: true })).toBeVisible();
  await expectNoViolations(page, 'form of a payment provider');
});
