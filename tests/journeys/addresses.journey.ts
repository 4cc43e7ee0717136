import { expect, type Page, test } from '@playwright/test';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { type Client, Product } from './product.ts';

const product = new Product();
const password = 'Reads-The-Link-1';
let admin: Client;
let records: readonly { readonly id: string; readonly name: string }[] = [];

test.beforeAll(async () => {
  await product.start();
  admin = await product.signIn();
  const add = async (name: string, code: string) => expect(await admin.post('/api/oms-system/base/addplatform', { name, code })).toMatchObject({ code: 200 });
  for (let number = 1; number <= 45; number++) await add(`晨麦${String(number).padStart(2, '0')}`, `morning-${number}`);
  await add('其他平台', 'other');
  records = (await admin.get('/api/oms-system/base/platformlist', { name: '晨麦', size: 50 })).data.records;
  expect(records).toHaveLength(45);
  await hire('reader');
});
test.afterAll(() => product.discard());

/** Creates a user whose role may view and edit platforms, past the change of the first password. */
async function hire(account: string): Promise<void> {
  const flat = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
  const codes = ['platform', 'platform_edit', 'platform_view'];
  const { data: menus } = await admin.get('/api/blade-system/menu/list');
  const menuIds = flat(menus).flatMap(({ id, code }) => (codes.includes(code) ? [id] : []));
  const { data: role } = await admin.post('/api/oms-system/role/submit', { roleName: account, roleAlias: account, sort: 1 });
  expect(await admin.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds })).toMatchObject({ code: 200 });
  const first = 'First-Day-2026';
  const user = { account, password: first, name: '小王', realName: '王小明', phone: '13800000002', userType: 1, roleId: [role.id] };
  expect(await admin.post('/api/oms-system/user/submit', user)).toMatchObject({ code: 200 });
  const own = await product.signIn(account, first);
  const change = { oldPassword: first, newPassword: password, newPassword1: password };
  expect(await own.post('/api/oms-system/user/update-password', change)).toMatchObject({ code: 200 });
}

interface MenuNode {
  readonly id: string;
  readonly code: string;
  readonly children?: readonly MenuNode[];
}

const readable = (page: Page) => {
  const { pathname, search } = new URL(page.url());
  return decodeURIComponent(pathname + search);
};
const rows = (page: Page) => page.locator('tr[data-row]');
const names = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => /晨麦\d+|其他平台/.exec(row.textContent ?? '')?.[0]));
/** Returns the number of rows of a page that follows the window. */
const fitting = async (page: Page) => Number(await page.getByRole('option', { name: /^自动/ }).getAttribute('value'));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Counts the requests of the list. */
function countLists(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/base/platformlist')) count += 1;
  });
  return () => count;
}

async function search(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: '平台名称' }).fill(name);
  await button(page, '查询').click();
}

test('filter, order, page, page size and record stand in the address, for a reload, the history and a second user', async ({ page, browser }) => {
  test.setTimeout(120_000);
  const errors = collectErrors(page);
  const lists = countLists(page);
  await openSignedIn(page, product, '/base/platform/index');
  await expect(rows(page).first()).toBeVisible();
  const size = await fitting(page);
  expect(size).toBeGreaterThanOrEqual(10);
  expect(await rows(page).count()).toBe(size);
  expect([readable(page), lists()]).toEqual(['/base/platform/index', 1]);

  await search(page, '晨麦');
  await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦');
  await page.getByRole('combobox', { name: '每页条数' }).selectOption('30');
  await expect(rows(page)).toHaveCount(30);
  await page
    .getByRole('columnheader', { name: /平台名称/ })
    .getByRole('button')
    .first()
    .click();
  await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&sort=name&size=30');
  await expect.poll(async () => (await names(page))[0]).toBe('晨麦01');
  await button(page, '第 2 页').click();
  await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&sort=name&page=2&size=30');
  await expect(rows(page)).toHaveCount(15);
  const opened = records.find(({ name }) => name === '晨麦33');
  await actOn(page.getByRole('row', { name: /晨麦33/ }), '编辑');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: '平台名称' })).toHaveValue('晨麦33');
  const address = `/base/platform/index?name=晨麦&sort=name&page=2&size=30&record=${opened?.id}&mode=edit`;
  await expect.poll(() => readable(page)).toBe(address);
  expect(lists()).toBe(5);

  await test.step('a reload shows the list and the record, with one request of the list', async () => {
    await page.reload();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: '平台名称' })).toHaveValue('晨麦33');
    await expect(rows(page)).toHaveCount(15);
    expect([readable(page), lists(), (await names(page))[0]]).toEqual([address, 6, '晨麦31']);
  });

  await test.step('a second user who opens the link sees the same', async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    const { pathname, search } = new URL(page.url());
    const theirLists = countLists(other);
    await openSignedIn(other, product, pathname + search, 'reader', password);
    await expect(other.getByRole('dialog').getByRole('textbox', { name: '平台名称' })).toHaveValue('晨麦33');
    expect([await names(other), theirLists()]).toEqual([await names(page), 1]);
    await context.close();
  });

  await test.step('going back closes the record and undoes one change of the list at a time; going forward repeats them', async () => {
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&sort=name&page=2&size=30');
    await page.goBack();
    await expect(rows(page)).toHaveCount(30);
    await page.goBack();
    await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&size=30');
    await page.goBack();
    await expect(rows(page)).toHaveCount(await fitting(page));
    await page.goBack();
    await expect.poll(() => readable(page)).toBe('/base/platform/index');
    await expect(page.getByRole('textbox', { name: '平台名称' })).toHaveValue('');
    for (let step = 0; step < 5; step += 1) await page.goForward();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: '平台名称' })).toHaveValue('晨麦33');
    expect(readable(page)).toBe(address);
  });

  await test.step('going back asks before unsaved input is lost', async () => {
    await page.getByRole('dialog').getByRole('textbox', { name: '平台名称' }).fill('晨麦三三');
    await page.goBack();
    await button(page, '继续编辑').click();
    await expect(button(page, '继续编辑')).toHaveCount(0);
    await expect.poll(() => readable(page)).toBe(address);
    await expect(page.getByRole('dialog').getByRole('textbox', { name: '平台名称' })).toHaveValue('晨麦三三');
    await page.goBack();
    await button(page, '放弃修改').click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&sort=name&page=2&size=30');
  });

  await test.step('closing a record by its button leaves the list in its state', async () => {
    await actOn(rows(page).first(), '查看');
    await expect.poll(() => readable(page)).toMatch(/page=2&size=30&record=\d+$/);
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
    await expect.poll(() => readable(page)).toBe('/base/platform/index?name=晨麦&sort=name&page=2&size=30');
  });
  expect(errors).toEqual([]);
});

test('tabs keep their own addresses, inner tabs have one, and recent pages have filters in words', async ({ page }) => {
  test.setTimeout(120_000);
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/base/platform/index');
  await expect(rows(page).first()).toBeVisible();
  await search(page, '其他');
  await expect(rows(page)).toHaveCount(1);
  const lists = countLists(page);

  await test.step('an inner tab stands in the address', async () => {
    const navigation = page.getByRole('navigation', { name: '主导航' });
    await page.goto(`${product.address}/dev/kernel`);
    await button(page, '事件').click();
    await expect.poll(() => readable(page)).toContain('?tab=events');
    await page.reload();
    await expect(button(page, '事件')).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await expect(button(page, '插件')).toHaveAttribute('aria-pressed', 'true');
    await page.goForward();
    await expect(button(page, '事件')).toHaveAttribute('aria-pressed', 'true');
    await expect(navigation).toBeVisible();
  });

  await test.step('the menu returns to a list in the state in which it was left', async () => {
    const navigation = page.getByRole('navigation', { name: '主导航' });
    await navigation.getByRole('button', { name: '基础配置' }).click();
    await navigation.getByRole('link', { name: '投放平台' }).click();
    await expect(rows(page)).toHaveCount(1);
    expect(readable(page)).toBe('/base/platform/index?name=其他');
    expect(lists()).toBe(1);
    // The words of the filters follow the rows.
    await expect(page.getByRole('list', { name: '生效的条件' })).toContainText('平台名称: 其他');
  });

  await test.step('recent pages name the page and its filters, in either language', async () => {
    await page.goto(`${product.address}/wel/index`);
    await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('option', { name: /投放平台/ }).first();
    await expect(recent).toContainText('平台名称: 其他');
    await recent.click();
    await expect(rows(page)).toHaveCount(1);
  });
  expect(errors).toEqual([]);
});

test('a link to a missing record and a filter that does not apply say so and show the list', async ({ page }) => {
  await openSignedIn(page, product, '/base/platform/index?record=999&link_pattern=x&code=other');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('链接中的记录不存在，或您没有权限查看。')).toBeVisible();
  await expect(page.getByText('链接中的以下条件无法应用，已忽略：链接规则')).toBeVisible();
  await expect.poll(() => readable(page)).toBe('/base/platform/index?code=other');
});

test('in English, filters and recent pages have English words', async ({ page }) => {
  const address = '/base/platform/index?name=晨麦&code.likeright=morning-4&sort=-name';
  await openSignedIn(page, product, address);
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.reload();
  await expect(rows(page)).toHaveCount(7);
  expect([readable(page), (await names(page))[0]]).toEqual([address, '晨麦45']);
  await expect(page.getByRole('list', { name: 'Active conditions' })).toContainText('Name: 晨麦');
  await page.goto(`${product.address}/wel/index`);
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /Platforms/ }).first()).toContainText('Name: 晨麦');
});
