import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { serverUrl } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/things-task/ledger';
type Headers = Record<string, string>;

let server: TestServer;
let headers: Headers;
let bakery: string;
let brewery: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment', 'transfers'] });
  headers = await server.signIn();
  [bakery, brewery] = [await advertiser('面包店'), await advertiser('酒厂')];
});
afterAll(() => server.stop());

const advertiser = async (name: string) =>
  (await server.post('/api/oms-system/base/addadvertiser', { name, contact_name: '王', contact_phone: '13800000001' }, { headers })).data.id as string;
const note = (advertiserId: string, amount: number) => server.post(`${path}/submit`, { advertiserId, amount, remark: '转账' }, { headers });
const get = async (call: string, query: Record<string, string> = {}, as = headers) => server.get(`${path}/${call}`, { headers: as, query });
const post = (call: string, input: object, as = headers) => server.post(`${path}/${call}`, input, { headers: as });
const text = async (expression: string) => String((await server.sql(`select ${expression} as value`))[0]?.value);
/** Month so many months ago, and its last day. */
const monthBefore = (months: number) => text(`to_char(date_trunc('month', now()) - interval '${months} months', 'YYYY-MM')`);
const lastDayOf = (month: string) => text(`('${month}-01'::date + interval '1 month' - interval '1 day')::date::text`);
const close = (month: string, confirmed?: object) => post('month/close', { month, ...(confirmed ? { confirmed } : {}) });

/** Moves all postings so far, and the time of the last one, some months back. */
async function age(months: number): Promise<void> {
  await server.sql('alter table ledger_posting disable trigger keep_ledger');
  await server.sql(`update ledger_posting set create_time = create_time - interval '${months} months'`);
  await server.sql('alter table ledger_posting enable trigger keep_ledger');
  await server.sql(`update ledger_clock set last_time = last_time - interval '${months} months'`);
}

const sumOf = (rows: readonly Record<string, number>[], name: string) => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);

test('a ledger without entries has nothing to close', async () => {
  expect(await close(await monthBefore(1))).toMatchObject({ status: 409, msg: '还没有资金流水，无需结账' });
});

test('a trial balance at any date adds up to 0 and comes from the stored balances', async () => {
  await note(bakery, 10_000);
  await note(brewery, 5_000);
  await age(1);
  await note(bakery, -4_000);
  await age(1);
  await note(brewery, 300);
  const [first, second, current] = [await monthBefore(2), await monthBefore(1), await text('current_date::text')];
  const before = (await get('trial-balance', { day: await lastDayOf(await monthBefore(3)) })).data;
  expect(before).toMatchObject({ mismatches: [], advertisers: [] });
  const one = (await get('trial-balance', { day: await lastDayOf(first) })).data;
  expect(one.from).toBe(`${first}-01`);
  expect(one.accounts.map(({ account, code, closing }: Record<string, unknown>) => [account, code, closing])).toEqual([
    [1, '2203', 15_000],
    [2, '1002', -15_000],
  ]);
  expect(one.advertisers).toMatchObject([
    { name: '酒厂', opening: 0, debit: 0, credit: 5_000, closing: 5_000 },
    { name: '面包店', opening: 0, debit: 0, credit: 10_000, closing: 10_000 },
  ]);
  const two = (await get('trial-balance', { day: await lastDayOf(second) })).data;
  expect(two.accounts).toMatchObject([
    { opening: 15_000, debit: 4_000, credit: 0, closing: 11_000 },
    { opening: -15_000, debit: 0, credit: 4_000, closing: -11_000 },
  ]);
  const now = (await get('trial-balance', { day: current })).data;
  for (const { accounts, mismatches } of [one, two, now]) {
    expect([sumOf(accounts, 'opening'), sumOf(accounts, 'closing'), sumOf(accounts, 'debit') - sumOf(accounts, 'credit')]).toEqual([0, 0, 0]);
    expect(mismatches).toEqual([]);
  }
  await server.sql('alter table ledger_posting disable trigger keep_ledger');
  await server.sql(`update ledger_posting set balance_after = balance_after + 1 where account = 1 and advertiser_id = ${bakery} and amount = -4000`);
  expect((await get('trial-balance', { day: await lastDayOf(second) })).data.mismatches).toMatchObject([
    { what: 'running', id: bakery, kept: 6_001, added: 6_000 },
  ]);
  expect(await close(first)).toMatchObject({ code: 200 });
  expect(await close(second)).toMatchObject({ status: 409, msg: '账目有 1 处不平，不能结账' });
  await server.sql(`update ledger_posting set balance_after = balance_after - 1 where account = 1 and advertiser_id = ${bakery} and amount = -4000`);
  await server.sql('alter table ledger_posting enable trigger keep_ledger');
});

test('months close in order and only when they are over, and the last one is reopened with a reason that stays in its history', async () => {
  const [first, second, current] = [await monthBefore(2), await monthBefore(1), await monthBefore(0)];
  expect(await close(first)).toMatchObject({ status: 409, msg: `${first} 已结账` });
  expect(await close(current)).toMatchObject({ status: 409, msg: `${current} 尚未结束，不能结账` });
  const closed = (await get('month/list')).data.records[0];
  expect(closed).toMatchObject({ month: first, state: 1 });
  expect(await post('month/reopen', { id: closed.id, reason: '' })).toMatchObject({ status: 400 });
  expect((await post('month/reopen', { id: closed.id, reason: '补记退款' })).code).toBe(200);
  expect(await close(second)).toMatchObject({ status: 409, msg: `请按顺序结账：先结 ${first}` });
  expect((await close(first)).data).toMatchObject({ id: closed.id, state: 1, reason: '补记退款' });
  expect((await close(second)).code).toBe(200);
  expect(await post('month/reopen', { id: closed.id, reason: '再看一下' })).toMatchObject({ status: 409, msg: '只能重开最近结账的月份' });
  expect((await get('month/checks')).data).toMatchObject({ month: current, status: 'running', lastClosed: { month: second }, difference: 0, mismatches: [] });
  const { records } = (await get('month/history', { id: closed.id })).data;
  expect(records).toMatchObject([
    { fields: { state: [2, 1] } },
    { fields: { state: [1, 2], reason: [null, '补记退款'] }, userName: expect.any(String) },
    { action: 'created' },
  ]);
});

test('the database refuses postings into a closed month, and the reply says so', async () => {
  const entry = `insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, create_time)
    select '000000', 5, 1, account, ${bakery}, amount, date_trunc('month', now()) - interval '1 second' from (values (1, 70), (2, -70)) side (account, amount)`;
  await expect(server.sql(entry)).rejects.toThrow();
  await server.sql(`update ledger_clock set closed_before = now() + interval '1 day'`);
  expect(await note(bakery, 100)).toMatchObject({ status: 409, msg: '这个时间所在的月份已结账，请重试，将记入当前月份' });
  await server.sql(`update ledger_clock set closed_before = date_trunc('month', now())`);
  expect((await note(bakery, 100)).code).toBe(200);
});

test.skipIf(!serverUrl)('a booking that waited for a close is not booked into the closed month', async () => {
  const scope = { tenantId: '000000' };
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const closing = server.db.write(scope, async () => {
    await server.db.lock('ledger of 000000');
    begin();
    // The booking has begun and waits. To its transaction, the month that is closed here has not ended.
    await expect
      .poll(
        () =>
          text(
            `(select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database()))`,
          ),
        { timeout: 5000, interval: 50 },
      )
      .toBe('1');
    await server.db.sql.execute(`update ledger_clock set closed_before = now() + interval '1 hour'`);
  });
  await begun;
  const [reply] = await Promise.all([note(bakery, 700), closing]);
  expect(reply).toMatchObject({ status: 409, msg: '这个时间所在的月份已结账，请重试，将记入当前月份' });
  await server.sql(`update ledger_clock set closed_before = date_trunc('month', now())`);
});

test('bookings and closes at the same time leave no posting in a closed month, and both sides of an entry have one time', async () => {
  const due = (await get('month/list', { descs: 'month' })).data.records[0];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('book', 'reopen', 'close'), { minLength: 4, maxLength: 10 }), async (steps) => {
      const before = await text(`(select count(*) from ledger_posting where create_time < date_trunc('month', now()))`);
      const replies = await Promise.all(
        steps.map((step) => (step === 'book' ? note(bakery, 10) : step === 'close' ? close(due.month) : post('month/reopen', { id: due.id, reason: '并发' }))),
      );
      for (const { status } of replies) expect(status).toBeLessThan(500);
      expect(await text(`(select count(*) from ledger_posting where create_time < date_trunc('month', now()))`)).toBe(before);
    }),
    { numRuns: 6 },
  );
  expect(await server.sql('select entry_id from ledger_posting group by entry_id having min(create_time) <> max(create_time)')).toEqual([]);
  expect((await get('check')).data).toEqual([]);
});

test('the journal of a period has the debits and credits of its trial balance, to the cent, with the codes of the tenant', async () => {
  const titles = (await get('account-titles')).data.titles.map((title: { account: number }) =>
    title.account === 2 ? { ...title, code: '1002.01', name: '招行' } : title,
  );
  expect((await post('account-titles/save', { titles })).code).toBe(200);
  const month = await monthBefore(2);
  const day = await lastDayOf(month);
  const { accounts } = (await get('trial-balance', { day })).data;
  const query = { createTime_datege: `${month}-01 00:00:00`, createTime_datelt: `${await monthBefore(1)}-01 00:00:00` };
  const { records } = (await get('journal/list', { ...query, size: '200' })).data;
  expect(records).toHaveLength(4);
  for (const { code, debit, credit } of accounts) {
    const lines = records.filter(({ accountCode }: { accountCode: string }) => accountCode === code);
    expect([sumOf(lines, 'debit'), sumOf(lines, 'credit')]).toEqual([debit, credit]);
  }
  const exported = (await post('journal/export', { format: 'csv', query })).data;
  expect(exported).toMatchObject({ state: 'done', total: 4 });
  const { link } = (await server.get('/api/transfer/link', { headers, query: { id: exported.id } })).data;
  const { payload } = (await server.app.inject({ url: link })) as { payload: string };
  expect(payload.startsWith('\uFEFF')).toBe(true);
  const [heading, ...lines] = payload.slice(1).trim().split('\r\n');
  expect(heading).toBe('凭证号,日期,科目编码,科目名称,借方,贷方,广告主编号,广告主,付款单号,摘要,来源');
  expect(lines.filter((line) => line.includes(',1002.01,招行,'))).toHaveLength(2);
  const cents = (index: number) => lines.slice(0, 4).reduce((sum, line) => sum + Math.round(Number(line.split(',')[index]) * 100), 0);
  expect([cents(4), cents(5)]).toEqual([sumOf(accounts, 'debit'), sumOf(accounts, 'credit')]);
});

test('closing has a permission of its own and is for users who see all advertisers', async () => {
  await server.createUser({ account: 'reader', codes: ['closing', 'ledger'] });
  const reader = await server.signIn('reader');
  expect((await post('month/close', { month: await monthBefore(1) }, reader)).status).toBe(403);
  expect((await get('month/checks', {}, reader)).code).toBe(200);
});
