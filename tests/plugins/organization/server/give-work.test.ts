import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { clientHeaders } from '../../../support/test-server.ts';

const path = '/api/oms-system/user';

let office: TaskOffice;
let admin: Record<string, string>;
beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access'] });
  admin = await office.server.signIn();
});
afterAll(() => office.server.stop());

interface Work {
  readonly key: string;
  readonly title: string;
  readonly parts: readonly string[];
  readonly targets: readonly string[];
}

const works = async (headers = admin) => (await office.get(`${path}/works`, {}, headers)).data.works as Work[];
const give = (body: object, headers = admin) => office.post(`${path}/give-work`, body, headers);
const rolesNamed = (name: string) => office.server.sql(`select id from role where role_name = '${name}' and is_deleted = 0`);

/** Signs a new user in with the one-time password of the reply; their own password is then set as that of other test users. */
async function firstSignIn(account: string, told: string) {
  const { status } = await office.server.post(
    '/api/things-auth/oauth/token',
    { grant_type: 'password', username: account, password: told },
    { headers: clientHeaders },
  );
  expect(status).toBe(200);
  await office.server.sql(
    `update user_account set password_expired = false, password_hash = (select password_hash from user_account where account = 'worker') where account = '${account}'`,
  );
  return office.server.signIn(account);
}

test('a new user gets account, role and visible rows in one request, and sees no other rows', async () => {
  const added = await office.post('/api/oms-system/base/addadvertiser', { name: '茶馆', contact_name: '李', contact_phone: '13800000002' });
  const mine = await office.publishTask({ quantity: 10, perUserLimit: 0, advertiserId: added.data.id });
  const other = await office.publishTask({ quantity: 10, perUserLimit: 0 });
  const claimer = await office.createMember('worker');
  const [shown] = [await office.submitProof(mine, claimer.headers), await office.submitProof(other, claimer.headers)];
  const audit = (await works()).find(({ key }) => key === 'page:task_audit') as Work;
  expect(audit.targets).toContain('advertiser');
  const limits = [{ target: 'advertiser', ids: [added.data.id] }];
  const person = { account: 'li', realName: '李四', phone: '13800000001' };
  const { data } = await give({ ...person, works: [audit.key], limits });
  expect(data).toMatchObject({ account: 'li', oneTimePassword: { account: 'li', password: expect.any(String) } });
  const li = await firstSignIn('li', data.oneTimePassword.password);
  expect((await office.get(`${taskPath}/audit/peek`, {}, li)).data.map(({ id }: { id: string }) => id)).toEqual([shown]);
  expect(await rolesNamed(audit.title)).toHaveLength(1);
  // To see personal data is granted to roles one by one, and does not come with a page.
  const buttons = await office.server.sql(
    `select m.code from role_menu rm join menu m on m.id = rm.menu_id join role r on r.id = rm.role_id where r.role_name = '${audit.title}' and m.code like '%_personal'`,
  );
  expect(buttons).toEqual([]);
  expect((await give({ account: 'wu', realName: '吴五', works: [audit.key] })).status).toBe(200);
  expect(await rolesNamed(audit.title)).toHaveLength(1);
});

test('a refused limit leaves neither account nor role', async () => {
  const limits = [{ target: 'no_such_rows', ids: ['1'] }];
  expect((await give({ account: 'never', realName: '无', works: ['page:task_record'], limits })).status).toBe(400);
  expect(await office.server.sql(`select 1 from user_account where account = 'never'`)).toEqual([]);
  expect(await give({ works: ['page:task_audit'] })).toMatchObject({ status: 400, msg: '请指定一位已有用户或填写新用户' });
});

test('a known user keeps the work that they have', async () => {
  const { userId, roleId } = await office.server.createUser({ account: 'known', codes: ['task_record'] });
  const { data } = await give({ userId, works: ['page:task_audit'] });
  expect(data).toEqual({ id: userId, account: 'known', realName: expect.any(String) });
  expect((await office.get(`${path}/detail`, { id: userId })).data.roleId.split(',')).toContain(roleId);
});

test('work that the giver lacks is refused, as are stronger accounts, the giver and other tenants', async () => {
  const giver = await office.server.createUser({ account: 'giver', codes: ['user', 'user_role', 'role_add', 'role_grant', 'task_record'] });
  const headers = await office.server.signIn('giver');
  const { userId: plain } = await office.server.createUser({ account: 'plain' });
  const { userId: foreign } = await office.server.createUser({ account: 'elsewhere', tenantId: '100001' });
  const { userId: strong } = await office.server.createUser({ account: 'strong', codes: ['task_audit'] });
  expect((await works(headers)).map(({ key }) => key)).not.toContain('page:task_audit');
  expect((await give({ userId: plain, works: ['page:task_audit'] }, headers)).status).toBe(403);
  expect((await give({ userId: strong, works: ['page:task_record'] }, headers)).status).toBe(403);
  expect((await give({ userId: giver.userId, works: ['page:task_record'] }, headers)).status).toBe(403);
  expect((await give({ userId: foreign, works: ['page:task_record'] }, headers)).status).toBe(404);
  expect((await give({ account: 'fresh', realName: '新', works: ['page:task_record'] }, headers)).status).toBe(403);
  expect((await give({ userId: plain, works: ['page:task_record'] }, headers)).status).toBe(200);
  const assigner = await office.server
    .createUser({ account: 'assigner', codes: ['user', 'user_role', 'task_record'] })
    .then(() => office.server.signIn('assigner'));
  expect((await works(assigner)).every(({ key }) => key.startsWith('role:'))).toBe(true);
  expect((await give({ userId: plain, works: ['page:task_record'] }, assigner)).status).toBe(403);
  expect((await office.get(`${path}/works`, {}, (await office.createMember('outsider')).headers)).status).toBe(403);
});
