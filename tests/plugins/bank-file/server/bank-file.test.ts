import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds, PayeeAccounts } from '#plugins/payment/contract';
import { defineServerPlugin, filterHandler } from '#server';
import { scopedUser } from '../../../support/scoped-users.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';
const accountPath = '/api/things-task/bank-account';
const filePath = '/api/things-task/bank-file';
const linePath = '/api/things-task/bank-file-line';
const account = '6222020200112233445';
type Headers = Record<string, string>;

let office: TaskOffice;
let ann: { userId: string; headers: Headers };
let eve: Headers;
let finance: Headers;
let accountId: string;

/** A plugin that knows the bank account of one user. */
const payees = defineServerPlugin({
  id: 'payees',
  title: ['收款账户', 'Payees'],
  dependencies: ['payment'],
  setup: () => ({
    filters: [
      filterHandler(PayeeAccounts, ({ userIds, accounts }) => ({
        userIds,
        accounts: [
          ...accounts,
          ...userIds.filter((id) => id === ann.userId).map((userId) => ({ userId, kind: accountKinds.bank, account, name: '=安 "娜"', bank: '工商银行' })),
        ],
      })),
    ],
  }),
});

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['payment', 'bank-file', payees] });
  ann = await office.createMember('ann');
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'finance', codes: ['bank_file', 'bank_file_download', 'bank_file_settle', 'bank_file_line'] });
  finance = await office.server.signIn('finance');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
  const added = await office.post(`${accountPath}/submit`, { name: '基本户', bank: '工商银行', account: '1202020011', maxAmount: 80_000 });
  expect(added.code, added.msg).toBe(200);
  accountId = added.data.id;
  expect((await office.post(`${accountPath}/enable`, { id: accountId })).code).toBe(200);
});
afterAll(() => office.server.stop());

const sql = (statement: string) => office.server.sql(statement);
const payoutOf = async (payNo: string) =>
  (await sql(`select state, gateway, channel, provider_no, provider_state, note from payout where pay_no = '${payNo}'`))[0];
const entries = async (payNo: string) => (await sql(`select 1 from ledger_posting where pay_no = '${payNo}'`)).length;
const hurry = () => sql('update payout set next_try = now() where state = 1');

/** Pays approved work in one run; returns the payment numbers once all are in a file. */
async function paid(count: number, amount = 500): Promise<{ payNos: string[]; fileId: string; runNo: string }> {
  const taskId = await office.publishTask({ quantity: 100, perUserLimit: 0 });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await office.submitProof(taskId, ann.headers));
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', amount = ${amount} where id in (${ids.join(',')})`);
  const reply = await office.post(payPath, { ids });
  expect(reply.code, reply.msg).toBe(200);
  const payNos = reply.data.payouts.map(({ payNo }: { payNo: string }) => payNo) as string[];
  const list = payNos.map((payNo) => `'${payNo}'`).join(',');
  await expect.poll(async () => (await sql(`select 1 from bank_file_line where pay_no in (${list})`)).length, { timeout: 20_000, interval: 100 }).toBe(count);
  await expect
    .poll(async () => (await sql(`select 1 from payout where provider_state = 'IN_FILE' and pay_no in (${list})`)).length, { timeout: 20_000, interval: 100 })
    .toBe(count);
  const [row] = await sql(
    `select l.file_id::text as file, p.batch_no as run from bank_file_line l join payout p on p.pay_no = l.pay_no where p.pay_no in (${list}) limit 1`,
  );
  return { payNos, fileId: row?.file as string, runNo: row?.run as string };
}
const download = (id: string, headers = finance) => office.post(`${filePath}/download`, { id }, headers);
const settle = (id: string, lines: readonly (readonly string[])[], head = ['付款单号', '结果', '失败原因', '银行流水号', '金额(元)']) =>
  office.post(`${filePath}/settle`, { id, content: [head, ...lines].map((line) => line.join(',')).join('\n') }, finance);

test('the payouts of a run wait in one file, which has the same content on every download, and its history names each', async () => {
  const { payNos, fileId, runNo } = await paid(3);
  for (const payNo of payNos) expect(await payoutOf(payNo)).toMatchObject({ state: 1, gateway: `bank-file:${accountId}`, channel: 4 });
  const files = await office.get(`${filePath}/list`, { runNo }, finance);
  expect(files.data.records).toMatchObject([{ id: fileId, state: 0, lines: 3, amount: 1500, downloads: 0 }]);
  expect(await download(fileId, eve)).toMatchObject({ status: 403 });
  expect(await settle(fileId, [[payNos[0] as string, '成功']])).toMatchObject({ status: 409, msg: expect.stringContaining('还没有下载') });
  const first = await download(fileId);
  expect(first.code, first.msg).toBe(200);
  expect(first.data.content.startsWith('\uFEFF')).toBe(true);
  const rows = first.data.content.trim().split('\r\n');
  expect(rows[0]).toBe('"付款单号","收款人","收款账号","开户行","金额(元)","附言"');
  expect(rows.slice(1)).toEqual([...payNos].sort().map((payNo) => `"${payNo}","'=安 ""娜""","${account}","工商银行","5.00","拍一条面包视频"`));
  expect((await download(fileId)).data).toEqual(first.data);
  const history = await sql(`select 1 from record_change where entity = 'bank_file' and record_id = ${fileId}`);
  expect(history).toHaveLength(2);
  const lines = await office.get(`${linePath}/list`, { fileId }, finance);
  expect(lines.data.records.map((one: { accountMask: string }) => one.accountMask)).toEqual(Array(3).fill('****3445'));
  const shown = JSON.stringify((await office.get(`${payPath}/list`, { ids: '' })).body) + JSON.stringify(lines.body);
  expect(shown).toContain('****3445');
  expect(shown).not.toContain(account);
  const stored = await sql('select account from payout union all select account from bank_file_line');
  expect(stored.every((row) => String(row.account).startsWith('sealed:'))).toBe(true);
});

test('results are booked once, however often and in whatever order they come, and contradictions change nothing', async () => {
  const { payNos, fileId } = await paid(4);
  const [one, two, three, four] = payNos as [string, string, string, string];
  await download(fileId);
  const file = [
    [one, '成功', '', 'B001', '5.00'],
    [two, '失败', '账号不存在', '', '5.00'],
    [three, '成功', '', 'B003', '9.00'],
    [four, '处理中'],
    ['P000', '成功'],
  ];
  const replies = await Promise.all([settle(fileId, file), settle(fileId, file), settle(fileId, [...file].reverse())]);
  for (const { data } of replies) {
    expect(data).toMatchObject({ done: 2, total: 5 });
    expect(Object.fromEntries(data.rows.map((row: { title: string; code: number }) => [row.title, row.code]))).toEqual({
      [three]: 409,
      [four]: 400,
      P000: 404,
    });
  }
  expect(await payoutOf(one)).toMatchObject({ state: 2, provider_no: 'B001' });
  expect(await payoutOf(two)).toMatchObject({ state: 3, note: '账号不存在' });
  expect(
    await settle(fileId, [
      [one, '失败'],
      [two, '成功'],
    ]),
  ).toMatchObject({ data: { done: 0, rows: [{ code: 409 }, { code: 409 }] } });
  for (const payNo of [one, two]) expect(await entries(payNo)).toBe(4);
  for (const payNo of [three, four]) expect(await payoutOf(payNo)).toMatchObject({ state: 1 });
  expect(await settle(fileId, [[one, '成功']], ['单号', '结果'])).toMatchObject({ status: 400 });

  const [{ id } = { id: '' }] = (await sql(`select id::text as id from bank_file_line where pay_no = '${three}'`)) as { id: string }[];
  expect((await office.post(`${linePath}/paid`, { id, serialNo: 'B003' }, eve)).status).toBe(403);
  for (let times = 0; times < 2; times += 1) expect((await office.post(`${linePath}/paid`, { id, serialNo: 'B003' }, finance)).code).toBe(200);
  expect((await office.post(`${linePath}/failed`, { id, reason: '退票' }, finance)).status).toBe(409);
  expect(await payoutOf(three)).toMatchObject({ state: 2, provider_no: 'B003' });
  expect(await entries(three)).toBe(4);
  const [{ id: last } = { id: '' }] = (await sql(`select id::text as id from bank_file_line where pay_no = '${four}'`)) as { id: string }[];
  expect((await office.post(`${linePath}/failed`, { id: last, reason: '退票' }, finance)).code).toBe(200);
  expect((await office.get(`${filePath}/list`, { ids: fileId }, finance)).data.records).toMatchObject([{ state: 2, paid: 2, failed: 2 }]);
  expect((await office.get('/api/things-task/ledger/check')).data).toEqual([]);
});

test('a result that was recorded before a crash is booked by the next query of its payout', async () => {
  const { payNos, fileId } = await paid(1);
  const [payNo] = payNos as [string];
  await download(fileId);
  await sql(`update bank_file_line set outcome = 1, serial_no = 'B9', settled_time = now() where pay_no = '${payNo}'`);
  await expect
    .poll(
      async () => {
        await hurry();
        return (await payoutOf(payNo))?.state;
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe(2);
  expect(await entries(payNo)).toBe(4);
  const forbidden = await sql(`update bank_file_line set amount = 1 where pay_no = '${payNo}'`).catch((error: Error) => String(error.cause));
  expect(forbidden).toContain('is not changed');
  const day = (await sql('select current_date::text as day'))[0]?.day as string;
  const compared = await office.post('/api/things-task/reconciliation/compare', { day });
  expect(compared.data, compared.msg).toMatchObject({ state: expect.any(Number), theirCount: expect.any(Number) });
  expect(await sql(`select 1 from payment_difference where pay_no = '${payNo}'`)).toEqual([]);
});

test('a payment beyond the limit of every provider is refused, and without an enabled one none is sent to the sandbox', async () => {
  const taskId = await office.publishTask({ quantity: 100, perUserLimit: 0 });
  const id = await office.submitProof(taskId, ann.headers);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', amount = 80001 where id = ${id}`);
  expect(await office.post(payPath, { id })).toMatchObject({ status: 409, msg: expect.stringContaining('没有启用的支付配置能向 ann 支付 800.01 元') });
  await office.post(`${accountPath}/disable`, { id: accountId });
  expect(await office.post(payPath, { id })).toMatchObject({ status: 409, msg: '没有启用的支付配置，请先启用一个' });
  await office.post(`${accountPath}/enable`, { id: accountId });
  expect(await office.post(`${accountPath}/remove`, { ids: [accountId] })).toMatchObject({ status: 409 });
});

test('files and their lines are for users who see all of their payouts: list, detail, download and results', async () => {
  const { payNos, fileId } = await paid(1);
  const [line] = await sql(`select id::text as id from bank_file_line where file_id = ${fileId}`);
  const codes = ['bank_file', 'bank_file_download', 'bank_file_settle', 'bank_file_line', 'payout'];
  const seer = (account: string, advertiserId: string) =>
    scopedUser(office.server, { account, codes, pages: ['payout'], scopes: [{ of: 'payout', rule: { field: 'advertiserId', is: advertiserId } }] });
  const [baker, florist] = [await seer('baker', office.requiredIds.advertiserId), await seer('florist', '1')];
  const totals = async (by: Headers) => [
    (await office.get(`${filePath}/list`, { ids: fileId }, by)).data.total,
    (await office.get(`${linePath}/list`, { fileId }, by)).data.total,
  ];
  expect(await totals(baker)).toEqual([1, 1]);
  expect(await totals(florist)).toEqual([0, 0]);
  expect((await download(fileId, florist)).status).toBe(404);
  expect((await download(fileId, baker)).data.content).toContain(payNos[0]);
  const content = `付款单号,结果\n${payNos[0]},成功`;
  expect((await office.post(`${filePath}/settle`, { id: fileId, content }, florist)).status).toBe(404);
  expect((await office.post(`${linePath}/paid`, { id: line?.id, serialNo: 'B1' }, florist)).status).toBe(404);
  expect(await payoutOf(payNos[0] as string)).toMatchObject({ state: 1 });
  expect((await office.post(`${linePath}/paid`, { id: line?.id, serialNo: 'B1' }, baker)).code).toBe(200);
});
