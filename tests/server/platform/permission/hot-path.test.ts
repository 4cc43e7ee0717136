import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { route } from '#server';
import { NoInput } from '#shared/contract';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { get, menu, NoContent } from '../../../../src/shared/contract/contract.ts';
import { sentStatements } from '../../../support/sent-statements.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const bell = get('/api/test/bell', { title: ['铃', 'Bell'], access: { code: 'bell' }, input: NoInput, reply: NoContent });
const bells = defineServerPlugin({
  id: 'bells',
  title: ['铃', 'Bells'],
  menus: [menu({ code: 'bell', title: ['铃', 'Bell'], path: '/desk/bell', under: 'desk' })],
  setup: () => ({ routes: [route(bell, () => null)] }),
});

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization', bells] });
});
afterAll(() => server.stop());

async function statementsOf(path: string, headers: Record<string, string>, times: number, status = 200): Promise<string[]> {
  return sentStatements(server.db, async () => {
    for (let turn = 0; turn < times; turn += 1) expect(await server.get(path, { headers })).toMatchObject({ status });
  });
}

/**
 * Measures many requests after changes have been received. Other replicas receive a change a moment after it is made, and this server receives it once more.
 */
async function settled(path: string, headers: Record<string, string>, each: number, status = 200): Promise<string[]> {
  let texts: string[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    texts = await statementsOf(path, headers, 20, status);
    if (texts.length === 20 * each) break;
  }
  return texts;
}

test('a call is authorized without a query: role, code, API scope and data scope', async () => {
  const { roleId } = await server.createUser({ account: 'ringer', codes: ['bell', 'post'] });
  const [api] = await server.sql(`insert into api_scope (menu_id, scope_name, resource_code, scope_path, scope_type)
    select id, 'x', 'x', '/api/test/**', 2 from menu where code = 'bell' returning id::text as id`);
  const [data] = await server.sql(
    `insert into data_scope (menu_id, scope_name, resource_code, scope_type) select id, 'x', 'x', 4 from menu where code = 'post' returning id::text as id`,
  );
  await server.sql(
    `insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, 1, ${data?.id}), ('000000', ${roleId}, 2, ${api?.id})`,
  );
  const headers = await server.signIn('ringer');
  expect((await statementsOf(bell.path, headers, 1)).length).toBeGreaterThan(0);
  expect(await settled(bell.path, headers, 0)).toEqual([]);
  // A list sends one statement for its page and none about the user.
  const lists = await settled('/api/blade-system/post/list', headers, 1);
  expect(lists.filter((text) => !text.includes('from "post"'))).toEqual([]);
  expect(lists).toHaveLength(20);
  expect(lists.every((text) => text.includes('from "post"'))).toBe(true);
});

test('being refused costs none either', async () => {
  await server.createUser({ account: 'deaf' });
  const headers = await server.signIn('deaf');
  expect(await settled(bell.path, headers, 0, 403)).toEqual([]);
  expect(await statementsOf(bell.path, {}, 50, 401)).toEqual([]);
});

test('after a change it is queried again, once', async () => {
  const admin = await server.signIn();
  const { roleId } = await server.createUser({ account: 'novice' });
  const headers = await server.signIn('novice');
  await statementsOf(bell.path, headers, 1, 403);
  const page = (await server.sql("select m.id::text as id from menu m where code in ('bell', 'post')")).map(({ id }) => id);
  expect(await server.post('/api/oms-system/role/setrolemenus', { roleId, menuIds: page }, { headers: admin })).toMatchObject({ status: 200 });
  expect((await statementsOf('/api/blade-system/post/list', headers, 1)).length).toBeGreaterThan(1);
  expect(await settled('/api/blade-system/post/list', headers, 1)).toHaveLength(20);
});
