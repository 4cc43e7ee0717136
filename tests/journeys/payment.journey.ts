import { createHash, randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { expect, type Page, test } from '@playwright/test';
import pg from 'pg';
import { expectNoViolations } from './axe.ts';
import { collectErrors, countClicks, openSignedIn } from './console.ts';
import { inDatabase, PayingOffice, ripe } from './paying-office.ts';
import { Product } from './product.ts';
import { openTaskFloor } from './task-staff.ts';

const password = 'Four-Eyes-2026';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rows = (page: Page) => page.locator('tr[data-row]');

test('work is approved, paid in a batch, approved by another user, paid, booked and reconciled', async ({ page, browser }) => {
  const product = new Product({}, ['--import', './tests/journeys/fast-clock.mjs', 'scripts/serve.mjs', 'dist/server/main.js']);
  const errors = collectErrors(page);
  try {
    await product.start();
    const floor = await openTaskFloor(product);
    await floor.admin.post('/api/things-task/payment-limit/submit', { approvalAbove: 0, lowFunds: 0, publishingBeyondFunds: 'refuse' });
    await floor.admin.post('/api/things-task/ledger/submit', { advertiserId: floor.parts.advertiserId, amount: 10_000 });
    const taskId = await floor.publish();
    const proofs = [await floor.handIn(taskId), await floor.handIn(taskId)] as [string, string];
    await openSignedIn(page, product, '/task/audit/index');
    for (const proof of proofs) {
      await expect(page.locator('section[data-item]')).toHaveAttribute('data-item', proof);
      await page.keyboard.press('a');
    }
    await expect(page.getByText('队列已清空')).toBeVisible();
    // Decisions that are still being sent are completed although the page is left.
    await page.goto('about:blank');
    const approved = async () =>
      (await floor.admin.get('/api/things-task/task/getRecordList')).data.records.filter((one: { auditStatus: number }) => one.auditStatus === 1);
    await expect.poll(async () => (await approved()).length).toBe(2);
    await product.stop();
    // Simulates a minute passing, a linked wallet, a new approver, and a payment of the provider that the product did not request.
    await inDatabase(product, `${ripe}; ${await hired('checker')}; insert into sandbox_bill (pay_no, amount) values ('BYHAND', 900)`);
    await product.start();

    const clicks = await countClicks(page);
    await page.goto(`${product.address}/task/pay/index`);
    await expect(rows(page)).toHaveCount(2);
    await page
      .getByRole('columnheader')
      .filter({ has: page.getByRole('checkbox', { name: '选择本页全部' }) })
      .click();
    await button(page, '批量付款').click();
    await page.getByRole('dialog').getByRole('button', { name: '付款', exact: true }).click();
    await expect(page.getByText('金额超过免复核额度，等待他人复核')).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
    expect(clicks()).toBe(3);

    const second = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
    // The requester sees the run, and cannot approve it.
    await page.goto(`${product.address}/task/run/index`);
    await expect(page.getByRole('row', { name: /待复核/ })).toContainText('¥10.00');
    await expect(button(page, '复核通过')).toHaveCount(0);
    const decisions = await countClicks(second);
    await openSignedIn(second, product, '/task/run/index', 'checker', password);
    await button(second, '复核通过').click();
    const question = second.getByRole('dialog', { name: '复核通过' });
    await expect(question).toContainText('2 笔，共 ¥10.00？收款 1 人');
    await expectNoViolations(second, 'the question before a run is approved');
    await question.getByRole('button', { name: '复核通过', exact: true }).click();
    await expect(second.getByText('已复核，付款处理中')).toBeVisible();
    expect(decisions()).toBe(2);
    await second
      .getByRole('row', { name: /付款中|已完成/ })
      .getByRole('button', { name: /^B\d+/ })
      .click();
    await expect(second.getByRole('table', { name: '广告主构成' })).toContainText('¥10.00');
    await second.getByRole('link', { name: '查看全部付款单' }).click();
    await expect(second).toHaveURL(/batchNo=B/);
    await expect(async () => {
      // The product queries the sandbox again after half a minute.
      product.hurry();
      await button(second, '刷新').click();
      await expect(second.getByRole('row', { name: /已付.*沙箱/ })).toHaveCount(2, { timeout: 2000 });
    }).toPass();
    await second.close();

    await page.goto(`${product.address}/task/ledger/index`);
    await expect(page.getByRole('row', { name: /付款成功/ })).toHaveCount(4);
    await button(page, '核对账目').click();
    await expect(page.getByText('账目平衡')).toBeVisible();

    await page.goto(`${product.address}/task/reconciliation/index`);
    await button(page, '核对某日').click();
    const { data } = await floor.admin.get('/api/things-task/ledger/list', { size: 1 });
    const today = data.records[0].createTime.slice(0, 10);
    await page.getByRole('dialog').getByRole('textbox', { name: '账单日' }).fill(today);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '核对', exact: true }).click();
    const day = page.getByRole('row', { name: new RegExp(today) });
    await expect(day).toContainText('未结束');
    await day.getByRole('button', { name: '差异', exact: true }).click();
    const panel = page.getByRole('dialog', { name: `${today} 的差异` });
    const difference = panel.getByRole('row', { name: /BYHAND/ });
    await expect(difference).toContainText('仅渠道存在');
    await expectNoViolations(page, 'what differs on a day');
    await difference.getByRole('button', { name: '关闭', exact: true }).click();
    await page.getByRole('textbox', { name: '处理说明' }).fill('在商户平台手工付款');
    await page.getByRole('dialog', { name: '关闭差异' }).getByRole('button', { name: '关闭', exact: true }).last().click();
    await expect(difference).toContainText('已关闭');
    await panel.press('Escape');
    const compared = await floor.admin.get('/api/things-task/reconciliation/list', { day_equal: today });
    // The day has not ended, so its whole statement is still awaited.
    expect(compared.data.records).toMatchObject([{ state: 0, differences: 1, open: 0 }]);
    expect(errors).toEqual([]);
  } finally {
    await product.discard();
  }
});

test('fifty requests for one piece of work at two servers create one bill, one ledger entry and one payment', async () => {
  const server = process.env.TEST_DATABASE_URL ?? '';
  test.skip(server === '', 'Two processes share a database only where there is a PostgreSQL.');
  const name = `marquee_test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await onServer(server, `create database ${name}`);
  const environment = {
    DATABASE_URL: url,
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: randomBytes(36).toString('base64'),
  };
  const office = new PayingOffice();
  let beside: Product | undefined;
  try {
    await office.open(environment);
    beside = office.beside(environment);
    await beside.start();
    const [id] = await office.prepare(1);
    await onServer(url, ripe);
    const clients = [await office.product.signIn(), await beside.signIn()] as const;
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => clients[index % 2 === 0 ? 0 : 1].post('/api/things-task/weixinpay', { id })));
    expect(replies.map(({ code }) => code)).toEqual(Array(50).fill(200));
    const [payNo, ...others] = new Set(replies.map(({ data }) => data.payNo));
    expect(others).toEqual([]);
    await expect
      .poll(async () => (await clients[1].get('/api/things-task/weixinpay/list')).data.records, { timeout: 30_000 })
      .toMatchObject([{ payNo, state: 2 }]);
    expect([...office.wechat.bills.keys()]).toEqual([payNo]);
    expect(
      await onServer(url, `select count(*)::integer as all, count(distinct entry_id)::integer as entries from ledger_posting where pay_no = '${payNo}'`),
    ).toEqual([{ all: 4, entries: 2 }]);
    expect(await onServer(url, `select count(*)::integer as set_aside from ledger_posting where kind = 3 and account = 1`)).toEqual([{ set_aside: 1 }]);
  } finally {
    await beside?.discard();
    await office.close();
    await onServer(server, `drop database if exists ${name} with (force)`);
  }
});

async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Creates a user who approves the payments that others request. */
async function hired(account: string): Promise<string> {
  const stored = await hash(createHash('md5').update(password).digest('hex'));
  return `
    with new_user as (
      insert into user_account (tenant_id, account, password_hash, name, real_name) values ('000000', '${account}', '${stored}', '复核员', '复核员') returning id
    ), new_role as (
      insert into role (tenant_id, role_name, role_alias) values ('000000', '复核', '${account}') returning id
    ), granted as (
      insert into role_menu (tenant_id, role_id, menu_id) select '000000', new_role.id, menu.id from new_role, menu where code in ('task', 'payout', 'payout_approve', 'payment_run', 'payment_run_view')
    )
    insert into user_role (tenant_id, user_id, role_id) select '000000', new_user.id, new_role.id from new_user, new_role`;
}
