import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/things-resource/depart';
type Headers = Record<string, string>;

let server: TestServer;
let admin: Headers;
let ann: Headers;
let bob: Headers;
let eve: Headers;
const pages = ['depart_resource', 'depart_resource_add', 'depart_resource_edit', 'depart_resource_delete'];

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'resource'] });
  admin = await server.signIn();
  const [north, south] = [await department('north'), await department('south')];
  ann = await member('ann', north, pages);
  bob = await member('bob', south, pages);
  eve = await member('eve', north, [...pages, 'depart_resource_audit']);
});
afterAll(() => server.stop());

async function department(name: string): Promise<string> {
  const [row] = await server.sql(`insert into dept (tenant_id, dept_name, full_name) values ('000000', '${name}', '${name}') returning id::text as id`);
  return String(row?.id);
}

async function member(account: string, dept: string, codes: readonly string[]): Promise<Headers> {
  const { userId } = await server.createUser({ account, codes });
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${dept})`);
  return server.signIn(account);
}

const post = (call: string, body: object, headers: Headers) => server.post(`${path}/${call}`, body, { headers });
const names = async (call: string, query: Record<string, string>, headers: Headers) =>
  ((await server.get(`${path}/${call}`, { headers, query })).data.records as { name: string }[]).map(({ name }) => name).sort();
const upload = async (name: string, headers: Headers, content = `the content of ${name}`) =>
  (await server.upload('/api/file/uploadFile', { name, content }, { headers })).data.link as string;
async function folder(name: string, headers: Headers, pid = '0'): Promise<string> {
  const reply = await post('submitCatiry', { name, pid }, headers);
  expect(reply.code, reply.msg).toBe(200);
  return reply.data.id;
}
async function file(name: string, headers: Headers, pid = '0'): Promise<string> {
  const reply = await post('submitFile', { url: await upload(name, headers), pid }, headers);
  expect(reply.code, reply.msg).toBe(200);
  return reply.data.id;
}
const approve = (id: string) => post('updateStatusById', { id, status: 1 }, eve);

test('properties of a file are read from its content, whatever the input says', async () => {
  const { data } = await post('submitFile', { url: await upload('Plan.TXT', ann), size: 5, mime: 'image/png', status: 1, departId: '1', width: 30 }, ann);
  expect(data).toMatchObject({ type: 2, name: 'Plan.TXT', ext: 'txt', mime: 'text/plain', size: 23, status: 0, width: 30, userName: 'ann' });
  expect(await post('submitFile', { pid: '0' }, ann)).toMatchObject({ status: 400, msg: '请上传文件' });
  const foreign = await upload('secret.txt', bob);
  expect((await post('submitFile', { url: foreign.replace(/signature=\w+/, 'signature=forged') }, ann)).status).toBe(400);
});

test('a file is in its department’s folder once it is approved; its uploader and the auditor see it before', async () => {
  const spring = await folder('spring', ann);
  const id = await file('one.txt', ann, spring);
  expect(await names('getList', { pid: spring }, eve)).toEqual([]);
  expect(await names('getMyList', { pid: spring }, ann)).toEqual(['one.txt']);
  expect(await names('getAduitList', {}, eve)).toContain('one.txt');
  expect((await server.get(`${path}/getResourceNumber`, { headers: ann, query: { pid: spring } })).data).toEqual({ folders: 0, files: 0, total: 0 });
  expect((await approve(id)).code).toBe(200);
  expect(await names('getList', { pid: spring }, eve)).toEqual(['one.txt']);
  expect((await server.get(`${path}/getResourceNumber`, { headers: ann, query: { pid: spring } })).data).toEqual({ folders: 0, files: 1, total: 1 });
});

test('users of another department cannot see, change, move or remove a file; an administrator sees all', async () => {
  const own = await folder('own', ann);
  const id = await file('own.txt', ann, own);
  await approve(id);
  expect(await names('getList', { pid: own }, bob)).toEqual([]);
  expect((await post('updateName', { id, name: 'taken' }, bob)).status).toBe(404);
  expect((await post('remove', { id }, bob)).status).toBe(404);
  expect(await post('submitCatiry', { name: 'below', pid: own }, bob)).toMatchObject({ status: 400, msg: '文件夹不存在' });
  expect(await names('getList', { pid: own }, admin)).toEqual(['own.txt']);
  const theirs = await folder('theirs', bob);
  expect(await post('move', { ids: [id], pid: theirs }, admin)).toMatchObject({ status: 409, msg: '不能移动到其他部门的文件夹' });
});

test('folders nest without cycles, have unique names within their parent, and can be removed when they are empty', async () => {
  const upper = await folder('upper', ann);
  const lower = await folder('lower', ann, upper);
  expect(await post('submitCatiry', { name: 'lower', pid: upper }, ann)).toMatchObject({ status: 409, msg: '该文件夹下已有同名文件夹' });
  expect((await folder('upper', bob)).length).toBeGreaterThan(5);
  expect((await post('move', { ids: [upper], pid: lower }, ann)).status).toBe(409);
  const id = await file('in.txt', ann, lower);
  expect(await post('submitCatiry', { name: 'x', pid: id }, ann)).toMatchObject({ status: 400, msg: '只能放入文件夹' });
  expect(await post('remove', { id: lower }, ann)).toMatchObject({ status: 409 });
  expect((await post('move', { ids: [id], pid: '0' }, ann)).code).toBe(200);
  expect((await post('remove', { ids: [lower] }, ann)).code).toBe(200);
  expect((await post('updateName', { id: upper, name: 'renamed' }, ann)).code).toBe(200);
  expect(await names('getList', { pid: '0', type: '1' }, ann)).toContain('renamed');
});

test('users cannot audit their own files; one of several concurrent decisions wins; an approval can be withdrawn with a reason', async () => {
  const own = await file('eves.txt', eve);
  expect(await approve(own)).toMatchObject({ status: 403 });
  const id = await file('anns.txt', ann);
  expect(await post('updateStatusById', { id, status: 2 }, eve)).toMatchObject({ status: 400, msg: '请输入驳回原因' });
  const replies = await Promise.all(Array.from({ length: 5 }, () => post('updateStatusById', { id, status: 1 }, eve)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect((await post('updateStatusById', { id, status: 2, reason: 'outdated' }, eve)).code).toBe(200);
  expect(await post('updateStatusById', { id, status: 1 }, eve)).toMatchObject({ status: 409, msg: '「anns.txt」已审核，请刷新' });
  expect((await post('updateStatusById', { ids: [id], status: 1 }, ann)).status).toBe(403);
});

test('a decision without a status makes a file pending again, but not for its uploader; several files are decided in one transaction', async () => {
  const [first, second] = [await file('again.txt', ann), await file('other.txt', ann)];
  const row = async (id: string) => (await server.sql(`select status, reason, audit_user::text, audit_time from depart_resource where id = ${id}`))[0];
  expect((await post('updateStatusById', { ids: [first, second], status: 1 }, eve)).code).toBe(200);
  expect(await post('updateStatusById', { ids: [first, second], status: 1 }, eve)).toMatchObject({ status: 409 });
  expect((await post('updateStatusById', { id: first }, ann)).status).toBe(403);
  expect((await post('updateStatusById', { id: first }, eve)).code).toBe(200);
  const waiting = { status: 0, reason: null, audit_user: null, audit_time: null };
  expect(await row(first)).toEqual(waiting);
  expect(await names('getAduitList', {}, eve)).toContain('again.txt');
  expect(await names('getList', { name: 'again.txt' }, eve)).toEqual([]);
  expect((await post('updateStatusById', { id: first, status: 2, reason: 'outdated' }, eve)).code).toBe(200);
  for (let time = 0; time < 2; time += 1) expect((await post('updateStatusById', { id: first }, eve)).code).toBe(200);
  expect(await row(first)).toEqual(waiting);
  expect(await row(second)).toMatchObject({ status: 1 });
  expect((await post('updateStatusById', { id: first, status: 3 }, eve)).status).toBe(400);
  expect((await post('updateStatusById', {}, eve)).status).toBe(400);
  const own = await file('eves-again.txt', eve);
  await server.sql(`update depart_resource set status = 1 where id = ${own}`);
  expect((await post('updateStatusById', { id: own }, eve)).status).toBe(403);
});

test('new content requires another audit, a new name does not', async () => {
  const id = await file('draft.txt', ann);
  await approve(id);
  await post('updateName', { id, name: 'final.txt' }, ann);
  expect(await names('getList', { name: 'final.txt' }, ann)).toEqual(['final.txt']);
  const { data } = await post('submitFile', { id, url: await upload('other.txt', ann) }, ann);
  expect(data).toMatchObject({ name: 'final.txt', status: 0 });
  expect(await names('getList', { name: 'final.txt' }, ann)).toEqual([]);
});

test('tasks find approved files by their ids, in the requested order, and open them', async () => {
  const [first, second, waiting] = [await file('first.txt', ann), await file('second.txt', ann), await file('waiting.txt', ann)];
  for (const id of [first, second]) await approve(id);
  await server.createUser({ account: 'claimer' });
  const claimer = await server.signIn('claimer');
  const found = await server.get('/api/things-resource/findResourceByIds', { headers: claimer, query: { ids: [second, waiting, first].join(',') } });
  expect(found.data.map(({ name }: { name: string }) => name)).toEqual(['second.txt', 'first.txt']);
  expect((await server.get(found.data[1].url)).body.text).toBe('the content of first.txt');
  await server.createTenant('guests');
  await server.createUser({ account: 'guest', tenantId: 'guests' });
  const guest = await server.signIn('guest', 'guests');
  expect((await server.get('/api/things-resource/findResourceByIds', { headers: guest, query: { ids: first } })).data).toEqual([]);
  expect((await server.get('/api/things-resource/material', { headers: claimer, query: { name: 'second' } })).data.records).toMatchObject([{ id: second }]);
});
