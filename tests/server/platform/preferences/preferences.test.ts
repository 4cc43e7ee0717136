import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { preference } from '#shared/preferences';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
type Headers = Record<string, string>;
let mine: Headers;

beforeAll(async () => {
  server = await openTestServer();
  mine = await server.signIn();
});
afterAll(() => server.stop());

const keep = (key: string, value: unknown, headers: Headers = mine, version = 1) => server.post(preference.submit.path, { key, version, value }, { headers });
const list = async (prefix: string, headers: Headers = mine) => (await server.get(preference.list.path, { query: { prefix }, headers })).data;

test('a preference is stored, found by the prefix of its key, replaced and deleted', async () => {
  expect(await keep('table:a', { columns: ['x'] })).toMatchObject({ code: 200 });
  await keep('table:b', [1, 2]);
  await keep('views:a', 'text');
  expect(await list('table:')).toEqual([
    { key: 'table:a', version: 1, value: { columns: ['x'] } },
    { key: 'table:b', version: 1, value: [1, 2] },
  ]);
  await keep('table:a', null, mine, 2);
  expect(await list('table:a')).toEqual([{ key: 'table:a', version: 2, value: null }]);
  await server.post(preference.remove.path, { key: 'table:a' }, { headers: mine });
  expect(await list('table:a')).toEqual([]);
  expect((await list('')).map(({ key }: { key: string }) => key)).toEqual(['table:b', 'views:a']);
});

test('users do not see preferences of others, in any tenant', async () => {
  await keep('own', 'mine');
  await server.createUser({ account: 'other' });
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', tenantId: 'rivals' });
  for (const theirs of [await server.signIn('other'), await server.signIn('rival', 'rivals')]) {
    expect(await list('', theirs)).toEqual([]);
    expect(await keep('own', 'theirs', theirs)).toMatchObject({ code: 200 });
    await server.post(preference.remove.path, { key: 'own' }, { headers: theirs });
  }
  expect(await list('own')).toEqual([{ key: 'own', version: 1, value: 'mine' }]);
});

test('a preference that is too large or has no key is refused, and storing requires a session', async () => {
  expect(await keep('large', 'x'.repeat(70_000))).toMatchObject({ code: 413 });
  expect(await keep('', 1)).toMatchObject({ code: 400 });
  expect(await keep('k'.repeat(161), 1)).toMatchObject({ code: 400 });
  expect(await keep('large', 1, {})).toMatchObject({ code: 401 });
});
