import { expect, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { actOn, collectErrors, countClicks, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent } from './task-staff.ts';

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const product = new Product();
test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

// The statement is that of the month, which begins earlier in the deployment's time zone than in others.
test.use({ timezoneId: 'Asia/Shanghai' });

test('an advertiser with money takes four clicks', async ({ page }) => {
  const clicks = await countClicks(page);
  await openSignedIn(page, product, '/base/advertiser/index');
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: /新增/ });
  for (const [label, value] of Object.entries({ name: '街角书店', contact_name: '周', contact_phone: '13800000003' }))
    await form.locator(`[data-field=${label}]`).getByRole('textbox').fill(value);
  await form.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByRole('button', { name: '登记收款', exact: true }).click();
  const receipt = page.getByRole('dialog', { name: '登记收款：街角书店' });
  await receipt.getByRole('spinbutton').fill('300');
  await receipt.getByRole('button', { name: '登记', exact: true }).click();
  await expect(page.getByRole('region', { name: '资金' })).toContainText('可用资金¥300.00');
  expect(clicks()).toBe(4);
});

test('an advertiser’s record says what is available; a receipt makes a task publishable, one that costs more is refused, and the statement is printed', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const floor = await openTaskFloor(product);
  const customer = { name: '河边咖啡', contact_name: '李', contact_phone: '13800000002' };
  const { data: advertiser } = await sent(floor.admin.post('/api/oms-system/base/addadvertiser', customer));
  const task = (title: string, unitPrice: number, quantity: number) => ({
    title,
    requirement: '出现招牌',
    unitPrice,
    quantity,
    perUserLimit: 0,
    ...floor.parts,
    advertiserId: advertiser.id,
  });
  for (const form of [task('早餐', 500, 3), task('晚餐', 1000, 1)]) await sent(floor.admin.post('/api/things-task/task/submit', form));

  await openSignedIn(page, product, `/base/advertiser/index?record=${advertiser.id}&mode=page`);
  const money = page.getByRole('region', { name: '资金' });
  await expect(money).toContainText('可用资金¥0.00');
  await page.getByRole('button', { name: '登记收款', exact: true }).click();
  const receipt = page.getByRole('dialog', { name: '登记收款：河边咖啡' });
  await receipt.getByRole('spinbutton').fill('20');
  await receipt.locator('input[type=file]').setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: pixel });
  await expect(receipt.getByText('slip.png')).toBeVisible();
  await expect(receipt.getByRole('progressbar')).toHaveCount(0);
  await receipt.getByRole('button', { name: '登记', exact: true }).click();
  await expect(money).toContainText('可用资金¥20.00');
  await expectNoViolations(page, 'the record of an advertiser');

  await page.goto(`${product.address}/task/list/index?advertiserId=${advertiser.id}`);
  await actOn(page.getByRole('row', { name: /早餐/ }), '发布');
  const publication = page.getByRole('dialog', { name: '发布任务' });
  await expect(publication).toContainText('¥5.00 × 3 = ¥15.00');
  await expect(publication).toContainText('发布后可用¥5.00');
  await expectNoViolations(page, 'the dialog before a publication');
  await publication.getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByRole('row', { name: /早餐/ })).toContainText('已发布');
  await actOn(page.getByRole('row', { name: /晚餐/ }), '发布');
  await expect(publication.getByRole('alert')).toContainText('「河边咖啡」的资金不足，不能发布');
  await expect(publication.getByRole('alert')).toContainText('还差 ¥5.00');
  await expect(publication.getByRole('button', { name: '发布', exact: true })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(publication).toBeHidden();

  await page.goto(`${product.address}/base/advertiser/index?record=${advertiser.id}&mode=page`);
  await expect(money).toContainText('已冻结¥15.00');
  await page.getByRole('tab', { name: /资金流水/ }).click();
  await expect(page.getByRole('row', { name: /收款 ¥20\.00 ¥20\.00/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /收款 ¥20\.00.*slip\.png/ })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { printed: true }) }));
  await page.getByRole('button', { name: '月度对账单' }).click();
  const panel = page.getByRole('dialog', { name: '月度对账单' });
  // The month of the deployment's time zone.
  const [month] = new Date(Date.now() + 8 * 3_600_000).toISOString().match(/^\d+-\d+/) ?? [];
  await panel
    .getByLabel('月份')
    .locator('input')
    .fill(month ?? '');
  await page.keyboard.press('Enter');
  await expect(page.locator('.arco-picker-body')).toBeHidden();
  await expect(panel.getByRole('region', { name: '河边咖啡' })).toContainText('期末余额¥20.00');
  await expectNoViolations(page, 'the statements of a month');
  await panel.getByRole('button', { name: '打印' }).click();
  await page.waitForFunction(() => 'printed' in window);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.print-sheet').getByRole('heading', { name: /河边咖啡/ })).toBeVisible();
  await expect(panel).toBeHidden();
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1000);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  await expect(page.locator('.print-sheet')).toHaveCount(0);
  expect(errors).toEqual([]);
});
