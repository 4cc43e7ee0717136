import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { crud, entity } from '#shared/contract';
import { Id, State } from '#shared/fields';
import { createServerHarness } from '../../kit/server.ts';
import { coupon, couponStates } from '../../support/coupon-calls.ts';
import { couponPlugin } from '../../support/coupon-plugin.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const heard: string[] = [];
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: [couponPlugin((name, rows) => void heard.push(`${name} ${rows.map((row) => row.name)}`))] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const add = async (name: string) => (await server.post(coupon.submit.path, { name }, { headers })).data.id as string;
const { activate, end } = coupon.transitions;
const english = () => ({ headers: { ...headers, 'accept-language': 'en' } });

test('a new row has the first state, whatever its form says', async () => {
  const { data } = await server.post(coupon.submit.path, { name: '一', state: couponStates.ended }, { headers });
  expect(data).toMatchObject({ state: couponStates.draft });
});

test('a transition changes the state, writes author and history and runs the hook', async () => {
  const id = await add('二');
  expect(await server.post(activate.path, { ids: [id] }, { headers })).toMatchObject({ code: 200 });
  const { data } = await server.get(coupon.detail.path, { headers, query: { id } });
  expect(data).toMatchObject({ state: couponStates.active, updateUser: expect.stringMatching(/^\d+$/) });
  const history = await server.get(coupon.history?.path ?? '', { headers, query: { id } });
  expect(history.data.records[0]).toMatchObject({ action: 'updated', title: '启用', fields: { state: [couponStates.draft, couponStates.active] } });
  expect(heard).toContain('activate 二');
});

test('a transition from another state is refused with the name and the state of the row', async () => {
  const id = await add('三');
  await server.post(activate.path, { ids: [id] }, { headers });
  expect(await server.post(activate.path, { ids: [id] }, { headers })).toMatchObject({ code: 409, msg: '「三」当前为“有效”，不能启用' });
  expect((await server.post(activate.path, { ids: [id] }, english())).msg).toBe('“三” is in the state “Active”, which does not allow: Activate.');
});

test('a transition requires its fields and its permission code', async () => {
  const id = await add('四');
  expect(await server.post(end.path, { ids: [id] }, { headers })).toMatchObject({ code: 400, body: { field: 'reason' } });
  expect(await server.post(end.path, { ids: [id], reason: '过期' }, { headers })).toMatchObject({ code: 200 });
  const ended = { state: couponStates.ended, reason: '过期', endedTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) };
  expect((await server.get(coupon.detail.path, { headers, query: { id } })).data).toMatchObject(ended);
  await server.createUser({ account: 'reader', codes: ['coupon', 'coupon_activate'] });
  expect(await server.post(end.path, { ids: [id], reason: '过期' }, { headers: await server.signIn('reader') })).toMatchObject({ code: 403 });
});

test('a batch in part reports the rows in other states', async () => {
  const [draft, active] = [await add('五'), await add('六')];
  await server.post(activate.path, { ids: [active] }, { headers });
  const { data } = await server.post(activate.path, { ids: [draft, active], partial: true }, { headers });
  expect(data).toMatchObject({ done: 1, total: 2, rows: [{ id: active, title: '六', code: 409 }] });
});

test('forms edit a row only while its entity allows it', async () => {
  const id = await add('七');
  expect(await server.post(coupon.submit.path, { id, name: '柒' }, { headers })).toMatchObject({ code: 200 });
  await server.post(activate.path, { ids: [id] }, { headers });
  expect(await server.post(coupon.submit.path, { id, name: '漆' }, { headers })).toMatchObject({ code: 409, msg: '「柒」在当前状态下不能编辑' });
  const bulk = await server.post(coupon.bulkSubmit.path, { ids: [id], values: { name: '漆' } }, { headers });
  expect(bulk).toMatchObject({ code: 409 });
});

test('a transition without a permission code has no call', () => {
  const Voucher = entity('voucher', {
    id: Id(),
    state: State({
      title: ['状态', 'State'],
      states: [
        [1, ['有效', 'Active']],
        [2, ['已兑换', 'Redeemed']],
      ],
      transitions: [
        { name: 'redeem', title: ['兑换', 'Redeem'], from: [1], to: 2 },
        { name: 'reopen', title: ['撤销兑换', 'Reopen'], from: [2], to: 1, code: 'voucher_reopen' },
      ],
    }),
  });
  const { transitions } = crud('/api/voucher', Voucher);
  expect(Object.keys(transitions satisfies { readonly reopen: unknown; readonly redeem?: never })).toEqual(['reopen']);
});

test('a job changes rows of all tenants, each with its tenant, and its history has no author', async () => {
  const harness = await createServerHarness({ plugins: [couponPlugin()] });
  const admin = await harness.signIn();
  const { id } = (await harness.post(coupon.submit.path, { name: '八' }, { headers: admin })).data;
  await harness.post(activate.path, { ids: [id] }, { headers: admin });
  await harness.createTenant('guests');
  await harness.sql("insert into coupon (tenant_id, name, state) values ('guests', 'nine', 2), ('guests', 'ten', 1)");
  expect((await harness.runJob('coupon:end-all'))?.split(',').toSorted()).toEqual(['000000', 'guests']);
  expect(await harness.sql("select state from coupon where tenant_id = 'guests' order by name")).toEqual([{ state: 3 }, { state: 1 }]);
  const recorded = await harness.sql("select tenant_id, user_id, fields from record_change where entity = 'coupon' and tenant_id = 'guests'");
  expect(recorded).toMatchObject([{ user_id: null, fields: { state: [2, 3], reason: [null, 'closed'] } }]);
});

test('the server itself cannot change a state without a transition', async () => {
  const id = await add('九');
  await server.post(end.path, { ids: [id], reason: '过期' }, { headers });
  const reopen = server.host.jobs.of('coupon:reopen');
  const run = reopen?.run({ write: (work: () => Promise<unknown>) => server.db.write({ tenantId: '000000' }, work) } as never);
  await expect(run).rejects.toMatchObject({
    name: 'ApiError',
    problem: { status: 409, message: ['「{name}」当前为“已停用”，不能改为“草稿”', expect.any(String)] },
  });
});

test('a declaration with an unknown state, an unknown field or two transitions of one name is refused', () => {
  const declare = (transition: { name: string; from: number[]; to: number; fields?: string[]; time?: string }) => () =>
    entity('sample', {
      id: Id(),
      state: State({
        title: ['状态', 'State'],
        states: [
          [1, ['一', 'One']],
          [2, ['二', 'Two']],
        ],
        transitions: [{ name: 'open', title: ['开', 'Open'], from: [1], to: 2, code: 'a' }, { title: ['关', 'Close'], code: 'b', ...transition } as never],
      }),
    });
  expect(declare({ name: 'close', from: [2], to: 3 })).toThrow('sample.state has no state 3, which its transition close names');
  expect(declare({ name: 'close', from: [2], to: 1, fields: ['why'] })).toThrow('sample has no field why');
  expect(declare({ name: 'close', from: [2], to: 1, time: 'state' })).toThrow('sample has no Nullable(DateTime) field state with form: false');
  expect(declare({ name: 'open', from: [2], to: 1 })).toThrow('sample has two transitions called open');
});
