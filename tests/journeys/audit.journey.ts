import { expect, type Page, test } from '@playwright/test';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { actOn, collectErrors, countClicks, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { hireByMiniProgram, openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

// The journey needs a queue of its own, which it empties, and a clock of its own, since payment starts only after an auditor's time to undo is over.
let wechat: ScriptedProvider;
let product: Product;
let floor: TaskFloor;

test.beforeAll(async () => {
  wechat = await startScriptedProvider();
  wechat.on('/session', ({ query }) => ({ body: JSON.stringify({ openid: `openid-of-${query.js_code}`, session_key: 'a2V5' }) }));
  const endpoints = { wechat_mini_program: { token: `${wechat.origin}/session` } };
  product = new Product({ SOCIAL_ENDPOINTS: JSON.stringify(endpoints) }, [
    '--import',
    './tests/journeys/fast-clock.mjs',
    'scripts/serve.mjs',
    'dist/server/main.js',
  ]);
  await product.start();
  floor = await openTaskFloor(product, hireByMiniProgram);
});
test.afterAll(async () => {
  await product.discard();
  await wechat.stop();
});

const bench = (page: Page) => page.locator('section[data-item]');
const shows = (page: Page, id: string) => expect(bench(page)).toHaveAttribute('data-item', id);

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string) => dialog(page).locator(`[data-field=${name}]`);
/** Chooses an option of a picker with the keyboard. */
const pick = async (page: Page, name: string, title: string) => {
  const picker = field(page, name).getByRole('combobox');
  await picker.focus();
  await picker.pressSequentially(title);
  await expect(page.getByRole('option', { name: new RegExp(title) }).first()).toBeVisible();
  await picker.press('Enter');
  await expect(field(page, name)).toContainText(title);
};

test('an advertiser’s task is written, published, claimed in the mini-program, audited by keyboard, paid, and shown in ledger and figures', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const title = `招牌视频 ${Date.now()}`;
  const { advertiserId } = floor.parts;
  await sent(floor.admin.post('/api/things-task/ledger/submit', { advertiserId, amount: 5000 }));

  const clicks = await countClicks(page);
  await openSignedIn(page, product, '/task/list/index');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  await field(page, 'title').getByRole('textbox').fill(title);
  await pick(page, 'advertiserId', '面包店');
  await field(page, 'categoryId').getByRole('combobox').click();
  await page.getByRole('treeitem', { name: /探店/ }).first().click();
  await field(page, 'requirement').getByRole('textbox').fill('视频里出现招牌');
  await pick(page, 'platformId', '短视频');
  await pick(page, 'gradeId', '普通');
  for (const [name, value] of Object.entries({ unitPrice: '5', quantity: '3', perUserLimit: '0' })) await field(page, name).getByRole('spinbutton').fill(value);
  await expect(dialog(page).getByRole('status', { name: '预算' })).toHaveText('¥15.00');
  await dialog(page).getByRole('button', { name: '保存', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(title) });
  await expect(row).toContainText('待发布');
  await actOn(row, '发布');
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  await expect(row).toContainText('已发布');
  expect(clicks()).toBeLessThanOrEqual(7);
  const task = { id: (await row.getAttribute('data-row')) ?? '' };

  const proofs: string[] = [];
  for (const content of ['第一条', '第二条', '第三条']) proofs.push(await floor.handIn(task.id, { pictures: 2, content }));
  const [first, second, third] = proofs as [string, string, string];

  await page.goto(`${product.address}/task/audit/index`);
  await shows(page, first);
  await expect(bench(page)).toContainText('视频里出现招牌');
  await expect(page.getByRole('img', { name: '截图 1/2' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('img', { name: '截图 2/2' })).toBeVisible();
  await page.keyboard.press('a');
  await shows(page, second);
  await page.keyboard.press('1');
  await shows(page, third);
  await page.keyboard.press('u');
  await shows(page, second);
  await page.keyboard.press('r');
  await expect(page.getByRole('textbox', { name: '驳回原因' })).toBeFocused();
  await page.keyboard.type('看不清招牌');
  await page.keyboard.press('Enter');
  await shows(page, third);
  await page.keyboard.press('a');
  await expect(page.getByText('队列已清空')).toBeVisible();

  await page.goto(`${product.address}/task/record/index`);
  await expect(page.getByRole('row', { name: /看不清招牌/ })).toContainText('驳回');
  await expect(page.getByRole('row', { name: new RegExp(`${title}.*通过`) })).toHaveCount(2);
  const { data } = await floor.admin.get('/api/things-task/task/detail', { id: task.id });
  expect(data).toMatchObject({ claimed: 2, submitted: 2, passed: 2, status: 2 });

  product.hurry();
  await page.goto(`${product.address}/task/pay/index`);
  await expect(page.getByRole('row', { name: new RegExp(title) })).toHaveCount(2);
  await page.locator('thead .crud-table__choose').click();
  await page.getByRole('button', { name: '批量付款', exact: true }).click();
  await expect(dialog(page)).toContainText('确定付款 2 笔，共 ¥10.00？收款 1 人。');
  await dialog(page).getByRole('button', { name: '付款', exact: true }).click();
  await expect(page.getByRole('row', { name: new RegExp(title) })).toHaveCount(0);
  const bills = async () =>
    (await sent(floor.admin.get('/api/things-task/weixinpay/list'))).data.records as { providerNo: string | null; openid: string; state: number }[];
  await expect.poll(async () => (await bills()).filter(({ providerNo }) => providerNo).length).toBe(2);
  product.hurry();
  await expect.poll(async () => (await bills()).map(({ state }) => state)).toEqual([2, 2]);
  expect((await bills()).every(({ openid }) => openid.startsWith('openid-of-worker'))).toBe(true);

  await page.goto(`${product.address}/task/record/index`);
  await expect(page.getByRole('row', { name: new RegExp(`${title}.*已付`) })).toHaveCount(2);
  await page.goto(`${product.address}/task/ledger/index`);
  for (const [kind, count] of Object.entries({ 收款: 2, 付款: 4, 付款成功: 4 })) {
    await expect(page.getByRole('row', { name: new RegExp(` ${kind} `) })).toHaveCount(count);
  }
  const { data: postings } = await sent(floor.admin.get('/api/things-task/ledger/list', { size: 50 }));
  const sums = new Map<string, number>();
  for (const { entryId, amount } of postings.records) sums.set(entryId, (sums.get(entryId) ?? 0) + Number(amount));
  expect([...sums.values()]).toEqual([0, 0, 0, 0, 0]);
  expect((await sent(floor.admin.get('/api/things-task/ledger/check'))).data).toEqual([]);
  const { data: advertisers } = await sent(floor.admin.get('/api/oms-system/base/advertiserlist'));
  expect(advertisers.records.find(({ id }: { id: string }) => id === advertiserId)).toMatchObject({ balance: 4000 });

  await page.goto(`${product.address}/wel/dashboard`);
  for (const [figure, value] of Object.entries({ 今日通过: '2', 今日驳回: '1', 今日付款: '¥10.00', 待审核: '0', 待付款: '0' }))
    await expect(
      page
        .getByRole('listitem')
        .filter({ has: page.getByText(figure, { exact: true }) })
        .locator('strong'),
    ).toHaveText(value);
  await page.getByRole('switch', { name: /付款构成/ }).click();
  await expect(page.getByRole('row', { name: /面包店.*¥10\.00/ })).toBeVisible();
  expect(errors).toEqual([]);
});
