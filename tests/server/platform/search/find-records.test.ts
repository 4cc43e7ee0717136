import { expect, test } from '@rstest/core';
import { scopedUser } from '../../../support/scoped-users.ts';
import { type TestServer, testServer } from '../../../support/test-server.ts';

type Found = { entity: string; menu: string; hasMore: boolean; records: { id: string; title: string; subtitle: string }[] }[];

const titles = async (server: TestServer, q: string, headers: Record<string, string>) => {
  const { success, data } = await server.get(`/api/things-system/search?q=${encodeURIComponent(q)}`, { headers });
  expect(success).toBe(true);
  return (data as Found).flatMap(({ records }) => records.map(({ title }) => title));
};

const addUser = (server: TestServer, tenantId: string, account: string, name: string, phone: string) =>
  server.sql(
    `insert into user_account (tenant_id, account, password_hash, name, real_name, phone) values ('${tenantId}', '${account}', 'x', '${name}', '${name}', '${phone}')`,
  );

test('people are found by any part of the name, pinyin, initials and phone', async () => {
  const server = await testServer({ plugins: ['organization'] });
  const headers = await server.signIn();
  await addUser(server, '000000', 'zs01', '单雄信', '13812345678');
  for (const q of ['单雄信', '雄信', 'shanxiongxin', 'danxiong', 'sxx', 'dxx', 'xiongxin', 'zs01', '1381234', '5678', '345678', '１３８', ' Shan Xiong '])
    expect([q, await titles(server, q, headers)]).toEqual([q, ['单雄信']]);
  for (const q of ['四单', 'xiongshan', '99', '%', '_', "'"]) expect([q, await titles(server, q, headers)]).toEqual([q, []]);
});

test('terms follow every change of a row, also one that no repository makes', async () => {
  const server = await testServer({ plugins: ['organization'] });
  const headers = await server.signIn();
  await addUser(server, '000000', 'zs01', '单雄信', '13812345678');
  await server.sql("update user_account set real_name = '秦叔宝' where account = 'zs01'");
  expect(await titles(server, 'qinshubao', headers)).toEqual(['秦叔宝']);
  expect(await titles(server, '雄信', headers)).toEqual(['秦叔宝']);
  await server.sql("update user_account set name = '秦琼' where account = 'zs01'");
  expect(await titles(server, '雄信', headers)).toEqual([]);
  await server.sql("update user_account set is_deleted = 1 where account = 'zs01'");
  expect(await titles(server, 'qinshubao', headers)).toEqual([]);
  await server.sql("update user_account set is_deleted = 0 where account = 'zs01'");
  expect(await titles(server, 'qinshubao', headers)).toEqual(['秦叔宝']);
  await server.sql("delete from user_account where account = 'zs01'");
  const left = await server.sql("select count(*)::integer as terms from search_term where term like 'qin%'");
  expect(left).toEqual([{ terms: 0 }]);
});

test('rows that one statement adds have the terms that each has alone, also if they share values; deleted rows and empty values have none', async () => {
  const server = await testServer({ plugins: ['organization'] });
  const rows = [
    ['together', '单雄信', '13812345678', 0],
    ['shared', '单雄信', '13812345678', 0],
    ['mixed', '长孙 Ⅷ 重-A1', '', 0],
    ['gone', '单雄信', '13812345678', 1],
  ] as const;
  const rowOf = ([account, name, phone, isDeleted]: (typeof rows)[number], suffix: string) =>
    `('000000', '${account}${suffix}', 'x', '${name}', '${name}', '${phone}', ${isDeleted})`;
  const insert = (values: readonly string[]) =>
    server.sql(`insert into user_account (tenant_id, account, password_hash, name, real_name, phone, is_deleted) values ${values.join()}`);
  await insert(rows.map((row) => rowOf(row, '1')));
  for (const row of rows) await insert([rowOf(row, '2')]);
  // The account, which differs, is the first field.
  const termsOf = async (account: string) =>
    (
      await server.sql(
        `select term || ' ' || field as term from search_term s join user_account u on u.id = s.record_id where u.account = '${account}' and s.field > 1 order by 1`,
      )
    ).map(({ term }) => term);
  for (const [account, , , isDeleted] of rows) {
    expect(await termsOf(`${account}1`), account).toEqual(await termsOf(`${account}2`));
    expect((await termsOf(`${account}1`)).length > 0, account).toBe(isDeleted === 0);
  }
  expect(await termsOf('together1')).toEqual(await termsOf('shared1'));
  expect(await termsOf('mixed1')).toEqual(expect.arrayContaining(['zhonga1 2', 'chonga1 2', '重a1 2', 'a1 4']));
});

test('a user finds nothing without the page, nothing of another tenant, and nothing by a hidden field', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await server.createTenant('100001');
  await addUser(server, '100001', 'canary', '金丝雀', '13900001111');
  expect(await titles(server, '金丝雀', await server.signIn())).toEqual([]);
  await server.createUser({ account: 'reader', codes: ['user'], tenantId: '100001' });
  await server.createUser({ account: 'outsider', codes: [], tenantId: '100001' });
  expect(await titles(server, 'jsq', await server.signIn('reader', '100001'))).toEqual(['金丝雀']);
  expect(await titles(server, 'jsq', await server.signIn('outsider', '100001'))).toEqual([]);
});

test('rows that existed before their source get terms in the background', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addUser(server, '000000', 'zs01', '单雄信', '13812345678');
  await server.sql('delete from search_term');
  expect(await titles(server, 'sxx', await server.signIn())).toEqual([]);
  await server.sql('update search_source set indexed_to = 0');
  for (let step = 0; (await server.sql('select continue_search_terms(2) as more'))[0]?.more === true; step += 1) expect(step).toBeLessThan(20);
  expect(await titles(server, 'sxx', await server.signIn())).toEqual(['单雄信']);
});

test('a user who sees a part of the rows finds the closest one among many', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await server.sql(`insert into user_account (tenant_id, account, password_hash, name, real_name, create_dept)
    select '000000', 'ann' || suffix, 'x', 'ann' || suffix, 'ann' || suffix, 7 from (select '' as suffix union all select n::text from generate_series(100, 159) n) names`);
  await server.sql(`update user_account set create_time = now() - interval '1 year' where account = 'ann'`);
  const reader = { account: 'reader', codes: ['user'], pages: ['user'], scopes: [{ of: 'user_account', rule: { field: 'createDept', is: '7' } }] };
  expect((await titles(server, 'ann', await scopedUser(server, reader))).slice(0, 2)).toEqual(['ann', 'ann100']);
});
