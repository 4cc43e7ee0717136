import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import type { Reply } from '../../../support/test-server.ts';

const path = '/api/things-task/platform-report';
const payeePath = '/api/things-task/payee';
const idCard = '11010519491231002X';

let office: TaskOffice;
let settlement: Settlement;
let eve: Record<string, string>;
let ann: { userId: string; headers: Record<string, string> };
let ben: { userId: string; headers: Record<string, string> };
/** Quarter before the current one, and a moment in it. */
let quarter: string;
let moment: string;

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway }), 'payee'] });
  settlement = new Settlement(office.server.db, new Ledger(office.server.db), new SubmissionPay(office.server.db), noWebhooks);
  ann = await office.createMember('ann');
  ben = await office.createMember('ben');
  eve = (await office.createAuditor('eve')).headers;
  isOk(await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }));
  const [before] = await office.server.sql(
    `select to_char(date_trunc('quarter', now()) - interval '1 day', 'YYYY-"Q"Q') as quarter, (date_trunc('quarter', now()) - interval '3 days')::text as moment`,
  );
  quarter = String(before?.quarter);
  moment = String(before?.moment);
});
afterAll(() => office.server.stop());

function isOk(reply: Reply) {
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
}
/** Pays work and dates the payouts, with their postings, into the reported quarter. */
async function paid(by: { headers: Record<string, string> }, amount: number): Promise<string> {
  const taskId = await office.publishTask({ quantity: 1, perUserLimit: 0 });
  const id = await office.submitProof(taskId, by.headers);
  isOk(await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve));
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${amount} where id = ${id}`);
  const { payNo } = isOk(await office.post('/api/things-task/weixinpay', { ids: [id] }));
  await settlement.settle('000000', { payNo, outcome: 'paid', state: 'DONE' });
  await office.server.sql(`update payout set paid_time = '${moment}' where pay_no = '${payNo}'`);
  await dateBack(payNo);
  return payNo;
}
async function dateBack(payNo: string, to = moment): Promise<void> {
  await office.server.sql('alter table ledger_posting disable trigger keep_ledger');
  await office.server.sql(`update ledger_posting set create_time = '${to}' where pay_no = '${payNo}' and kind = 4`);
  await office.server.sql('alter table ledger_posting enable trigger keep_ledger');
}
const compile = () => office.post(`${path}/compile`, { quarter });
const rowsOf = async (id: string) => isOk(await office.get(`${path}-row/list`, { reportId: id })).records;
const file = async (id: string) => isOk(await office.post(`${path}/file`, { id })).text as string;

test('a quarter is compiled with its exceptions, equals the ledger, is submitted once and never changes; a correction names the differences', async () => {
  await paid(ann, 10_001);
  await paid(ben, 20_002);
  isOk(await office.post(`${payeePath}/submit`, { id: ann.userId, name: '=安妮', documentKind: 1, documentNo: idCard }));
  await office.server.createUser({ account: 'reviewer', codes: ['payee', 'payee_verify'] });
  const { version } = isOk(await office.get(`${payeePath}/detail`, { id: ann.userId }));
  isOk(await office.post(`${payeePath}/verify`, { id: ann.userId, version }, await office.server.signIn('reviewer')));

  const draft = isOk(await compile());
  expect(draft).toMatchObject({
    versionNo: 1,
    state: 0,
    payees: 2,
    exceptions: 1,
    changes: 0,
    payouts: 2,
    gross: 30_003,
    withheld: 0,
    ledgerGross: 30_003,
    difference: 0,
  });
  const rows = await rowsOf(draft.id);
  expect(rows.find(({ userId }: { userId: string }) => userId === ben.userId)).toMatchObject({ problem: 1, gross: 20_002 });
  expect(JSON.stringify(rows)).not.toContain(idCard);
  // The draft is compiled again, not doubled.
  expect(isOk(await compile())).toMatchObject({ id: draft.id, payees: 2 });

  const text = await file(draft.id);
  expect(text.split('\r\n')[0]).toBe(
    '\uFEFF"序号","姓名","证件类型","证件号码","所属期起","所属期止","收入总额（元）","代扣税款（元）","实付金额（元）","交易笔数"',
  );
  expect(text).toContain(`"'=安妮","居民身份证","${idCard}"`);
  expect(text).toContain('"100.01","0.00","100.01","1"');
  const { data } = await office.get(`${path}/history`, { id: draft.id });
  expect(JSON.stringify(data)).toContain('"downloads":[0,1]');

  isOk(await office.post(`${path}/submitted`, { id: draft.id, receiptNo: 'R1' }));
  expect((await office.post(`${path}/submitted`, { id: draft.id })).code).toBe(409);
  for (const change of [
    `update platform_report set gross = 1 where id = ${draft.id}`,
    `delete from platform_report where id = ${draft.id}`,
    `update platform_report_row set gross = 1 where report_id = ${draft.id}`,
    `delete from platform_report_row where report_id = ${draft.id}`,
  ])
    await expect(office.server.sql(change), change).rejects.toThrow();

  await paid(ben, 500);
  const correction = isOk(await compile());
  expect(correction).toMatchObject({ versionNo: 2, changes: 1, gross: 30_503, difference: 0 });
  expect(correction.id).not.toBe(draft.id);
  const changed = (await rowsOf(correction.id)).filter(({ change }: { change: number }) => change !== 0);
  expect(changed).toMatchObject([{ userId: ben.userId, change: 2, gross: 20_502, grossBefore: 20_002 }]);
  expect(isOk(await office.get(`${path}/detail`, { id: draft.id }))).toMatchObject({ gross: 30_003, receiptNo: 'R1' });
  // The submitted file is still the same.
  expect(await file(draft.id)).toBe(text);
});

test('a difference to the ledger is shown and prevents the submission, and so does a quarter that is not over', async () => {
  await paid(ann, 700);
  const tamper = (change: number) =>
    office.server.sql(`update payee_income set gross = gross + ${change} where kind = 2 and period = '${quarter}' and user_id = ${ann.userId}`);
  await tamper(700);
  const draft = isOk(await compile());
  expect(draft.difference).toBe(700);
  expect((await office.post(`${path}/submitted`, { id: draft.id })).msg).toContain('相差 7.00 元');
  await tamper(-700);
  expect((await office.post(`${path}/submitted`, { id: draft.id })).msg).toBe('编制后数据已有变化，请重新编制');
  isOk(await compile());
  expect((await office.post(`${path}/submitted`, { id: draft.id })).msg).toBe('请先下载本版报送文件，再标记为已提交');
  const { next } = isOk(await office.post(`${path}/file`, { id: draft.id }));
  expect(next).toBeNull();
  expect((await office.post(`${path}/file`, { id: draft.id, after: '0' })).status).toBe(404);
  isOk(await office.post(`${path}/submitted`, { id: draft.id }));
  // A payment that is reversed later leaves income and ledger alike.
  const reversed = await paid(ann, 900);
  await office.server.sql(`update payout set gateway = 'manual' where pay_no = '${reversed}'`);
  await office.server.sql(`update payout set state = 5 where pay_no = '${reversed}'`);
  await office.server.sql(`select reverse_settlement('${reversed}', null, null)`);
  expect(isOk(await compile())).toMatchObject({ difference: 0, gross: draft.gross - 700, changes: 0 });
  const [{ now } = {}] = await office.server.sql(`select to_char(now(), 'YYYY-"Q"Q') as now`);
  const current = isOk(await office.post(`${path}/compile`, { quarter: now }));
  expect((await office.post(`${path}/submitted`, { id: current.id })).code).toBe(409);
  expect((await office.post(`${path}/compile`, { quarter: '2999-Q1' })).code).toBe(400);
});

test('columns of the file are data with a day; a file whose rows were changed is refused', async () => {
  const formatPath = '/api/things-task/report-format';
  const format = (columns: string) => office.post(`${formatPath}/submit`, { name: '表四', validFrom: '2020-01-01', columns, source: '2025 年第 15 号公告' });
  expect((await format('姓名 = nick')).msg).toBe('文件列第 1 行不正确，应为：列名 = 字段');
  expect((await format('\n姓名 = name\n\n收入 = nick')).msg).toBe('文件列第 4 行不正确，应为：列名 = 字段');
  isOk(await format('类别 = "从业人员"\n姓名 = name\n收入（分） = gross:fen'));
  const draft = isOk(await compile());
  expect((await file(draft.id)).split('\r\n').slice(0, 2)).toEqual([
    '\uFEFF"类别","姓名","收入（分）"',
    expect.stringMatching(/^"从业人员","('=安妮)?","\d+"$/),
  ]);
  await office.server.sql(`update platform_report_row set gross = gross + 1 where report_id = ${draft.id}`);
  expect((await office.post(`${path}/file`, { id: draft.id })).msg).toBe('报告内容与校验值不符，不能下载');
});

test('a submitted report gets its receipt number later, without a new version; who recorded it and when stays known', async () => {
  await office.server.createUser({ account: 'filer', codes: ['platform_report', 'platform_report_view', 'platform_report_submit'] });
  await office.server.createUser({ account: 'watcher', codes: ['platform_report', 'platform_report_view'] });
  const filer = await office.server.signIn('filer');
  const watcher = await office.server.signIn('watcher');
  const record = (id: string, receiptNo: unknown, by = filer) => office.post(`${path}/receipt`, { id, receiptNo }, by);
  await paid(ben, 900);
  const draft = isOk(await compile());
  expect(await record(draft.id, 'R9')).toMatchObject({ code: 409, msg: '该版本尚未提交，不能登记受理编号' });
  await file(draft.id);
  isOk(await office.post(`${path}/submitted`, { id: draft.id }));
  const submitted = isOk(await office.get(`${path}/detail`, { id: draft.id }));
  expect(submitted).toMatchObject({ receiptNo: null, receiptRecorder: null, receiptTime: null });
  expect((await record(draft.id, 'R9', watcher)).code).toBe(403);
  for (const missing of [null, '', '  ']) expect((await record(draft.id, missing)).code, String(missing)).toBe(400);
  isOk(await record(draft.id, 'R9'));
  const { receiptNo, receiptRecorder, receiptTime, updateUser, updateTime, version, downloads, ...rest } = isOk(
    await office.get(`${path}/detail`, { id: draft.id }),
  );
  expect({ receiptNo, receiptRecorder }).toEqual({ receiptNo: 'R9', receiptRecorder: 'filer' });
  expect(receiptTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(submitted).toMatchObject(rest);
  expect((await office.server.sql(`select 1 from platform_report where quarter = '${quarter}' and version_no > ${submitted.versionNo}`)).length).toBe(0);
  // A wrong number is corrected and never removed; the history has both.
  isOk(await record(draft.id, 'R10', await office.server.signIn()));
  isOk(await record(draft.id, 'R10'));
  const { records } = isOk(await office.get(`${path}/history`, { id: draft.id }));
  const numbers = records.flatMap(({ fields, userName }: { fields: Record<string, unknown>; userName: string }) =>
    fields.receiptNo ? [[fields.receiptNo, userName]] : [],
  );
  expect(numbers).toMatchObject([
    [['R9', 'R10'], expect.any(String)],
    [[null, 'R9'], 'filer'],
  ]);
  expect(isOk(await office.get(`${path}/detail`, { id: draft.id })).receiptRecorder).not.toBe('filer');
  for (const change of ['receipt_no = null', "receipt_recorder = 'x'", "receipt_time = now() + interval '1 day'", "receipt_no = 'R11', gross = 1"])
    await expect(office.server.sql(`update platform_report set ${change} where id = ${draft.id}`), change).rejects.toThrow();
  // A report submitted with its number says who recorded it as well.
  await paid(ben, 300);
  const correction = isOk(await compile());
  await file(correction.id);
  isOk(await office.post(`${path}/submitted`, { id: correction.id, receiptNo: 'R12' }));
  const done = isOk(await office.get(`${path}/detail`, { id: correction.id }));
  expect(done).toMatchObject({ versionNo: submitted.versionNo + 1, receiptNo: 'R12', receiptRecorder: done.submitterName, receiptTime: done.submittedTime });
});
