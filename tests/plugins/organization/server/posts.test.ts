import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Post } from '#plugins/organization/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const base = '/api/blade-system/post';

let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const submit = (fields: object) => server.post(`${base}/submit`, { category: '1', postName: '首席执行官', sort: 1, ...fields }, { headers });

test('the table matches the contract', async () => {
  expect(await compareTables(server.db, Post)).toEqual([]);
});

test('codes are unique', async () => {
  const { data: ceo } = await submit({ postCode: 'ceo' });
  expect(await submit({ postCode: 'ceo', postName: '总裁' })).toMatchObject({
    status: 409,
    msg: '岗位编号「ceo」已被「首席执行官」使用',
    body: { field: 'postCode', data: { id: ceo.id, name: '首席执行官' } },
  });
});

test('a post with users cannot be removed', async () => {
  const { data } = await submit({ postCode: 'cto', postName: '首席技术官' });
  const { userId } = await server.createUser({ account: 'engineer' });
  await server.sql(`insert into user_post (tenant_id, user_id, post_id) values ('000000', ${userId}, ${data.id})`);
  const remove = () => server.post(`${base}/remove`, { ids: [data.id] }, { headers });
  expect(await remove()).toMatchObject({ status: 409, msg: '「首席技术官」正在使用中，无法删除，可改为归档' });
  await server.sql(`delete from user_post where post_id = ${data.id}`);
  expect((await remove()).success).toBe(true);
});

test('post pickers list the posts of the caller’s tenant in order', async () => {
  await submit({ postCode: 'last', sort: 9 });
  await submit({ postCode: 'first', sort: 0 });
  const codesOf = async (query: Record<string, string>) =>
    (await server.get(`${base}/select`, { headers, query })).data.map(({ postCode }: { postCode: string }) => postCode);
  const codes = await codesOf({ tenantId: '000000' });
  expect([codes[0], codes.at(-1)]).toEqual(['first', 'last']);
  expect(await codesOf({ tenantId: 'rivals' })).toEqual([]);
});
