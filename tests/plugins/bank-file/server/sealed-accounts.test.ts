import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins as deployed } from '#deployment/server';
import { accountMask } from '#plugins/payment/contract';
import type { Database } from '../../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTestDatabase } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

/** First migrations with encrypted accounts. */
const sealing: Readonly<Record<string, string>> = { payment: '0019', 'bank-file': '0002' };
const base = ['settings', 'dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment', 'bank-file'];
const released = base.map((id) => {
  const { plugin, migrations } = deployed.find((entry) => entry.plugin.id === id) as (typeof deployed)[number];
  return { plugin, migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < (sealing[id] ?? '9'))) };
});
const phone = '13800000002';
const gateway = new ScriptedGateway();
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let server: TestServer;

/** Data of the release before, with accounts in the clear: a payout to send, one to WeChat, 450 that have failed, and a file with lines. */
async function fillReleased(db: Database): Promise<void> {
  const run = (statement: string) => db.asPlatform('fills a database of an earlier release', () => db.sql.execute(sql.raw(statement)));
  await run("insert into advertiser (id, tenant_id, name, contact_name, contact_phone) values (1001, '000000', '面包店', '王', '13800000001')");
  await run(`insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, claimed, submitted, passed, advertiser_id, requirement, draft, status)
    values (1, '000000', '拍面包', 1, 1, 1, 500, 10, 3, 3, 3, 1001, '要', 0, 2)`);
  await run(`insert into task_submission (id, tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, audit_status, pay_status)
    select id, '000000', 1, '拍面包', 50, '小王', now(), 500, 1, 0 from generate_series(11, 13) id`);
  const columns =
    'tenant_id, pay_no, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, requester_name, account_kind, account, next_try';
  const row = (payNo: string, submission: number, state: number, account: string, nextTry = 'now()') =>
    `'000000', ${payNo}, 'B1', ${submission}, 1, '拍面包', 1001, 50, '小王', 'wallet', 500, ${state}, '出纳', ${account}, ${nextTry}`;
  await run(
    `insert into payout (${columns}) values (${row("'P-due'", 11, 1, `2, '${phone}'`, "now() + interval '1 hour'")}), (${row("'P-wechat'", 12, 2, '1, null')})`,
  );
  await run(`insert into payout (${columns}) select ${row("'P' || n", 13, 3, "3, lpad(n::text, 8, '0')")} from generate_series(1, 450) n`);
  await run("insert into bank_account (id, tenant_id, name, bank, account) values (1, '000000', '基本户', '工商银行', '1202020011')");
  await run("insert into bank_file (id, tenant_id, run_no, bank_account_id) values (1, '000000', 'B1', 1)");
  await run(`insert into bank_file_line (tenant_id, file_id, pay_no, name, account, amount)
    values ('000000', 1, 'P1', '安', '12', 500), ('000000', 1, 'P2', '本', '6222020200112233445', 500)`);
}

beforeAll(async () => {
  database = await openTestDatabase({ kernelMigrations, installed: released });
  await fillReleased(database.db);
  server = await openTestServer({ db: database.db, timeScale: 60, plugins: [...base.filter((id) => id !== 'payment'), paymentWith({ gateway })] });
  await server.createUser({ account: 'finance', codes: ['bank_file', 'bank_file_download', 'bank_file_line', 'payout'] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const plainOnes = () =>
  server.sql(`select pay_no from payout where account not like 'sealed:%' union all select pay_no from bank_file_line where account not like 'sealed:%'`);

test('accounts of an earlier release are encrypted after an upgrade, and lists show at most their last four characters', async () => {
  await expect.poll(plainOnes, { timeout: 20_000, interval: 200 }).toEqual([]);
  const stored = await server.sql(
    'select pay_no as no, account, account_mask as mask from payout union all select pay_no, account, account_mask from bank_file_line',
  );
  const text = JSON.stringify(stored);
  for (const secret of [phone, '00000450', '6222020200112233445']) expect(text).not.toContain(secret);
  const payouts = await server.sql("select pay_no as no, account, account_mask as mask from payout where pay_no in ('P-due', 'P-wechat', 'P450') order by 1");
  expect(payouts.map(({ no, mask }) => [no, mask])).toEqual(
    [
      ['P450', '****0450'],
      ['P-due', '****0002'],
      ['P-wechat', null],
    ].sort(),
  );
  const opened = payouts.flatMap(({ account }) => (account === null ? [] : [database.db.encryption.decrypt(String(account))]));
  expect(opened.sort()).toEqual(['00000450', phone]);
});

test('an encrypted account is opened when its payout is sent and when its file is written', async () => {
  await server.sql("update payout set next_try = now() where pay_no = 'P-due'");
  await expect.poll(() => gateway.sent.map(({ payNo, account }) => [payNo, account.account]), { timeout: 20_000, interval: 100 }).toEqual([['P-due', phone]]);
  const headers = await server.signIn('finance');
  const { data } = await server.post('/api/things-task/bank-file/download', { id: '1' }, { headers });
  expect(data.content).toContain('"P1","安","12"');
  expect(data.content).toContain('"P2","本","6222020200112233445"');
  const lines = await server.get('/api/things-task/bank-file-line/list', { headers });
  expect(lines.data.records.map(({ accountMask }: { accountMask: string }) => accountMask).sort()).toEqual(['****2', '****3445']);
});

test('a stored account never changes, neither its number nor what lists show of it', async () => {
  for (const change of [
    "update payout set account = '13800000003' where pay_no = 'P-due'",
    "update payout set account = 'sealed:00000000:abc' where pay_no = 'P-due'",
    "update payout set account_mask = '****9999' where pay_no = 'P-due'",
    "update payout set account_kind = 2, account = 'sealed:00000000:abc' where pay_no = 'P-wechat'",
    "update bank_file_line set account = '6222' where pay_no = 'P2'",
    "update bank_file_line set account = 'sealed:00000000:abc' where pay_no = 'P2'",
    "update bank_file_line set account_mask = '' where pay_no = 'P2'",
  ])
    await expect(server.sql(change), change).rejects.toThrow();
});

test('a mask has the last four characters at most, and never more than half', () => {
  expect(['', '1', '12', '123', '1234567', '12345678', phone, 'ann@example.com'].map(accountMask)).toEqual([
    '****',
    '****',
    '****2',
    '****3',
    '****567',
    '****5678',
    '****0002',
    '****.com',
  ]);
});
