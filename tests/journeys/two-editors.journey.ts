import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { type Client, type Product, sharedProduct } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

test.describe.configure({ mode: 'serial' });

const colleague = { account: `lisi-${Date.now().toString(36)}`, password: 'Second-Editor-2026' };

let product: Product;
let floor: TaskFloor;
let mine: Page;
let theirs: Page;
let contexts: BrowserContext[];
let errors: string[];

/** Creates a second administrator and changes the first password. */
async function hireColleague(admin: Client): Promise<void> {
  const { data } = await sent(admin.get('/api/oms-system/user/userlist', { account_equal: 'admin' }));
  const { roleId } = data.records[0];
  const first = 'First-Day-2026';
  await sent(
    admin.post('/api/oms-system/user/submit', { account: colleague.account, password: first, name: '李四', realName: '李四', phone: '13800000003', roleId }),
  );
  const client = await product.signIn(colleague.account, first);
  const { password } = colleague;
  await sent(client.post('/api/oms-system/user/update-password', { oldPassword: first, newPassword: password, newPassword1: password }));
}

test.beforeAll(async ({ browser }) => {
  product = await sharedProduct();
  floor = await openTaskFloor(product);
  await hireColleague(floor.admin);
  contexts = [await browser.newContext(), await browser.newContext()];
  [mine, theirs] = (await Promise.all(contexts.map((context) => context.newPage()))) as [Page, Page];
  errors = [...collectErrors(mine), ...collectErrors(theirs)];
});
test.afterAll(async () => {
  for (const context of contexts) await context.close();
  expect(errors).toEqual([]);
});

const draft = async (title: string) => {
  const form = { title, requirement: '视频里出现招牌\n时长不少于 15 秒', unitPrice: 500, quantity: 1000, perUserLimit: 0, draft: 1, ...floor.parts };
  return (await sent(floor.admin.post('/api/things-task/task/submit', form))).data.id as string;
};
const taskOf = async (id: string) => (await sent(floor.admin.get('/api/things-task/task/detail', { id }))).data;

/** Opens the form of the task in both browsers. */
async function openBoth(title: string): Promise<void> {
  await openSignedIn(mine, product, '/task/list/index');
  await openSignedIn(theirs, product, '/task/list/index', colleague.account, colleague.password);
  for (const page of [mine, theirs]) await openForm(page, title);
}

async function openForm(page: Page, title: string, button = '编辑'): Promise<void> {
  await actOn(page.locator('tr[data-row]', { hasText: title }).first(), button);
  await expect(field(page, 'title').locator('input')).toHaveValue(title);
  await expect(page.locator('form.crud-form')).toHaveAttribute('aria-busy', 'false');
}

const field = (page: Page, name: string) => page.locator(`[data-field=${name}]`);
const enter = (page: Page, name: string, text: string) => field(page, name).locator('input, textarea').first().fill(text);
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: '保存', exact: true }).click();
}
const panel = (page: Page) => page.getByRole('dialog', { name: '合并修改' });

test('the second of two saves of a field shows both values, and the chosen one is saved', async () => {
  const title = `同时编辑 ${Date.now()}`;
  const id = await draft(title);
  await openBoth(title);
  await enter(theirs, 'unitPrice', '6');
  await save(theirs);
  await expect(theirs.getByText('更新成功')).toBeVisible();
  await enter(mine, 'unitPrice', '7');
  await save(mine);
  await expect(panel(mine)).toContainText('李四');
  const price = panel(mine).getByRole('region', { name: '单价' });
  await expect(price).toContainText('¥7.00');
  await expect(price).toContainText('¥6.00');
  await expect(price).toContainText('¥5.00');
  await expect(panel(mine).getByRole('button', { name: '保存合并结果' })).toBeDisabled();
  // The keyboard alone is enough.
  await price.getByRole('radio', { name: /李四 的修改/ }).focus();
  await mine.keyboard.press('Space');
  await panel(mine).getByRole('button', { name: '保存合并结果' }).press('Enter');
  await expect(mine.getByRole('dialog')).toBeHidden();
  expect((await taskOf(id)).unitPrice).toBe(600);
});

test('changes of different fields are both kept', async () => {
  const title = `不同字段 ${Date.now()}`;
  const id = await draft(title);
  await openBoth(title);
  await enter(theirs, 'unitPrice', '6');
  await save(theirs);
  await expect(theirs.getByText('更新成功')).toBeVisible();
  await enter(mine, 'quantity', '20');
  await save(mine);
  await expect(panel(mine)).toContainText('双方修改了不同的内容，均已保留。');
  await panel(mine).getByRole('button', { name: '保存合并结果' }).click();
  await expect(mine.getByRole('dialog')).toBeHidden();
  expect(await taskOf(id)).toMatchObject({ unitPrice: 600, quantity: 20 });
});

test('an open form says who else edits the record, and who has saved it meanwhile', async () => {
  const title = `谁在编辑 ${Date.now()}`;
  const id = await draft(title);
  await openBoth(title);
  await expect(mine.getByText('李四 正在编辑')).toBeVisible();
  await enter(mine, 'quantity', '20');
  await enter(theirs, 'unitPrice', '6');
  await save(theirs);
  await expect(mine.getByText(/^李四 于 \d\d:\d\d 保存了此记录。$/)).toBeVisible();
  await expect(mine.getByText('李四 正在编辑')).toBeHidden();
  await mine.getByRole('button', { name: '查看修改' }).click();
  await expect(panel(mine).getByRole('region', { name: '单价' })).toContainText('¥6.00');
  await panel(mine).getByRole('button', { name: '应用到表单' }).click();
  await expect(field(mine, 'unitPrice').locator('input')).toHaveValue('6.00');
  await expect(mine.getByText(/保存了此记录/)).toBeHidden();
  await save(mine);
  await expect(mine.getByRole('dialog')).toBeHidden();
  expect(await taskOf(id)).toMatchObject({ unitPrice: 600, quantity: 20 });
});

test('a bulk edit reports the rows that another user has changed, to be edited again or skipped', async () => {
  const mark = Date.now().toString(36);
  const add = async (name: string) =>
    (await sent(floor.admin.post('/api/oms-system/base/addadvertiser', { name, contact_name: '王小麦', contact_phone: '13800000001' }))).data.id as string;
  const ids = [await add(`甲 ${mark}`), await add(`乙 ${mark}`), await add(`丙 ${mark}`)];
  await openSignedIn(mine, product, '/base/advertiser/index');
  for (const name of ['甲', '乙', '丙'])
    await mine
      .locator('tr[data-row]', { hasText: `${name} ${mark}` })
      .getByRole('checkbox')
      .check({ force: true });
  await mine.getByRole('button', { name: '批量编辑' }).click();
  const colleagueClient = await product.signIn(colleague.account, colleague.password);
  for (const id of ids.slice(1)) await sent(colleagueClient.post('/api/oms-system/base/addadvertiser', { id, contact_name: '李小米' }));
  const dialog = mine.getByRole('dialog');
  await dialog.getByText('联系人', { exact: true }).click();
  await dialog.getByRole('textbox', { name: '联系人' }).fill('赵大麦');
  await dialog.getByRole('button', { name: '应用' }).click();
  await expect(mine.getByText('已修改 1 条')).toBeVisible();
  await expect(mine.getByRole('dialog', { name: '2 条数据已被他人修改，尚未更新' })).toBeVisible();
  const item = (name: string) =>
    mine
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: `${name} ${mark}` });
  await expect(item('乙')).toContainText(/李四 于 \d\d:\d\d 修改/);
  await item('乙').getByRole('button', { name: '仍按所填内容修改' }).click();
  await expect(item('乙')).toBeHidden();
  await item('丙').getByRole('button', { name: '跳过' }).click();
  await expect(mine.getByRole('dialog')).toBeHidden();
  const contacts = await Promise.all(ids.map(async (id) => (await sent(floor.admin.get('/api/oms-system/base/advertiser/detail', { id }))).data.contact_name));
  expect(contacts).toEqual(['赵大麦', '赵大麦', '李小米']);
});

test('lines of a text that both have changed are merged, in English too', async () => {
  const title = `文字合并 ${Date.now()}`;
  const id = await draft(title);
  await openBoth(title);
  await enter(theirs, 'requirement', '视频里出现招牌和店名\n时长不少于 15 秒');
  await save(theirs);
  await expect(theirs.getByText('更新成功')).toBeVisible();
  await enter(mine, 'requirement', '视频里出现招牌\n时长不少于 15 秒\n横屏');
  await mine.getByRole('button', { name: /^账户/ }).dispatchEvent('click');
  await mine.getByRole('menuitem', { name: 'English' }).dispatchEvent('click');
  await mine.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = mine.getByRole('dialog', { name: 'Merge changes' });
  await expect(dialog).toContainText('李四 saved this record');
  await expect(dialog.getByRole('radio', { name: /Both changes merged/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Save merged record' }).click();
  await expect(mine.getByRole('dialog')).toBeHidden();
  expect((await taskOf(id)).requirement).toBe('视频里出现招牌和店名\n时长不少于 15 秒\n横屏');
});
