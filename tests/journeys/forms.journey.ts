import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { actOn, collectErrors, signInThroughPage } from './console.ts';
import { type Client, galleryProduct } from './product.ts';
import { fetchesSettled } from './transfers.ts';

test.describe.configure({ mode: 'serial' });

const product = galleryProduct();
let page: Page;
let client: Client;
let errors: string[];

test.beforeAll(async ({ browser }) => {
  await product.start();
  client = await product.signIn();
  page = await (await browser.newContext()).newPage();
  errors = collectErrors(page);
  await page.goto(`${product.address}/login`);
  await signInThroughPage(page);
});
test.afterAll(async () => {
  await page.context().close();
  await product.discard();
});

const field = (name: string) => page.locator(`[data-field=${name}]`);
const open = async (path: string) => {
  await page.goto(`${product.address}/gallery/${path}/index`);
  await page.getByRole('button', { name: '新增' }).first().click();
  await expect(field('content').getByRole('textbox')).toBeVisible();
};
const stored = async (code: string) => (await client.get('/api/gallery/specimen/list', { code_equal: code })).data.records[0];

test('a field of every kind is filled in by keyboard and mouse, and is stored unchanged', async () => {
  await open('specimen');
  await expect(field('code').locator('input')).toBeFocused();
  await page.keyboard.type('S-1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.5');
  await field('isPublic').getByRole('switch').press('Space');
  await field('tags').getByText('稀有').click();
  await field('phone').locator('input').fill('13800138000');
  await field('madeOn').locator('input').fill('2026-01-31');
  await page.keyboard.press('Enter');
  await field('regionCode').locator('.arco-cascader').click();
  await page.getByText('上海市', { exact: true }).click();
  await page.getByText('黄浦区', { exact: true }).click();
  await expect(field('regionCode').getByText('上海市 / 黄浦区')).toBeVisible();
  await field('content').getByRole('textbox').click();
  await page.keyboard.type('一段正文');
  await field('settings').locator('[contenteditable=true]').click();
  await page.keyboard.type('{"a":1}');
  await field('schedule').getByRole('combobox').click();
  await page.getByRole('option', { name: '每天' }).click();
  await expect(field('schedule').getByRole('listitem')).toHaveCount(10);
  await field('papers')
    .locator('input[type=file]')
    .setInputFiles({ name: '合同.txt', mimeType: 'text/plain', buffer: Buffer.from('条款一') });
  await expect(field('papers').getByRole('button', { name: '合同.txt', exact: true })).toBeVisible();
  await field('code').locator('input').press('Control+Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await stored('S-1')).toMatchObject({
    price: 1250,
    isPublic: true,
    tags: ['rare'],
    phone: '138****8000',
    madeOn: '2026-01-31',
    regionCode: '3101',
    content: '<p>一段正文</p>',
    settings: '{"a":1}',
    schedule: '0 0 8 * * ?',
    papers: [expect.stringContaining(encodeURIComponent('合同.txt'))],
  });
  expect(await stored('S-1')).not.toHaveProperty('accessKey');
});

test('a day is picked with the mouse, and no calendar is cut off by the form', async () => {
  await open('specimen');
  const input = field('madeOn').locator('input');
  await input.click();
  const days = page.locator('.arco-picker-cell-in-view');
  await expect(days.first()).toBeInViewport({ ratio: 1 });
  await expect(days.last()).toBeInViewport({ ratio: 1 });
  await days.getByText('15', { exact: true }).click();
  await expect(input).toHaveValue(/-15$/);
  await expect(days).toHaveCount(0);
});

test('fields depend on other fields, and a refusal of the server is shown at its field', async () => {
  await open('specimen-drawer');
  await expect(field('address')).toBeHidden();
  await field('way').getByText('快递').click();
  await expect(field('address')).toBeVisible();
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByRole('region', { name: '有 3 处需要修改' }).getByRole('button', { name: '请输入收货地址' }).click();
  await expect(field('address').locator('input')).toBeFocused();
  await page.keyboard.type('人民路1号');
  await field('code').locator('input').fill('S-1');
  await field('price').locator('input').fill('3');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(field('code').getByText('编码已存在')).toBeVisible();
  await expect(field('code').locator('input')).toBeFocused();
  await field('code').locator('input').fill('S-2');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await stored('S-2')).toMatchObject({ way: 2, address: '人民路1号' });
});

test('records are paged, copied as new, and a draft is offered after a reload', async () => {
  await page.goto(`${product.address}/gallery/specimen-page/index`);
  const row = page.getByRole('row', { name: /S-2/ });
  await actOn(row, '编辑');
  await expect(field('code').locator('input')).toHaveValue('S-2');
  await page.getByRole('button', { name: '下一条' }).click();
  await expect(field('code').locator('input')).toHaveValue('S-1');
  await page.getByRole('button', { name: '复制为新数据' }).click();
  await expect(field('code').locator('input')).toHaveValue('S-1');
  await field('code').locator('input').fill('S-3');
  const isDraftStored = () => page.evaluate(() => Object.entries(sessionStorage).some(([name, value]) => name.includes('draft:') && value.includes('S-3')));
  await expect.poll(isDraftStored).toBe(true);
  page.once('dialog', (leaving) => void leaving.accept());
  await page.reload();
  await page.getByRole('button', { name: '继续填写' }).click();
  await expect(field('code').locator('input')).toHaveValue('S-3');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByRole('row', { name: /S-3/ })).toBeVisible();
  expect(await stored('S-3')).toMatchObject({ price: 1250, schedule: '0 0 8 * * ?' });
  // Eight more rows push the first one to the second page.
  for (let number = 4; number <= 11; number++) await client.post('/api/gallery/specimen/submit', { code: `S-${number}`, price: 1, way: 1 });
  await page.getByRole('combobox', { name: '每页条数' }).selectOption('10');
  await page.getByRole('button', { name: '刷新' }).click();
  await actOn(page.getByRole('row', { name: /S-2 / }), '编辑');
  await expect(page.getByText('第 10 / 11 条')).toBeVisible();
  await page.getByRole('button', { name: '下一条' }).click();
  await expect(field('code').locator('input')).toHaveValue('S-1');
  await expect(page.getByText('第 11 / 11 条')).toBeVisible();
  await field('code').locator('input').press('Escape');
  await expect(page.getByRole('button', { name: '第 2 页' })).toHaveAttribute('aria-current', 'page');
});

test('the focus is never behind the buttons of a form; axe finds nothing in one of every kind, and the page stays within its policy', async () => {
  await open('specimen');
  await page.setViewportSize({ width: 1280, height: 600 });
  // Controls that are loaded on demand would move the focused one.
  await fetchesSettled(page);
  const isInSight = () => {
    const focused = document.activeElement;
    const { left, top, width, height } = (focused ?? document.body).getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && seen.closest('.crud-form__buttons') === focused?.closest('.crud-form__buttons');
  };
  for (let press = 0; press < 20; press++) {
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(isInSight), `after ${press + 1} × Tab`).toBe(true);
  }
  const { violations } = await new AxeBuilder({ page }).include('.crud-dialog').analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
  expect(errors.filter((error) => /Content Security Policy|TypeError/.test(error))).toEqual([]);
});
