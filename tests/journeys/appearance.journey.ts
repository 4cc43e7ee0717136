import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { actOn, chooseTool, openSignedIn } from './console.ts';
import { type Client, type Product, sharedProduct } from './product.ts';

let product: Product;
let client: Client;

const submitPath = (path: string) => `/api/gallery/${path}/submit`;
const rows = (page: Page) => page.locator('tr[data-row]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

test.beforeAll(async () => {
  product = await sharedProduct('gallery');
  client = await product.signIn();
});

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const heightOf = async (element: Locator) => Math.round((await element.boundingBox())?.height ?? 0);

/** Makes the console start with this appearance. */
async function setLook(page: Page, look: object): Promise<void> {
  await page.addInitScript(([key, stored]) => localStorage.setItem(key, JSON.stringify({ version: 1, look: stored })), [
    `${product.storagePrefix}look`,
    look,
  ] as const);
}

/** Adds two specimens: A refers to an exhibit, B to one that is removed afterwards. */
async function addSpecimen(code: string): Promise<{ readonly owner: string; readonly lost: string }> {
  const owner = `展品 ${code}`;
  const add = async (path: string, form: object) => (await client.post(submitPath(path), form)).data as { id: string };
  const exhibit = await add('exhibit', { name: owner, price: 100 });
  const place = await add('place', { name: `位置 ${code}` });
  const lost = await add('exhibit', { name: `失物 ${code}`, price: 100 });
  const specimen = {
    price: 123_456,
    tags: ['new', 'rare'],
    website: 'https://example.com/lamp',
    way: 1,
    placeId: place.id,
    regionCode: '1101',
    accessKey: 'k',
  };
  const more = { content: '<p>正文 <b>粗体</b></p>', settings: '{"a":1}', shownAt: '2026-10-01 10:00:00', isPublic: true, isSealed: 0 };
  for (const [suffix, id] of [
    ['A', exhibit.id],
    ['B', lost.id],
  ] as const)
    expect((await client.post(submitPath('specimen'), { ...specimen, ...more, code: `${code}-${suffix}`, exhibitId: id })).success).toBe(true);
  await client.post('/api/gallery/exhibit/remove', { ids: [lost.id] });
  return { owner, lost: lost.id };
}

for (const [density, row, control, menu] of [
  ['compact', 31, 28, 34],
  ['default', 39, 32, 40],
  ['comfortable', 47, 36, 46],
] as const) {
  test(`density ${density} applies to tables, controls, buttons and the menu`, async ({ page }) => {
    await setLook(page, { density });
    await openSignedIn(page, product, '/system/param/index');
    await expect(rows(page).first()).toBeVisible();
    expect(await heightOf(rows(page).first())).toBe(row);
    for (const one of [button(page, '查询'), button(page, '筛选'), page.locator('.crud-search input').first()]) expect(await heightOf(one)).toBe(control);
    expect(await heightOf(page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '系统参数' }))).toBe(menu);
    await button(page, '新增').click();
    await expect.poll(() => heightOf(page.getByRole('dialog').getByRole('textbox', { name: '参数名称' }))).toBe(control);
    expect(await heightOf(page.getByRole('dialog').getByRole('button', { name: '保存' }))).toBe(control);
  });
}

test('the text size applies to tables, controls and the menu', async ({ page }) => {
  const sizes = async () => {
    await expect(rows(page).first()).toBeVisible();
    const elements = [rows(page).first().locator('td').nth(1), button(page, '查询'), page.locator('.crud-search input').first()];
    return Promise.all(elements.map((element) => element.evaluate((shown) => getComputedStyle(shown).fontSize)));
  };
  await openSignedIn(page, product, '/system/param/index');
  expect(await sizes()).toEqual(['14px', '14px', '14px']);
  await setLook(page, { text: 'huge' });
  await page.reload();
  expect(await sizes()).toEqual(['16px', '16px', '16px']);
});

test('a view formats values as its table does: titles of references, links, money and rich text; deleted references are marked', async ({ page }) => {
  const code = `V${Date.now() % 1e7}`;
  const { owner, lost } = await addSpecimen(code);
  const lookups: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/exhibit/list')) lookups.push(request.url());
  });
  await openSignedIn(page, product, '/gallery/specimen/index');
  const row = page.getByRole('row', { name: new RegExp(`${code}-A`) });
  await expect(row).toContainText(owner);
  await expect(row).toContainText('东城区');
  const orphan = page.getByRole('row', { name: new RegExp(`${code}-B`) });
  await expect(orphan).toContainText('已不存在');
  await expect(orphan).not.toContainText(lost);
  expect(lookups).toHaveLength(1);

  await actOn(row, '查看');
  const dialog = page.getByRole('dialog');
  for (const words of ['¥1,234.56', '新品', '稀有', owner, '东城区', '粗体']) await expect(dialog.getByText(words, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'https://example.com/lamp' })).toBeVisible();
  await expect(dialog.locator('strong')).toHaveText('粗体');
  await dialog.getByRole('button', { name: '关闭' }).last().click();

  await actOn(orphan, '编辑');
  await expect(page.getByRole('dialog').getByText('已不存在')).toBeVisible();
});

test('times are in the deployment’s zone, not the device’s', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'America/New_York', locale: 'en-US' });
  await context.addInitScript((prefix) => localStorage.setItem(`${prefix}language`, '"zh"'), product.storagePrefix);
  const page = await context.newPage();
  await openSignedIn(page, product, '/system/param/index');
  const time = rows(page).first().locator('time');
  await time.hover();
  await expect(time).toHaveAttribute('title', /Asia\/Shanghai/);
  await context.close();
});

test('printing a table by its button and by the browser’s shortcut gives the same sheet, without the shell', async ({ page }) => {
  await openSignedIn(page, product, '/system/param/index');
  await expect(rows(page).first()).toBeVisible();
  await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { printed: true }) }));
  const printedTable = async () => {
    await page.waitForFunction(() => 'printed' in window);
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
    await expect(page.getByRole('navigation', { name: '主导航' })).toBeHidden();
    const shown = await page.locator('.print-sheet table').textContent();
    await page.emulateMedia({ media: null });
    await page.evaluate(() => {
      window.dispatchEvent(new Event('afterprint'));
      Reflect.deleteProperty(window, 'printed');
    });
    await expect(page.locator('.print-sheet')).toHaveCount(0);
    return shown;
  };
  await chooseTool(page, '打印');
  const byButton = await printedTable();
  await page.keyboard.press('Control+p');
  expect(await printedTable()).toBe(byButton);
  expect(byButton).toContain('account.failCount');

  // Printing from the browser's menu prints the whole page without the shell.
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  await expect(page.getByRole('navigation', { name: '主导航' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(button(page, '新增')).toBeHidden();
  await expect(rows(page).first()).toBeVisible();
});

test('filters, the main action and the tools of a list are one line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedInNarrow(page, '/gallery/exhibit/index');
  const tops: number[] = [];
  for (const name of ['筛选', '新增', '更多']) tops.push((await button(page, name).boundingBox())?.y ?? 0);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
  await button(page, '更多').click();
  for (const name of ['刷新', '打印', '键盘快捷键', '表格设置']) await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.keyboard.press('Escape');
  await button(page, '筛选').click();
  for (const name of ['视图', '导出', '导入'])
    await expect(page.getByRole('dialog', { name: '筛选' }).getByRole('button', { name, exact: true })).toBeVisible();
});

test('at four times magnification nothing scrolls sideways: rows of a table are cards', async ({ page }) => {
  await client.post(submitPath('exhibit'), { name: '灯', kind: 1, price: 100 });
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${product.address}/login`);
  await expect(page.getByRole('textbox', { name: '用户名' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'sign-in');
  await openSignedInNarrow(page, '/wel/index');
  await expect(page.getByRole('heading', { name: '快捷入口' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'home');
  await page.goto(`${product.address}/gallery/exhibit/index`);
  await expect(button(page, '新增')).toBeVisible();
  await expect(page.getByRole('row', { name: '灯' }).first().getByRole('cell', { name: '类别' })).toContainText('绘画');
  await expectNoSidewaysScroll(page, 'list');
  await expectNoViolations(page, 'cards');
  await button(page, '筛选').click();
  await expect(page.getByRole('dialog', { name: '筛选' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'filter');
  await page.goto(`${product.address}/gallery/specimen/index`);
  await button(page, '新增').click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: '编码' });
  await field.scrollIntoViewIfNeeded();
  await field.fill('M1');
  await expectNoSidewaysScroll(page, 'form');
  await page.evaluate(() => window.dispatchEvent(new ErrorEvent('error', { message: 'a lamp went out', error: new Error('a lamp went out') })));
  await page.goto(`${product.address}/logs`);
  await expect(page.getByRole('row', { name: /a lamp went out/ })).toContainText('/gallery/specimen/index');
  await expectNoSidewaysScroll(page, 'errors of this browser');
  await page.goto(`${product.address}/wel/index`);
  await openSettings(page);
  await expectNoSidewaysScroll(page, 'settings');
});

/** Opens an address in a narrow window, where the menu is behind a button. */
async function openSignedInNarrow(page: Page, path: string): Promise<void> {
  const wide = await page.context().newPage();
  await openSignedIn(wide, product, '/wel/index');
  await wide.close();
  await page.goto(product.address + path);
  await expect(page.getByRole('main')).toBeVisible();
}

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '更多界面设置' }).click();
  await expect(page.getByRole('dialog', { name: '界面设置' })).toBeVisible();
}

/** Expects nothing to overflow the window or to scroll sideways. */
async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const overflowing = () =>
    page.evaluate(() => {
      const isPerceivable = (element: Element) => !element.closest('.visually-hidden, [aria-hidden=true]') && element.checkVisibility();
      const overflows = (element: Element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1;
        return scrolls || (width > 1 && (right > innerWidth + 1 || left < -1));
      };
      const found = [...document.body.querySelectorAll('*')].filter((element) => isPerceivable(element) && overflows(element));
      return found.map((element) => `${element.tagName}.${element.getAttribute('class')}`).slice(0, 5);
    });
  await expect.poll(overflowing, { message: screen }).toEqual([]);
}
