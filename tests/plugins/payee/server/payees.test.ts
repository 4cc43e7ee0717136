import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { payeeAccounts } from '../../../../src/plugins/payee/server/payee-accounts.ts';
import { accountKinds, PayeeAccounts } from '../../../../src/plugins/payment/contract.ts';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { password, type Reply } from '../../../support/test-server.ts';

const path = '/api/things-task/payee';
/** Number with a valid check character, which belongs to no user. */
const idCard = '11010519491231002X';
const card = '6222020200012345678';

let office: TaskOffice;
let clerk: Record<string, string>;
let reviewer: Record<string, string>;
let ann: { userId: string; headers: Record<string, string> };
let ben: { userId: string; headers: Record<string, string> };

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway }), 'payee'] });
  ann = await office.createMember('ann');
  ben = await office.createMember('ben');
  await office.server.createUser({
    account: 'clerk',
    codes: ['payee', 'payee_add', 'payee_edit', 'payee_view', 'payee_verify', 'payee_reveal', 'payee_income', 'payout', 'ledger', 'task_pay'],
  });
  clerk = await office.server.signIn('clerk');
  await office.server.createUser({ account: 'reviewer', codes: ['payee', 'payee_edit', 'payee_verify', 'payee_reveal'] });
  reviewer = await office.server.signIn('reviewer');
});
afterAll(() => office.server.stop());

const isOk = (reply: Reply) => {
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};
const submit = (form: object) => office.post(`${path}/submit`, form, clerk);
const detail = async (id: string) => isOk(await office.get(`${path}/detail`, { id }, clerk));

/** Reviews a payee as the user sees it now. */
const review = async (decision: 'verify' | 'reject', id: string, by: Record<string, string>, more: object = {}) =>
  office.post(`${path}/${decision}`, { id, version: (await detail(id)).version, ...more }, by);

/** Adds Ann as a payee with an identity and both accounts. */
async function ensureAnn(): Promise<string> {
  const existing = (await office.get(`${path}/list`, { userId: ann.userId }, clerk)).data?.records?.[0];
  if (existing) return existing.id;
  const row = isOk(
    await submit({
      userId: ann.userId,
      name: '安妮',
      documentKind: 1,
      documentNo: '11010519491231002x',
      alipayAccount: '13800000002',
      bankName: '招商银行',
      bankCard: '6222 0202 0001 2345 678',
      consentTime: '2026-01-02 03:04:05',
      consentVersion: 'v3',
    }),
  );
  return row.id;
}

test('numbers are stored encrypted and shown masked; no reply of the screen contains them', async () => {
  const id = await ensureAnn();
  expect(id).toBe(ann.userId);
  const row = await detail(id);
  expect(row).toMatchObject({ name: '安妮', documentMask: '110***********002X', alipayMask: '138****0002', bankMask: '622************5678', state: 0 });
  expect(row.consentRecorder).toBe((await office.server.sql("select real_name as name from user_account where account = 'clerk'"))[0]?.name);
  const list = await office.get(`${path}/list`, {}, clerk);
  const history = await office.get(`${path}/history`, { id }, clerk);
  for (const text of [JSON.stringify(row), JSON.stringify(list.body), JSON.stringify(history.body)])
    for (const secret of [idCard, card, '13800000002']) expect(text).not.toContain(secret);
  const [stored] = await office.server.sql(`select document_no as no, bank_card as card from payee where id = ${id}`);
  expect(`${stored?.no}${stored?.card}`).not.toMatch(/11010519491231|62220202/);
});

test('numbers that no document or account can have are refused, with the field', async () => {
  const refusals = [
    [{ documentKind: 1, documentNo: '110105194912310021' }, '身份证'],
    [{ documentKind: 1, documentNo: '110105194913310029' }, '身份证'],
    [{ documentKind: 2, documentNo: '??' }, '证件号码'],
    [{ alipayAccount: '12345' }, '支付宝'],
    [{ bankCard: '12ab5678' }, '银行卡'],
  ] as const;
  for (const [form, text] of refusals) {
    const reply = await submit({ userId: ben.userId, ...form });
    expect(reply.code).toBe(400);
    expect(reply.msg).toContain(text);
  }
  expect((await submit({ userId: '999' })).code).toBe(400);
  await ensureAnn();
  // One payee per user.
  expect((await submit({ userId: ann.userId })).code).toBe(409);
});

test('a payee is verified once complete, and a change of its identity or accounts makes it unverified again', async () => {
  const id = await ensureAnn();
  const empty = isOk(await submit({ userId: ben.userId })).id;
  expect((await review('verify', empty, reviewer)).msg).toBe('收款人的姓名或证件不完整，不能核验');
  isOk(await review('verify', id, reviewer));
  expect((await review('verify', id, reviewer)).msg).toBe('该收款人已核验');
  const verified = await detail(id);
  expect(verified.state).toBe(1);
  expect(verified.reviewerName).not.toBeNull();
  isOk(await submit({ id, consentVersion: 'v4' }));
  expect((await detail(id)).state).toBe(1);
  isOk(await submit({ id, bankCard: '6222020200012345679' }));
  expect(await detail(id)).toMatchObject({ state: 0, reviewerName: null, bankMask: '622************5679', documentMask: '110***********002X' });
  isOk(await review('reject', id, clerk, { reason: '照片不清' }));
  expect(await detail(id)).toMatchObject({ state: 2, reason: '照片不清' });
});

test('a review holds for the version that was looked at; a change or a reveal since then refuses it', async () => {
  const id = await ensureAnn();
  isOk(await submit({ id, bankCard: '6222020200012345670' }));
  const { version } = await detail(id);
  isOk(await submit({ id, bankCard: '6222020200012345671' }));
  for (const [decision, more] of [
    ['verify', {}],
    ['reject', { reason: '照片不清' }],
  ] as const) {
    const reply = await office.post(`${path}/${decision}`, { id, version, ...more }, reviewer);
    expect(reply).toMatchObject({ code: 409, msg: '数据已被他人修改，请刷新后重试' });
    for (const missing of [undefined, '', ' ', 'x'])
      expect((await office.post(`${path}/${decision}`, { id, version: missing, ...more }, reviewer)).code, `${missing}`).toBe(400);
  }
  expect((await detail(id)).state).toBe(0);
  // A user who has seen the numbers reviews the version that has them.
  const seen = isOk(await office.post(`${path}/reveal`, { id, password }, reviewer));
  expect(seen.bankCard).toBe('6222020200012345671');
  isOk(await office.post(`${path}/verify`, { id, version: seen.version }, reviewer));
  expect((await detail(id)).state).toBe(1);
});

test('a number is removed for good, and the history says only that it changed', async () => {
  const id = await ensureAnn();
  isOk(await submit({ id, alipayAccount: '13800000009', bankCard: '6222020200012345674' }));
  isOk(await review('verify', id, reviewer));
  isOk(await submit({ id, bankCard: null }));
  expect(await detail(id)).toMatchObject({ state: 0, bankMask: null, alipayMask: '138****0009', documentMask: '110***********002X' });
  expect((await office.server.sql(`select bank_card as card, bank_name as bank from payee where id = ${id}`))[0]).toEqual({ card: null, bank: '招商银行' });
  expect(isOk(await office.post(`${path}/reveal`, { id, password }, reviewer)).bankCard).toBeNull();
  isOk(await review('verify', id, reviewer));
  // The stored number, its mask and no number change nothing, and the verification holds.
  for (const same of [{ alipayAccount: ' 13800000009' }, { alipayAccount: '138****0009' }, { bankCard: null }, { documentNo: idCard.toLowerCase() }])
    isOk(await submit({ id, ...same }));
  expect((await detail(id)).state).toBe(1);
  isOk(await submit({ id, alipayAccount: '13800000002', bankCard: card }));
  const { records } = isOk(await office.get(`${path}/history`, { id, size: '8' }, clerk));
  // Ids are long numbers, in which any four digits occur.
  expect(JSON.stringify(records).replaceAll(/"\d{15,}"/g, '')).not.toMatch(/0009|0002|5674|5678|002X|\*/);
  const changes = records.map(({ fields }: { fields: Record<string, unknown> }) => Object.entries(fields).filter(([name]) => name.endsWith('Change')));
  expect(changes.filter((some: unknown[]) => some.length > 0).slice(0, 3)).toEqual([
    [
      ['alipayAccountChange', [1, 2]],
      ['bankCardChange', [null, 1]],
    ],
    [['bankCardChange', [1, 3]]],
    [
      ['alipayAccountChange', [1, 2]],
      ['bankCardChange', [1, 2]],
    ],
  ]);
});

test('users do not verify what they have entered or changed last, nor themselves', async () => {
  const id = await ensureAnn();
  const names = await office.server.sql("select account, real_name as name, id::text as id from user_account where account in ('clerk', 'reviewer')");
  const of = (account: string) => names.find((one) => one.account === account) as { id: string; name: string } | undefined;
  isOk(await submit({ id, bankCard: '6222020200012345672' }));
  expect(await detail(id)).toMatchObject({ identityBy: of('clerk')?.id, identityByName: of('clerk')?.name });
  expect(await review('verify', id, clerk)).toMatchObject({ code: 403, msg: '身份信息由您最后登记或修改，须由他人核验' });
  // A consent is no part of the identity.
  isOk(await office.post(`${path}/submit`, { id, consentVersion: 'v5' }, reviewer));
  expect((await review('verify', id, clerk)).code).toBe(403);
  isOk(await office.post(`${path}/submit`, { id, bankCard: '6222020200012345673' }, reviewer));
  expect((await review('verify', id, reviewer)).code).toBe(403);
  isOk(await review('verify', id, clerk));
  // No user has entered the identity of a payee that the first payout has added.
  const { userId: own } = await office.createMember('own-payee');
  await office.server.sql(`insert into payee (tenant_id, user_id) values ('000000', ${own}), ('000000', ${of('reviewer')?.id})`);
  expect((await detail(own)).identityBy).toBeNull();
  isOk(await office.post(`${path}/submit`, { id: of('reviewer')?.id, name: '自己', documentKind: 2, documentNo: 'P1234567' }, clerk));
  expect((await review('verify', of('reviewer')?.id ?? '', reviewer)).msg).toBe('不能核验自己');
  await office.server.sql(`delete from payee where id in (${own}, ${of('reviewer')?.id})`);
});

test('seeing the numbers needs the permission and the own password, and the history says who saw them', async () => {
  const id = await ensureAnn();
  await office.server.createUser({ account: 'reader', codes: ['payee'] });
  const reader = await office.server.signIn('reader');
  expect((await office.post(`${path}/reveal`, { id, password }, reader)).code).toBe(403);
  expect(await office.post(`${path}/reveal`, { id, password: 'wrong' }, clerk)).toMatchObject({ code: 400, msg: '密码不正确' });
  const seen = isOk(await office.post(`${path}/reveal`, { id, password }, clerk));
  expect(seen).toMatchObject({ documentNo: idCard, alipayAccount: '13800000002' });
  const { data } = await office.get(`${path}/history`, { id }, clerk);
  isOk(await office.post(`${path}/reveal`, { id, password }, clerk));
  const again = await office.get(`${path}/history`, { id }, clerk);
  expect(JSON.stringify(again.data)).toContain('"reveals":[1,2]');
  expect(JSON.stringify(data)).toContain('"reveals":[0,1]');
  expect(JSON.stringify(data)).not.toContain(idCard);
});

test('payments learn the accounts of verified payees only', async () => {
  const id = await ensureAnn();
  const { handle, filter } = payeeAccounts({ db: office.server.db, get: (() => ({ isOff: () => false })) as never });
  expect(filter).toBe(PayeeAccounts);
  const known = () => office.server.db.read({ tenantId: '000000' }, async () => handle({ userIds: [ann.userId, ben.userId], accounts: [] }));
  await office.server.sql(`update payee set state = 2 where id = ${id}`);
  expect(await known()).toMatchObject({ accounts: [] });
  await office.server.sql(`update payee set state = 1 where id = ${id}`);
  const [{ card: mask } = {}] = await office.server.sql(`select bank_mask as card from payee where id = ${id}`);
  const { accounts } = (await known()) as { accounts: { account: string }[] };
  expect(accounts).toMatchObject([
    { userId: ann.userId, name: '安妮', kind: accountKinds.alipay, account: '13800000002' },
    { userId: ann.userId, name: '安妮', kind: accountKinds.bank, bank: '招商银行' },
  ]);
  expect(accounts[1]?.account.slice(-4)).toBe(String(mask).slice(-4));
});

test('income by month, quarter and year equals the postings of the ledger, and the record of a payee lists it with the payouts', async () => {
  const { db } = office.server;
  const settlement = new Settlement(db, new Ledger(db), new SubmissionPay(db), noWebhooks);
  const { headers: eve } = await office.createAuditor('eve');
  isOk(await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 500_000 }));
  const taskId = await office.publishTask({ quantity: 10, perUserLimit: 0 });
  const work: string[] = [];
  for (const by of [ann, ben, ann, ben, ann]) work.push(await office.submitProof(taskId, by.headers));
  isOk(await office.post(`${taskPath}/doAudit`, { ids: work, status: 1 }, eve));
  await office.server.sql("update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = 101 + id % 89");
  isOk(await office.post('/api/things-task/weixinpay', { ids: work }, clerk));
  const bills = (await office.server.sql('select pay_no as no from payout order by id')).map(({ no }) => String(no));
  for (const [index, payNo] of bills.entries()) await settlement.settle('000000', { payNo, outcome: index === 1 ? 'failed' : 'paid', state: 'DONE' });
  const differing = await office.server.sql(`
    with booked as (
      select p.user_id, count(distinct l.pay_no) as payouts, sum(l.amount) as gross, min(l.create_time) as time from ledger_posting l join payout p on p.pay_no = l.pay_no
      where l.kind = 4 and l.account in (4, 5) group by p.user_id
    )
    select * from payee_income i left join booked b on b.user_id = i.user_id
    where (i.payouts, i.gross, i.withheld, i.net) is distinct from (b.payouts, b.gross, 0, b.gross)
      or i.period <> case i.kind when 1 then to_char(b.time, 'YYYY-MM') when 2 then to_char(b.time, 'YYYY-"Q"Q') else to_char(b.time, 'YYYY') end`);
  expect(differing).toEqual([]);
  expect((await office.server.sql('select kind from payee_income')).length).toBe(6);
  const related = await office.get('/api/blade-system/related-lists', { entity: 'payee', id: ann.userId }, clerk);
  expect(related.data, JSON.stringify(related.body)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ menu: 'payee_income', field: 'userId', value: ann.userId, count: 3 }),
      expect.objectContaining({ menu: 'payout', field: 'userId', value: ann.userId, count: 3 }),
    ]),
  );
  // A person who was paid without having been added is a payee.
  expect((await office.server.sql('select count(*)::integer as count from payee'))[0]?.count).toBe(2);
});
