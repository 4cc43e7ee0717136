import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { serverContract } from '#kit/server';
import * as contract from '#plugins/email/contract';
import * as own from '#plugins/email/own-contract';
import { viewsKey } from '#shared/views';
import { pausedEmail } from '../../../support/paused-email.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

serverContract('email', { ...contract, ...own }, { beside: ['transfers'] });

const path = '/api/blade-resource/email';
const list = '/api/blade-system/post/list';
let server: TestServer;
let admin: Record<string, string>;
let work: ReturnType<typeof pausedEmail>['run'];

beforeAll(async () => {
  const { installed, run } = pausedEmail();
  work = run;
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'transfers', 'inbox', 'registration', installed] });
  admin = await server.signIn();
  await server.sql(`update user_account set email = 'boss@mail.test' where account = 'admin'`);
  const settings = {
    host: 'smtp.mail.test',
    security: 0,
    port: 25,
    senderName: 'Console',
    senderAddress: 'console@mail.test',
    consoleUrl: 'https://console.example.com',
  };
  expect(await server.post(`${path}/submit`, settings, { headers: admin })).toMatchObject({ code: 200 });
});
afterAll(() => server.stop());

/** Returns the decrypted contents of queued e-mails, and forgets them. */
async function queued(): Promise<
  { address: string; kind: string; subject: string; text: string; html: string; attachments: { name: string; text: string }[] }[]
> {
  const rows = await server.sql('delete from email_message returning address, kind, content');
  return rows.map(({ address, kind, content }) => ({ address, kind, ...JSON.parse(server.db.encryption.decrypt(String(content))) }));
}
const idOf = async (account: string) => String((await server.sql(`select id::text as id from user_account where account = '${account}'`))[0]?.id);
const saveView = async (userId: string, view: object) =>
  server.sql(
    `insert into user_preference (tenant_id, user_id, key, version, value) values ('000000', ${userId}, '${viewsKey(list)}', 1, '${JSON.stringify({ views: [view] })}')
     on conflict (tenant_id, user_id, key) do update set value = excluded.value`,
  );
const view = {
  name: '经理岗',
  filters: { postName: '经理' },
  conditions: [],
  columns: [{ name: 'postName' }, { name: 'postCode' }],
  sort: { field: 'sort', direction: 'asc' },
};
const makeDue = () => server.sql(`update email_view set next_at = now() - interval '1 minute'`);

test('a view is mailed to its owner with their permissions, as CSV if they may export it, once a week', async () => {
  for (const [name, code] of [
    ['经理', 'm1'],
    ['副经理', 'm2'],
    ['会计', 'k1'],
  ])
    expect(await server.post('/api/blade-system/post/submit', { postName: name, postCode: code, category: '1', sort: 1 }, { headers: admin })).toMatchObject({
      code: 200,
    });
  await saveView(await idOf('admin'), view);
  expect(await server.post(`${path}/own/mail-view`, { list, view: '没有' }, { headers: admin })).toMatchObject({ status: 404 });
  expect((await server.post(`${path}/own/mail-view`, { list, view: view.name }, { headers: admin })).data).toEqual({
    address: 'boss@mail.test',
    weekday: 1,
    hour: 9,
  });
  const [next] = await server.sql(
    `select extract(isodow from next_at)::integer as day, to_char(next_at, 'HH24:MI') as time, next_at > now() as later from email_view`,
  );
  expect(next).toEqual({ day: 1, time: '09:00', later: true });
  expect((await server.get(`${path}/own/views`, { headers: admin })).data).toMatchObject({ isOffered: true, views: [{ title: '岗位管理', view: view.name }] });
  await work.views();
  expect(await queued()).toEqual([]);
  await makeDue();
  await Promise.all([work.views(), work.views()]);
  const [mail, ...more] = await queued();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ address: 'boss@mail.test', kind: 'email:view', subject: '经理岗（岗位管理）：2 条' });
  expect(mail?.text).toContain('岗位名称 | 岗位编号');
  expect(mail?.text).toContain('副经理 | m2');
  expect(mail?.text).not.toContain('会计');
  expect(mail?.text).toContain('https://console.example.com/system/post/index?postName=');
  expect(mail?.attachments).toMatchObject([{ name: '经理岗.csv', text: expect.stringContaining('m1') }]);
  expect((await server.sql('select next_at > now() as later, lease_until from email_view'))[0]).toEqual({ later: true, lease_until: null });
});

test('a view without the permission to export has no attachment, and stops with a notice when the list or the view is gone', async () => {
  const { userId, roleId } = await server.createUser({ account: 'reader', codes: ['post'] });
  await server.sql(`update user_account set email = 'reader@mail.test' where id = ${userId}`);
  const headers = await server.signIn('reader');
  await saveView(userId, view);
  await server.sql('delete from email_view');
  expect(await server.post(`${path}/own/mail-view`, { list, view: view.name, weekday: 5, hour: 18 }, { headers })).toMatchObject({ code: 200 });
  await makeDue();
  await work.views();
  expect(await queued()).toMatchObject([{ address: 'reader@mail.test', attachments: [] }]);
  await server.sql(`delete from role_menu where role_id = ${roleId}`);
  await server.post('/api/blade-system/role/submit', {}, { headers: admin });
  await makeDue();
  await work.views();
  expect(await queued()).toMatchObject([{ kind: 'email:view-stopped', text: expect.stringContaining('您已无权查看此列表') }]);
  expect(await server.sql('select 1 from email_view')).toEqual([]);
  await saveView(await idOf('admin'), view);
  await server.post(`${path}/own/mail-view`, { list, view: view.name }, { headers: admin });
  await saveView(await idOf('admin'), { ...view, name: '改名' });
  await makeDue();
  await work.views();
  expect(await queued()).toMatchObject([{ kind: 'email:view-stopped', text: expect.stringContaining('视图已被删除') }]);
  const notices = await server.sql(`select title from inbox_message where not is_sample`);
  expect(notices).toHaveLength(2);
});

test('people with pending work are reminded once a day', async () => {
  await server.sql(`update email_server set create_time = now() - interval '2 days'`);
  await server
    .sql(`insert into param (param_key, param_value, param_name) values ('email.digestHour', '0', 'x') on conflict do nothing`)
    .catch(() => undefined);
  await server.sql(`insert into registration (tenant_id, account, name, source, user_id) values ('000000', 'new', '新人', 'form', ${await idOf('admin')})`);
  await work.digest();
  await work.digest();
  const mails = (await queued()).filter(({ kind }) => kind === 'email:waiting');
  const [day] = await server.sql('select extract(isodow from now()) < 6 and extract(hour from now()) >= 9 as reminds');
  expect(mails).toHaveLength(day?.reminds ? 1 : 0);
});

test('new passwords are e-mailed to the accounts that have an address, which sign in with them; others keep theirs', async () => {
  const [reached, letterless] = [await server.createUser({ account: 'reached' }), await server.createUser({ account: 'letterless' })];
  await server.sql(`update user_account set email = 'reached@mail.test' where account = 'reached'`);
  const before = await server.signIn('letterless');
  const reply = await server.post('/api/oms-system/user/mail-password', { ids: [reached.userId, letterless.userId], partial: true }, { headers: admin });
  const refused = { id: letterless.userId, code: 409, message: 'letterless 没有可用的邮箱，请先补充或直接重置密码' };
  expect(reply).toMatchObject({ code: 200, data: { done: 1, total: 2, rows: [refused] } });
  expect(JSON.stringify(reply)).not.toMatch(/password":/);
  const [{ content } = {}] = await server.sql('select content from email_message');
  const [mail, ...more] = await queued();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ address: 'reached@mail.test', kind: 'email:password' });
  const [, password = ''] = /一次性密码：(\S+)/.exec(mail?.text ?? '') ?? [];
  expect(content).not.toContain(password);
  const query = { tenantId: '000000', grant_type: 'password', username: 'reached', password: createHash('md5').update(password).digest('hex'), scope: 'all' };
  const signIn = await server.post('/api/things-auth/oauth/token', {}, { query, headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}` } });
  expect(signIn.body).toMatchObject({ password_expired: true });
  expect((await server.get('/api/blade-system/user/info', { headers: before })).code).toBe(200);
});

test('a new or reset password says whether a new one can be e-mailed in its place', async () => {
  const add = async (account: string, more: object) =>
    (await server.post('/api/oms-system/user/submit', { account, realName: account, name: account, ...more }, { headers: admin })).data;
  const [addressed, plain] = [await add('addressed', { email: 'addressed@mail.test' }), await add('plain', {})];
  expect([addressed.oneTimePassword.isMailable, plain.oneTimePassword.isMailable]).toEqual([true, undefined]);
  const reset = async (headers: Record<string, string>, ...userIds: string[]) =>
    (await server.post('/api/oms-system/user/reset-password', { userIds }, { headers })).data.passwords.map(
      ({ id, isMailable = false }: { id: string; isMailable?: boolean }) => [id, isMailable],
    );
  expect(Object.fromEntries(await reset(admin, addressed.id, plain.id))).toEqual({ [addressed.id]: true, [plain.id]: false });
  await server.createTenant('100010');
  await server.createUser({ account: 'serverless', tenantId: '100010', codes: ['user_reset'] });
  const { userId } = await server.createUser({ account: 'colleague', tenantId: '100010' });
  await server.sql(`update user_account set email = 'colleague@mail.test' where id = ${userId}`);
  expect(await reset(await server.signIn('serverless', '100010'), userId)).toEqual([[userId, false]]);
});

test('passwords of another tenant and the own one are not e-mailed, and a refused request resets none', async () => {
  await server.createTenant('100008');
  const { userId: foreign } = await server.createUser({ account: 'foreign', tenantId: '100008' });
  const { userId: present } = await server.createUser({ account: 'present' });
  await server.sql(`update user_account set email = account || '@mail.test' where account in ('foreign', 'present')`);
  const before = await server.signIn('present');
  const mail = async (...ids: string[]) => (await server.post('/api/oms-system/user/mail-password', { ids }, { headers: admin })).status;
  expect(await mail(present, foreign)).toBe(404);
  expect(await mail(present, await idOf('admin'))).toBe(403);
  expect(await queued()).toEqual([]);
  expect((await server.get('/api/blade-system/user/info', { headers: before })).code).toBe(200);
});

test('passwords are not e-mailed without a mail server', async () => {
  await server.createTenant('100009');
  await server.createUser({ account: 'chief', tenantId: '100009', codes: ['user_reset'] });
  const { userId } = await server.createUser({ account: 'colleague', tenantId: '100009' });
  const headers = await server.signIn('chief', '100009');
  const reply = await server.post('/api/oms-system/user/mail-password', { ids: [userId] }, { headers });
  expect(reply).toMatchObject({ status: 409, msg: '还没有设置发信服务器，请先在「邮件配置」中设置' });
});

test('templates of all plugins have a preview in both languages, and users see the topics they can choose', async () => {
  const { data: kinds } = await server.get(`${path}/template/list`, { headers: admin });
  for (const { code } of kinds)
    for (const language of ['zh', 'en']) {
      const { data } = await server.get(`${path}/template/preview`, { headers: admin, query: { code, language } });
      expect(data.subject).not.toMatch(/[{}]/);
      expect(data.paragraphs.join()).not.toMatch(/[{}]/);
      expect(/\p{Script=Han}/u.test(data.footer.join())).toBe(language === 'zh');
    }
  const { data } = await server.get(`${path}/own/settings`, { headers: admin });
  expect(data).toMatchObject({ address: 'boss@mail.test', isOffered: true });
  expect(data.topics.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(['email:waiting', 'email:view-stopped']));
});

test('tenants whose sending is paused leave their turns to the others', async () => {
  await server.sql('delete from email_message');
  await server.sql(`insert into email_server (tenant_id, is_enabled, host, security, port, sender_name, sender_address, console_url, language, per_minute)
    select '#' || n, false, host, security, port, sender_name, sender_address, console_url, language, per_minute
    from email_server, generate_series(1, 500) n where tenant_id = '000000'`);
  const content = server.db.encryption.encrypt('{"subject":"S","text":"T","html":"H"}');
  await server.sql(`insert into email_message (tenant_id, recipient, address, kind, subject, content, due_at)
    select tenant_id, 'R', 'r@mail.test', 'email:test', 'S', '${content}', now() - interval '1 minute' from email_server order by tenant_id desc`);
  await work.send();
  const attempted = () => server.sql('select tenant_id as tenant, attempts from email_message where attempts > 0');
  await expect.poll(attempted, { timeout: 5000 }).toEqual([{ tenant: '000000', attempts: 1 }]);
});

test('an e-mail that is named twice is sent again once', async () => {
  await server.sql('delete from email_message');
  const content = server.db.encryption.encrypt('{"subject":"S","text":"T","html":"H"}');
  const [row] = await server.sql(
    `insert into email_message (tenant_id, recipient, address, kind, subject, state, content) values ('000000', 'R', 'r@mail.test', 'email:test', 'S', 3, '${content}') returning id::text as id`,
  );
  expect(await server.post(`${path}/message/retry`, { ids: [row?.id, row?.id] }, { headers: admin })).toMatchObject({ code: 200 });
});
