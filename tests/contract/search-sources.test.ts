import { expect } from '@rstest/core';
import { type FoundRecords, searchRecords } from '#shared/record-uses';
import { snakeCase } from '#shared/text';
import { atLeast, isEveryPluginChecked } from '../support/checked-plugins.ts';
import { type TestServer, testServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';

const find = async (server: TestServer, q: string, headers: Record<string, string>) => {
  const reply = await server.get(`${searchRecords.path}?q=${encodeURIComponent(q)}`, { headers });
  expect(reply.success).toBe(true);
  return reply.data as FoundRecords[];
};

const codesOf = ({ host }: TestServer): string[] => [
  ...new Set(host.routes.flatMap(({ call: { access: who } }) => (typeof who === 'object' ? Object.values(who) : []))),
];

/** Returns the ids of the rows that a list answers, at any depth. */
function idsIn(data: unknown): string[] {
  const rows = Array.isArray(data) ? data : ((data as { records?: unknown[] } | null)?.records ?? []);
  return (rows as { id: string; children?: unknown[] }[]).flatMap(({ id, children }) => [String(id), ...idsIn(children ?? [])]);
}

ruleTest(
  'search-source',
  'every source finds rows that the same user may list, by each of its fields, and no others',
  async () => {
    const contract = await contractServer();
    const { server } = contract;
    await contract.seeded();
    await server.createTenant('100002');
    await server.createUser({ account: 'everything', codes: codesOf(server), tenantId: '100002' });
    await server.createUser({ account: 'nothing', codes: [], tenantId: '100002' });
    const [all, foreign, none] = [contract.headers, await server.signIn('everything', '100002'), await server.signIn('nothing', '100002')];
    let finds = 0;
    const own = new Set([...census().entities, ...census().cruds.map(({ crud }) => crud.entity)].map(({ name }) => name));
    const sources = server.host.listSearchSources().filter(({ entity }) => isEveryPluginChecked || own.has(entity.name));
    for (const { entity, list, menu, fields } of sources)
      for (const field of fields) {
        const [row] = await server.sql(
          `select id::text as id, ${snakeCase(field)} as value from ${entity.name} where is_deleted = 0 and coalesce(${snakeCase(field)}, '') <> '' order by id limit 1`,
        );
        if (!row) continue;
        for (const headers of [all, foreign, none]) {
          const groups = (await find(server, String(row.value), headers)).filter((group) => group.menu === menu && group.entity === entity.name);
          const ids = groups.flatMap(({ records }) => records.map(({ id }) => id));
          finds += ids.length;
          // The ids narrow the list to the found rows, because it may have more rows than a page.
          const listed = await server.get(`${list.path}?current=1&size=200${ids.length > 0 ? `&ids=${ids.join(',')}` : ''}`, { headers });
          expect({ menu, field, beyond: listed.success ? ids.filter((id) => !idsIn(listed.data).includes(id)) : ids }).toEqual({ menu, field, beyond: [] });
        }
      }
    expect(server.host.listSearchSources().length).toBeGreaterThanOrEqual(atLeast(26));
    expect(finds).toBeGreaterThanOrEqual(atLeast(41));
  },
  180_000,
);

productTest('a data scope, a hidden field and another tenant hide records from the search as from the list', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await server.createTenant('100001');
  const phone = '13912340001';
  const add = (tenantId: string, name: string, dept: string) =>
    server.sql(
      `insert into user_account (tenant_id, account, password_hash, name, real_name, phone, create_dept) values ('${tenantId}', '${name}', 'x', '${name}', '${name}', '${phone}', ${dept})`,
    );
  await add('000000', '金丝雀甲', '7');
  await add('000000', '金丝雀丙', '8');
  await add('100001', '金丝雀乙', '7');
  await server.createUser({ account: 'reader', codes: ['user'], roleAlias: 'reader' });
  const names = async (q: string, headers: Record<string, string>) =>
    (await find(server, q, headers)).flatMap(({ records }) => records.map(({ title }) => title));
  const reader = await server.signIn('reader');
  expect((await names('jinsique', reader)).sort()).toEqual(['金丝雀丙', '金丝雀甲']);
  // A reader without the permission for personal data finds a phone number as a whole only.
  expect(await names('1391234', reader)).toEqual([]);
  expect((await names(phone, reader)).sort()).toEqual(['金丝雀丙', '金丝雀甲']);
  await server.createUser({ account: 'entitled', codes: ['user', 'user_personal'] });
  expect((await names('1391234', await server.signIn('entitled'))).sort()).toEqual(['金丝雀丙', '金丝雀甲']);

  const limit = async (fields: string) => {
    await server.sql('delete from data_scope where id = 1');
    await server.sql(`insert into data_scope (id, menu_id, scope_name, resource_code, scope_type, scope_class, scope_field, scope_value)
      select 1, id, 's', 's', 5, 'user_account', '${fields}', '{"field": "createDept", "is": "7"}' from menu where code = 'user'`);
  };
  await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) select tenant_id, id, 1, 1 from role where role_alias = 'reader'`);
  await limit('*');
  const scoped = await server.signIn('reader');
  expect(await names('jinsique', scoped)).toEqual(['金丝雀甲']);
  expect(await names(phone, scoped)).toEqual(['金丝雀甲']);
  await limit('realName,account');
  const blinkered = await server.signIn('reader');
  expect(await names('jinsique', blinkered)).toEqual(['金丝雀甲']);
  expect(await names(phone, blinkered)).toEqual([]);
});
