import { expect, test } from '@rstest/core';
import { knownParams } from '#plugins/settings/contract';
import { filesUnder } from '../../../architecture/source.ts';
import { clientHeaders, testServer } from '../../../support/test-server.ts';

const at = '/api/blade-system/param';

test('a known parameter takes what the server can read, an unknown one anything', async () => {
  const server = await testServer({ plugins: ['settings'] });
  const headers = await server.signIn();
  const [{ id }] = (await server.get(`${at}/list`, { headers, query: { paramKey_equal: 'account.failCount' } })).data.records;
  const save = (form: object) => server.post(`${at}/submit`, { paramName: 'x', ...form }, { headers });
  expect(await save({ id, paramKey: 'account.failCount', paramValue: 'five' })).toMatchObject({ status: 400, body: { field: 'paramValue' } });
  expect(await save({ paramKey: 'account.registerUser', paramValue: 'perhaps' })).toMatchObject({ status: 400 });
  expect(await save({ paramKey: 'account.registerUser', paramValue: 'true' })).toMatchObject({ code: 200 });
  expect(await save({ paramKey: 'our.own.key', paramValue: 'perhaps' })).toMatchObject({ code: 200 });
});

test('a changed parameter holds at once, on every replica', async () => {
  const one = await testServer({ plugins: ['settings'] });
  const two = await testServer({ plugins: ['settings'], db: one.db });
  const headers = await one.signIn();
  await one.createUser({ account: 'guessed' });
  const [row] = (await one.get(`${at}/list`, { headers, query: { paramKey_equal: 'account.failCount' } })).data.records;
  const limit = (paramValue: string) => one.post(`${at}/submit`, { ...row, paramValue }, { headers });
  const guess = async () => {
    const { body } = await two.post(
      '/api/things-auth/oauth/token',
      { grant_type: 'password', username: 'guessed', password: 'wrong' },
      { headers: clientHeaders },
    );
    return body.error_description as string;
  };
  expect(await guess()).toBe('用户名或密码错误');
  await limit('1');
  expect(await guess()).toBe('用户登录失败次数过多');
  await limit('50');
  expect(await guess()).toBe('用户名或密码错误');
});

test('every parameter the product reads is among the known ones', () => {
  const read = filesUnder('src').flatMap(({ text }) => [...text.matchAll(/(?:parameters\.(?:whole|text)|most)\('([\w.]+)'/g)].map(([, key]) => key));
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((key) => !knownParams.some(({ value }) => value === key))).toEqual([]);
});
