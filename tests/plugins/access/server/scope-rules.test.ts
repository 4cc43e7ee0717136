import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
let advertisers: Record<'a' | 'b', string>;
let tasks: Record<'a' | 'b', string>;
let proofs: Record<'a' | 'b', string>;
beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access', 'payment', 'transfers'] });
  const other = await office.post('/api/oms-system/base/addadvertiser', { name: '书店', contact_name: '李', contact_phone: '13800000002' });
  advertisers = { a: office.parts.advertiserId, b: other.data.id };
  const ann = await office.claimer('ann');
  tasks = { a: await office.published({ title: '甲' }), b: await office.published({ title: '乙', advertiserId: advertisers.b }) };
  proofs = { a: await office.proof(tasks.a, ann.headers), b: await office.proof(tasks.b, ann.headers) };
}, 300_000);
afterAll(() => office?.server.stop());

const path = '/api/blade-system/scope-rule';
const codes = ['tasks', 'tasks_edit', 'tasks_delete', 'tasks_view', 'tasks_export', 'tasks_publish', 'tasks_xiajia', 'task_audit', 'task_record', 'task_pay'];
const ofAdvertiser = (id: string) => ({ all: [{ field: 'taskId.advertiserId', is: [id] }] });

let count = 0;
const person = async (own: readonly string[] = codes) => {
  const account = `person${++count}`;
  const { userId, roleId } = await office.server.createUser({ account, codes: own });
  return { account, userId, roleId, signIn: () => office.server.signIn(account) };
};
const set = (holder: object, rules: object[], by?: Record<string, string>) => office.post(`${path}/set`, { ...holder, rules }, by);
const idsOf = (reply: { data: { records: { id: string }[] } }) => reply.data.records.map(({ id }) => id).sort();
const listed = async (call: string, by: Record<string, string>, query = {}) => idsOf(await office.get(`${taskPath}/${call}`, { size: '200', ...query }, by));

test('areas name their pages and the fields that limit them, through the rows that a row belongs to', async () => {
  const { data } = await office.get(`${path}/areas`);
  const of = (entity: string) => data.find((area: { entity: string }) => area.entity === entity);
  expect(of('task_submission')).toMatchObject({ title: '任务审核、审核记录、任务付款', codes: ['task_audit', 'task_record', 'task_pay'] });
  expect(of('task').fields[0]).toMatchObject({ traits: { widget: 'reference', reference: { shape: 'rows', title: 'name' } } });
  const pathsOf = (entity: string) => Object.fromEntries(of(entity).fields.map((field: { target?: string; path: string }) => [field.target, field.path]));
  const wanted = (prefix: string) => ({ city: `${prefix}cityIds`, category: `${prefix}categoryId`, platform: `${prefix}platformId` });
  expect(pathsOf('task')).toMatchObject({ advertiser: 'advertiserId', dept: 'createDept', ...wanted('') });
  expect(pathsOf('task_submission')).toMatchObject({ advertiser: 'taskId.advertiserId', dept: 'taskId.createDept', ...wanted('taskId.') });
  expect(pathsOf('payout')).toMatchObject({ advertiser: 'advertiserId', dept: 'taskId.createDept', ...wanted('taskId.') });
  expect(pathsOf('ledger_posting')).toMatchObject({ advertiser: 'advertiserId', ...wanted('payNo.taskId.') });
});

test('a rule limits the list and likewise details, writes, batches, exports, counts and queues', async () => {
  const { userId, roleId, signIn } = await person();
  await set({ roleId }, [
    { entity: 'task', type: 5, condition: { all: [{ field: 'advertiserId', is: [advertisers.a] }] } },
    { entity: 'task_submission', type: 5, condition: ofAdvertiser(advertisers.a) },
  ]);
  const by = await signIn();
  expect(await listed('getList', by)).toEqual([tasks.a]);
  expect(await listed('getList', by, { title: '乙' })).toEqual([]);
  expect(await listed('getAuditList', by)).toEqual([proofs.a]);
  expect((await office.get(`${taskPath}/detail`, { id: tasks.b }, by)).status).toBe(404);
  expect((await office.get(`${taskPath}/timeline`, { id: tasks.b }, by)).status).toBe(404);
  expect((await office.post(`${taskPath}/submit`, { id: tasks.b, title: '改' }, by)).status).toBe(404);
  expect((await office.post(`${taskPath}/remove`, { ids: [tasks.b] }, by)).status).toBe(404);
  expect((await office.post(`${taskPath}/xiajia`, { ids: [tasks.a, tasks.b] }, by)).status).toBe(404);
  expect((await office.post(`${taskPath}/doAudit`, { ids: [proofs.a, proofs.b], status: 1 }, by)).status).toBe(404);
  expect((await office.post(`${taskPath}/export`, { format: 'csv' }, by)).data).toMatchObject({ total: 1 });
  expect((await office.get(`${taskPath}/audit/counts`, {}, by)).data).toMatchObject({ pending: 1 });
  expect((await office.post(`${taskPath}/audit/take`, { size: 50 }, by)).data).toMatchObject([{ id: proofs.a }]);
  const { data: preview } = await office.post(`${path}/preview`, { entity: 'task', type: 0, userId });
  expect(preview).toMatchObject({ total: 1, of: 2, isExact: true, titles: ['甲'] });
});

test('a preview that takes too long has no numbers and is not exact', async () => {
  await office.server.sql(
    `create function count_too_long() returns boolean language plpgsql as $$ begin raise exception 'too long' using errcode = 'query_canceled'; end $$`,
  );
  await office.server.sql('create policy count_too_long on task as restrictive for select using (count_too_long())');
  try {
    const { data } = await office.post(`${path}/preview`, { entity: 'task', type: 1 });
    expect(data).toMatchObject({ total: null, of: null, isExact: false, titles: [] });
  } finally {
    await office.server.sql('drop policy count_too_long on task');
    await office.server.sql('drop function count_too_long()');
  }
});

test('a rule of a person replaces what their roles show, and roles are united', async () => {
  const { userId, roleId, signIn } = await person();
  const first = { entity: 'task_submission', type: 5, condition: ofAdvertiser(advertisers.a) };
  expect((await set({ roleId }, [first])).status).toBe(200);
  const narrow = await signIn();
  expect(await listed('getAuditList', narrow)).toEqual([proofs.a]);
  const { data } = await set({ userId }, [{ ...first, condition: ofAdvertiser(advertisers.b) }]);
  expect(data.rules).toMatchObject([{ entity: 'task_submission', type: 5, sentence: '广告主为 书店', condition: ofAdvertiser(advertisers.b) }]);
  expect(data.inherited).toMatchObject([{ entity: 'task_submission', sentence: '广告主为 面包店' }]);
  expect(await listed('getAuditList', narrow)).toEqual([proofs.b]);
  await set({ userId }, [{ entity: 'task_submission', type: 0 }]);
  expect(await listed('getAuditList', narrow)).toEqual([proofs.a]);
  const { roleId: second } = await person(['task_audit']);
  await office.server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${second})`);
  expect(await listed('getAuditList', await signIn())).toEqual([proofs.a, proofs.b].sort());
  await set({ roleId: second }, [{ ...first, condition: ofAdvertiser('1') }]);
  expect(await listed('getAuditList', await signIn())).toEqual([proofs.a]);
});

test('a preview of a role shows what the role shows, whatever rule the previewer has', async () => {
  const { roleId } = await person();
  await set({ roleId }, [{ entity: 'task_submission', type: 5, condition: ofAdvertiser(advertisers.a) }]);
  const previewer = await office.server.createUser({ account: 'previewer', roleAlias: 'administrator' });
  const by = await office.server.signIn('previewer');
  await set({ userId: previewer.userId }, [{ entity: 'task_submission', type: 1 }]);
  expect(await listed('getAuditList', by)).toEqual([proofs.a, proofs.b].sort());
  expect((await office.post('/api/blade-system/role/preview', { roleIds: [roleId] }, by)).status).toBe(200);
  expect(await listed('getAuditList', by)).toEqual([proofs.a]);
});

test('own rows and those of the department follow the task of a submission', async () => {
  await office.server.sql(`insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name) values
    (100, '000000', 0, '0', '总部', '总部'), (110, '000000', 100, '0,100', '一部', '一部')`);
  await office.server.sql(`update task set create_dept = 110 where id = ${tasks.a}`);
  const { userId, signIn } = await person();
  await office.server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, 100)`);
  const seen = async (type: number, condition?: object) => {
    await set({ userId }, [{ entity: 'task_submission', type, condition }]);
    return listed('getAuditList', await signIn());
  };
  expect(await seen(2)).toEqual([]);
  expect(await seen(3)).toEqual([]);
  expect(await seen(4)).toEqual([proofs.a]);
  expect(await seen(5, { field: 'taskId.createDept', below: ['100'] })).toEqual([proofs.a]);
  expect(
    await seen(5, {
      any: [
        { field: 'taskId.createUser', of: 'me' },
        { field: 'taskId.advertiserId', isNot: [advertisers.a] },
      ],
    }),
  ).toEqual([proofs.b]);
  await office.server.sql(`update task set create_user = ${userId} where id = ${tasks.b}`);
  expect(await seen(2)).toEqual([proofs.b]);
});

test('users grant no more rows than they see, and do not change their own', async () => {
  const { userId, signIn } = await person([...codes, 'role', 'role_grant']);
  const target = await person();
  await set({ userId }, [{ entity: 'task_submission', type: 5, condition: ofAdvertiser(advertisers.a) }]);
  const by = await signIn();
  expect(await set({ userId }, [{ entity: 'task_submission', type: 1 }], by)).toMatchObject({ status: 403 });
  // Their department has no advertisers, so that the name of this one is not theirs to read.
  const { data } = await set({ roleId: target.roleId }, [{ entity: 'task_submission', type: 1 }], by);
  expect(data.rules).toMatchObject([{ type: 1, sentence: '全部数据', within: '广告主为 （已删除或不可见）' }]);
  expect(await listed('getAuditList', await target.signIn())).toEqual([proofs.a]);
  await set({ roleId: target.roleId }, [{ entity: 'task_submission', type: 0 }], by);
  expect(await listed('getAuditList', await target.signIn())).toEqual([proofs.a]);
  await set({ userId: target.userId }, [{ entity: 'task_submission', type: 1 }], by);
  expect(await set({ userId: target.userId }, [{ entity: 'task_submission', type: 0 }], by)).toMatchObject({ status: 403 });
  const { data: preview } = await office.post(`${path}/preview`, { entity: 'task_submission', type: 1 }, by);
  expect(preview).toMatchObject({ total: 1, of: 1 });
});

test('invalid rules, outdated versions and strangers are refused', async () => {
  const { roleId, userId } = await person();
  const refused = async (rule: object, msg: string) => expect(await set({ roleId }, [rule])).toMatchObject({ status: 400, msg });
  await refused({ entity: 'nowhere', type: 1 }, '没有可限定的数据 nowhere');
  await refused({ entity: 'task', type: 5 }, '条件不完整或不是有效的条件');
  await refused({ entity: 'task', type: 5, condition: { field: 'title', is: '甲' } }, '不能按 title 限定');
  await refused({ entity: 'task', type: 5, condition: { field: 'advertiserId.balance', is: 1 } }, '不能按 advertiserId.balance 限定');
  expect(await set({ roleId, userId }, [{ entity: 'task', type: 1 }])).toMatchObject({ status: 400, msg: '请指定角色或人员' });
  const { data } = await office.get(`${path}/of`, { roleId });
  await set({ roleId }, [{ entity: 'task', type: 2 }]);
  expect(await office.post(`${path}/set`, { roleId, rules: [{ entity: 'task', type: 3 }], version: data.version })).toMatchObject({ status: 409 });
  await office.server.createTenant('others');
  await office.server.createUser({ account: 'boss', codes: ['role', 'role_grant', 'tasks'], tenantId: 'others', roleAlias: 'admin' });
  const stranger = await office.server.signIn('boss', 'others');
  expect((await set({ roleId }, [{ entity: 'task', type: 1 }], stranger)).status).toBe(404);
  expect((await set({ userId }, [{ entity: 'task', type: 1 }], stranger)).status).toBe(404);
  expect((await office.get(`${path}/list`, {}, stranger)).data).toEqual([]);
  expect((await office.post(`${path}/preview`, { entity: 'task', type: 1 }, stranger)).data).toMatchObject({ total: 0, of: 0 });
  const history = await office.server.sql(`select entity from record_change where record_id = ${roleId} and entity = 'role'`);
  expect(history.length).toBeGreaterThan(0);
});
