import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ruleTypes } from '../../../../src/plugins/access/scope-contract.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
let advertisers: Record<'a' | 'b', string>;
let tasks: Record<'a' | 'b', string>;
let proofs: Record<'a' | 'b', string>;
beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access', 'payment', 'transfers'] });
  const other = await office.post('/api/oms-system/base/addadvertiser', { name: '书店', contact_name: '李', contact_phone: '13800000002' });
  advertisers = { a: office.requiredIds.advertiserId, b: other.data.id };
  const ann = await office.createMember('ann');
  tasks = { a: await office.publishTask({ title: '甲' }), b: await office.publishTask({ title: '乙', advertiserId: advertisers.b }) };
  proofs = { a: await office.submitProof(tasks.a, ann.headers), b: await office.submitProof(tasks.b, ann.headers) };
}, 300_000);
afterAll(() => office?.server.stop());

const path = '/api/blade-system/scope-rule';
const codes = ['tasks', 'tasks_edit', 'tasks_delete', 'tasks_view', 'tasks_export', 'tasks_publish', 'tasks_xiajia', 'task_audit', 'task_record', 'task_pay'];
const ofAdvertiser = (id: string) => ({ all: [{ field: 'taskId.advertiserId', is: [id] }] });

let count = 0;
/** Creates a user with a role of their own that has these permission codes. */
const createPerson = async (own: readonly string[] = codes) => {
  const account = `person${++count}`;
  const { userId, roleId } = await office.server.createUser({ account, codes: own });
  return { account, userId, roleId, signIn: () => office.server.signIn(account) };
};
const setRules = (holder: { roleId?: string; userId?: string }, rules: object[], headers?: Record<string, string>) =>
  office.post(`${path}/set`, { ...holder, rules }, headers);
const idsOf = (reply: { data: { records: { id: string }[] } }) => reply.data.records.map(({ id }) => id).sort();
const listIds = async (call: string, headers: Record<string, string>, query = {}) =>
  idsOf(await office.get(`${taskPath}/${call}`, { size: '200', ...query }, headers));

test('an area lists its pages and the paths of the fields that a rule can use, through references too', async () => {
  const { data } = await office.get(`${path}/areas`);
  const areaOf = (entity: string) => data.find((area: { entity: string }) => area.entity === entity);
  expect(areaOf('task_submission')).toMatchObject({ title: '任务审核、审核记录、任务付款', codes: ['task_audit', 'task_record', 'task_pay'] });
  expect(areaOf('task').fields[0]).toMatchObject({ traits: { widget: 'reference', reference: { shape: 'rows', title: 'name' } } });
  const pathsOf = (entity: string) => Object.fromEntries(areaOf(entity).fields.map((field: { target?: string; path: string }) => [field.target, field.path]));
  const sharedPaths = (prefix: string) => ({ city: `${prefix}cityIds`, category: `${prefix}categoryId`, platform: `${prefix}platformId` });
  expect(pathsOf('task')).toMatchObject({ advertiser: 'advertiserId', dept: 'createDept', ...sharedPaths('') });
  expect(pathsOf('task_submission')).toMatchObject({ advertiser: 'taskId.advertiserId', dept: 'taskId.createDept', ...sharedPaths('taskId.') });
  expect(pathsOf('payout')).toMatchObject({ advertiser: 'advertiserId', dept: 'taskId.createDept', ...sharedPaths('taskId.') });
  expect(pathsOf('ledger_posting')).toMatchObject({ advertiser: 'advertiserId', ...sharedPaths('payNo.taskId.') });
});

test('a rule limits the list and likewise details, writes, batches, exports, counts and queues', async () => {
  const { userId, roleId, signIn } = await createPerson();
  await setRules({ roleId }, [
    { entity: 'task', type: ruleTypes.custom, condition: { all: [{ field: 'advertiserId', is: [advertisers.a] }] } },
    { entity: 'task_submission', type: ruleTypes.custom, condition: ofAdvertiser(advertisers.a) },
  ]);
  const headers = await signIn();
  expect(await listIds('getList', headers)).toEqual([tasks.a]);
  expect(await listIds('getList', headers, { title: '乙' })).toEqual([]);
  expect(await listIds('getAuditList', headers)).toEqual([proofs.a]);
  expect((await office.get(`${taskPath}/detail`, { id: tasks.b }, headers)).status).toBe(404);
  expect((await office.get(`${taskPath}/timeline`, { id: tasks.b }, headers)).status).toBe(404);
  expect((await office.post(`${taskPath}/submit`, { id: tasks.b, title: '改' }, headers)).status).toBe(404);
  expect((await office.post(`${taskPath}/remove`, { ids: [tasks.b] }, headers)).status).toBe(404);
  expect((await office.post(`${taskPath}/xiajia`, { ids: [tasks.a, tasks.b] }, headers)).status).toBe(404);
  expect((await office.post(`${taskPath}/doAudit`, { ids: [proofs.a, proofs.b], status: 1 }, headers)).status).toBe(404);
  expect((await office.post(`${taskPath}/export`, { format: 'csv' }, headers)).data).toMatchObject({ total: 1 });
  expect((await office.get(`${taskPath}/audit/counts`, {}, headers)).data).toMatchObject({ pending: 1 });
  expect((await office.post(`${taskPath}/audit/take`, { size: 50 }, headers)).data).toMatchObject([{ id: proofs.a }]);
  const { data: preview } = await office.post(`${path}/preview`, { entity: 'task', type: ruleTypes.follow, userId });
  expect(preview).toMatchObject({ total: 1, of: 2, isExact: true, titles: ['甲'] });
});

test('a preview that takes too long has no numbers and is not exact', async () => {
  await office.server.sql(
    `create function count_too_long() returns boolean language plpgsql as $$ begin raise exception 'too long' using errcode = 'query_canceled'; end $$`,
  );
  await office.server.sql('create policy count_too_long on task as restrictive for select using (count_too_long())');
  try {
    const { data } = await office.post(`${path}/preview`, { entity: 'task', type: ruleTypes.all });
    expect(data).toMatchObject({ total: null, of: null, isExact: false, titles: [] });
  } finally {
    await office.server.sql('drop policy count_too_long on task');
    await office.server.sql('drop function count_too_long()');
  }
});

test('a rule of a user replaces those of their roles, and a user sees the rows of each of their roles', async () => {
  const { userId, roleId, signIn } = await createPerson();
  const rule = { entity: 'task_submission', type: ruleTypes.custom, condition: ofAdvertiser(advertisers.a) };
  expect((await setRules({ roleId }, [rule])).status).toBe(200);
  const headers = await signIn();
  expect(await listIds('getAuditList', headers)).toEqual([proofs.a]);
  const { data } = await setRules({ userId }, [{ ...rule, condition: ofAdvertiser(advertisers.b) }]);
  expect(data.rules).toMatchObject([{ entity: 'task_submission', type: ruleTypes.custom, sentence: '广告主为 书店', condition: ofAdvertiser(advertisers.b) }]);
  expect(data.inherited).toMatchObject([{ entity: 'task_submission', sentence: '广告主为 面包店' }]);
  expect(await listIds('getAuditList', headers)).toEqual([proofs.b]);
  await setRules({ userId }, [{ entity: 'task_submission', type: ruleTypes.follow }]);
  expect(await listIds('getAuditList', headers)).toEqual([proofs.a]);
  const { roleId: secondRoleId } = await createPerson(['task_audit']);
  await office.server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${secondRoleId})`);
  expect(await listIds('getAuditList', await signIn())).toEqual([proofs.a, proofs.b].sort());
  await setRules({ roleId: secondRoleId }, [{ ...rule, condition: ofAdvertiser('1') }]);
  expect(await listIds('getAuditList', await signIn())).toEqual([proofs.a]);
});

test('a preview of a role shows what the role shows, whatever rule the previewer has', async () => {
  const { roleId } = await createPerson();
  await setRules({ roleId }, [{ entity: 'task_submission', type: ruleTypes.custom, condition: ofAdvertiser(advertisers.a) }]);
  const previewer = await office.server.createUser({ account: 'previewer', roleAlias: 'administrator' });
  const headers = await office.server.signIn('previewer');
  await setRules({ userId: previewer.userId }, [{ entity: 'task_submission', type: ruleTypes.all }]);
  expect(await listIds('getAuditList', headers)).toEqual([proofs.a, proofs.b].sort());
  expect((await office.post('/api/blade-system/role/preview', { roleIds: [roleId] }, headers)).status).toBe(200);
  expect(await listIds('getAuditList', headers)).toEqual([proofs.a]);
});

test('the scopes of own rows and of departments go by the creator and department of the task of a submission', async () => {
  await office.server.sql(`insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name) values
    (100, '000000', 0, '0', '总部', '总部'), (110, '000000', 100, '0,100', '一部', '一部')`);
  await office.server.sql(`update task set create_dept = 110 where id = ${tasks.a}`);
  const { userId, signIn } = await createPerson();
  await office.server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, 100)`);
  const idsWithRule = async (type: number, condition?: object) => {
    await setRules({ userId }, [{ entity: 'task_submission', type, condition }]);
    return listIds('getAuditList', await signIn());
  };
  expect(await idsWithRule(ruleTypes.own)).toEqual([]);
  expect(await idsWithRule(ruleTypes.department)).toEqual([]);
  expect(await idsWithRule(ruleTypes.departmentAndBelow)).toEqual([proofs.a]);
  expect(await idsWithRule(ruleTypes.custom, { field: 'taskId.createDept', below: ['100'] })).toEqual([proofs.a]);
  expect(
    await idsWithRule(ruleTypes.custom, {
      any: [
        { field: 'taskId.createUser', of: 'me' },
        { field: 'taskId.advertiserId', isNot: [advertisers.a] },
      ],
    }),
  ).toEqual([proofs.b]);
  await office.server.sql(`update task set create_user = ${userId} where id = ${tasks.b}`);
  expect(await idsWithRule(ruleTypes.own)).toEqual([proofs.b]);
});

test('users cannot grant more rows than they see, and cannot change their own rules', async () => {
  const { userId, signIn } = await createPerson([...codes, 'role', 'role_grant']);
  const target = await createPerson();
  await setRules({ userId }, [{ entity: 'task_submission', type: ruleTypes.custom, condition: ofAdvertiser(advertisers.a) }]);
  const headers = await signIn();
  expect(await setRules({ userId }, [{ entity: 'task_submission', type: ruleTypes.all }], headers)).toMatchObject({ status: 403 });
  // The granter cannot read advertisers, so the sentence does not name this one.
  const { data } = await setRules({ roleId: target.roleId }, [{ entity: 'task_submission', type: ruleTypes.all }], headers);
  expect(data.rules).toMatchObject([{ type: ruleTypes.all, sentence: '全部数据', within: '广告主为 （已删除或不可见）' }]);
  expect(await listIds('getAuditList', await target.signIn())).toEqual([proofs.a]);
  await setRules({ roleId: target.roleId }, [{ entity: 'task_submission', type: ruleTypes.follow }], headers);
  expect(await listIds('getAuditList', await target.signIn())).toEqual([proofs.a]);
  await setRules({ userId: target.userId }, [{ entity: 'task_submission', type: ruleTypes.all }], headers);
  expect(await setRules({ userId: target.userId }, [{ entity: 'task_submission', type: ruleTypes.follow }], headers)).toMatchObject({ status: 403 });
  const { data: preview } = await office.post(`${path}/preview`, { entity: 'task_submission', type: ruleTypes.all }, headers);
  expect(preview).toMatchObject({ total: 1, of: 1 });
});

test('invalid rules, outdated versions and users of another tenant are refused', async () => {
  const { roleId, userId } = await createPerson();
  const refused = async (rule: object, msg: string) => expect(await setRules({ roleId }, [rule])).toMatchObject({ status: 400, msg });
  await refused({ entity: 'nowhere', type: ruleTypes.all }, '没有可限定的数据 nowhere');
  await refused({ entity: 'task', type: ruleTypes.custom }, '条件不完整或不是有效的条件');
  await refused({ entity: 'task', type: ruleTypes.custom, condition: { field: 'title', is: '甲' } }, '不能按 title 限定');
  await refused({ entity: 'task', type: ruleTypes.custom, condition: { field: 'advertiserId.balance', is: 1 } }, '不能按 advertiserId.balance 限定');
  expect(await setRules({ roleId, userId }, [{ entity: 'task', type: ruleTypes.all }])).toMatchObject({ status: 400, msg: '请指定角色或人员' });
  const { data } = await office.get(`${path}/of`, { roleId });
  await setRules({ roleId }, [{ entity: 'task', type: ruleTypes.own }]);
  expect(await office.post(`${path}/set`, { roleId, rules: [{ entity: 'task', type: ruleTypes.department }], version: data.version })).toMatchObject({
    status: 409,
  });
  await office.server.createTenant('others');
  await office.server.createUser({ account: 'boss', codes: ['role', 'role_grant', 'tasks'], tenantId: 'others', roleAlias: 'admin' });
  const stranger = await office.server.signIn('boss', 'others');
  expect((await setRules({ roleId }, [{ entity: 'task', type: ruleTypes.all }], stranger)).status).toBe(404);
  expect((await setRules({ userId }, [{ entity: 'task', type: ruleTypes.all }], stranger)).status).toBe(404);
  expect((await office.get(`${path}/list`, {}, stranger)).data).toEqual([]);
  expect((await office.post(`${path}/preview`, { entity: 'task', type: ruleTypes.all }, stranger)).data).toMatchObject({ total: 0, of: 0 });
  const history = await office.server.sql(`select entity from record_change where record_id = ${roleId} and entity = 'role'`);
  expect(history.length).toBeGreaterThan(0);
});
