import { expect, test } from '@rstest/core';
import { type SQL, sql } from 'drizzle-orm';
import { queryRows, repositoryOf, treeRepositoryOf } from '#server';
import { Dept, UserAccount } from '../../../../src/plugins/organization/contract.ts';
import { actingAs, type RowScope } from '../../../../src/server/data/context/actor.ts';
import { findTyped } from '../../../../src/server/platform/search/find-typed.ts';
import type { ListInput } from '../../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../../src/shared/contract/errors.ts';
import { writeGroup } from '../../../../src/shared/text/filter-groups.ts';
import { type TestServer, testServer } from '../../../support/test-server.ts';

const tenantId = '000000';

const addUser = (server: TestServer, account: string, name: string, of = tenantId) =>
  server.sql(
    `insert into user_account (tenant_id, account, password_hash, name, real_name, phone) values ('${of}', '${account}', 'x', 'name of ${account}', '${name}', '139')`,
  );

/** Adds rows without terms, which no search must find. */
const addMany = async (server: TestServer, rows: number) => {
  await server.sql('alter table user_account disable trigger search_inserted');
  await server.sql(
    `insert into user_account (tenant_id, account, password_hash, name, real_name) select '${tenantId}', 'filler' || n, 'x', 'x', 'x' from generate_series(1, ${rows}) n`,
  );
  await server.sql('alter table user_account enable trigger search_inserted');
  await server.sql('analyze user_account, search_term');
};

const namesOf = (server: TestServer, input: ListInput, dataScope?: RowScope) => {
  const read = () => server.db.read({ tenantId }, () => repositoryOf(server.db, UserAccount).page({ ascs: 'account', size: 200, ...input }));
  const actor = { userId: '1', deptId: undefined, tenantId, dataScopes: new Map(dataScope ? [[UserAccount.name, dataScope]] : []) };
  return actingAs(actor, async () => (await read()).records.map(({ realName }) => realName));
};

test('typed text is found as it is written, by pinyin and by initials, in the field and tenant of the list alone', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await server.createTenant('100001');
  await addUser(server, 'zs01', '单雄信');
  await addUser(server, 'susan', 'Susan Li');
  await addUser(server, 'other', '单雄信', '100001');
  for (const text of ['单雄信', '雄信', 'shanxiongxin', 'Dan Xiong', 'sxx', 'dxx', ' xiongxin '])
    expect([text, await namesOf(server, { realName_match: text })]).toEqual([text, ['单雄信']]);
  for (const text of ['Susan', 'usan', 'SUSAN l', 'n li']) expect([text, await namesOf(server, { realName_match: text })]).toEqual([text, ['Susan Li']]);
  for (const text of ['zs01', 'xiongshan', '%', '_', "'", '-']) expect([text, await namesOf(server, { realName_match: text })]).toEqual([text, []]);
  const either = (text: string) =>
    writeGroup({
      join: 'or',
      of: [
        { name: 'realName_match', value: text },
        { name: 'account_match', value: text },
      ],
    });
  expect(await namesOf(server, { where: either('zs0') })).toEqual(['单雄信']);
  expect(await namesOf(server, { where: either('sxx') })).toEqual(['单雄信']);
  expect(await namesOf(server, { realName_match: 'sxx', account: 'susan' })).toEqual([]);
});

test('a data scope limits what typed text finds, and a hidden field is no filter', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addUser(server, 'zs01', '单雄信');
  await addUser(server, 'zs02', '单雄义');
  const scope = (parts: RowScope['parts'], fields?: RowScope['fields']): RowScope => ({ parts, fields });
  const second = scope([{ kind: 'custom', condition: { field: 'account', is: 'zs02' } }]);
  expect(await namesOf(server, { realName_match: 'sx' })).toEqual(['单雄信', '单雄义']);
  expect(await namesOf(server, { realName_match: 'sx' }, second)).toEqual(['单雄义']);
  const refused = await namesOf(server, { realName_match: 'sx' }, scope(undefined, new Set(['account']))).catch((error: unknown) => error);
  expect((refused as ApiError).problem).toBe(problems.unknownFilter);
});

test('a query leaves out fields that the caller may not see', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addUser(server, 'zs01', '单雄信');
  const find = (text: string, fields?: RowScope['fields']) => {
    const dataScopes = new Map([[UserAccount.name, { parts: undefined, fields }]]);
    const search = { entity: 'user_account', as: 'u', fields: ['account', 'realName'], text, limit: 9 };
    const query = (isFound: unknown) =>
      server.db.sql.execute<{ account: string }>(sql`select account from user_account u where account <> 'admin' and ${isFound}`);
    return actingAs({ userId: '1', deptId: undefined, tenantId, dataScopes }, () =>
      server.db.read({ tenantId }, async () =>
        (await findTyped(server.db, search, async (isFound) => [...(await query(isFound))])).map(({ account }) => account),
      ),
    );
  };
  expect(await find('sxx')).toEqual(['zs01']);
  expect(await find('zs0')).toEqual(['zs01']);
  expect(await find('')).toEqual(['zs01']);
  expect(await find('sxx', new Set(['account']))).toEqual([]);
  expect(await find('雄', new Set(['account']))).toEqual([]);
  expect(await find('sxx', new Set())).toEqual([]);
});

test('a large table is found by its terms, and by text inside of words if there are none', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addUser(server, 'zs01', '单雄信');
  await addUser(server, 'susan', 'Susan Li');
  await addUser(server, 'sand', 'Sandy');
  await addUser(server, 'long', '北京字节跳动科技有限公司上海分公司');
  await addUser(server, 'longer', '北京字节跳动科技有限公司广州分公司');
  await addMany(server, 20_001);
  expect(await namesOf(server, { realName_match: 'sxx' })).toEqual(['单雄信']);
  expect(await namesOf(server, { realName_match: '雄' })).toEqual(['单雄信']);
  expect(await namesOf(server, { realName_match: 'usan' })).toEqual(['Susan Li']);
  expect(await namesOf(server, { realName_match: 'san' })).toEqual(['Sandy']);
  expect(await namesOf(server, { realName_match: '北京字节跳动科技有限公司广州分' })).toEqual(['北京字节跳动科技有限公司广州分公司']);
  // A row that the caller may not see does not decide whether words are read.
  const susan: RowScope = { parts: [{ kind: 'custom', condition: { field: 'account', is: 'susan' } }], fields: undefined };
  expect(await namesOf(server, { realName_match: 'san' }, susan)).toEqual(['Susan Li']);
});

test('text with very many matches is paged in the order of the list, and other conditions still find each of them', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addMany(server, 20_002);
  const addTerm = (term: string, where: string) =>
    server.sql(
      `insert into search_term (tenant_id, source, term, record_id, field)
       select '${tenantId}', s.id, '${term}', u.id, array_position(s.fields, 'real_name') from user_account u, search_source s where s.entity = 'user_account' and ${where}`,
    );
  await addTerm('zhangsan', "u.account like 'filler%' and u.account <> 'filler7'");
  await addTerm('zhangwu', "u.account = 'filler7'");
  const read = (input: ListInput) =>
    server.db.read({ tenantId }, () => repositoryOf(server.db, UserAccount).page({ realName_match: 'zhang', ascs: 'account', size: 3, ...input }));
  const accounts = async (input: ListInput) => (await read(input)).records.map(({ account }) => account);
  const sorted = Array.from({ length: 20_002 }, (_, index) => `filler${index + 1}`).sort();
  expect(await accounts({ current: 1 })).toEqual(sorted.slice(0, 3));
  expect(await accounts({ current: 200 })).toEqual(sorted.slice(597, 600));
  expect(await accounts({ account_equal: 'filler7' })).toEqual(['filler7']);
  expect((await read({ exactTotal: true })).total).toBe(20_002);
  const search = { entity: 'user_account', as: 'user_account', fields: ['realName'], text: 'zhang', limit: 2 };
  const find = (condition: SQL) =>
    server.db.read({ tenantId }, () =>
      findTyped(server.db, search, (isFound) =>
        queryRows<{ account: string }>(server.db, sql`select account from user_account where ${condition} and ${isFound} limit 2`),
      ),
    );
  expect(await find(sql`account = 'filler7'`)).toEqual([{ account: 'filler7' }]);
});

test('rows without terms are read until the index is complete', async () => {
  const server = await testServer({ plugins: ['organization'] });
  await addUser(server, 'zs01', '单雄信');
  await addUser(server, 'zs02', '单雄义');
  await addMany(server, 20_001);
  await server.sql("delete from search_term where record_id = (select id from user_account where account = 'zs01')");
  expect(await namesOf(server, { realName_match: '单雄' })).toEqual(['单雄义']);
  await server.sql("update search_source set indexed_to = 0 where entity = 'user_account'");
  expect(await namesOf(server, { realName_match: '单雄' })).toEqual(['单雄信', '单雄义']);
});

test('trees and lists that are read in steps take typed text', async () => {
  const server = await testServer({ plugins: ['organization'] });
  const depts = treeRepositoryOf(server.db, Dept);
  await server.db.write({ tenantId }, async () => {
    const top = await depts.save({ deptName: '总部', fullName: '总部' } as never);
    await depts.save({ deptName: '财务部', fullName: '财务部', parentId: top.id } as never);
  });
  const read = <Result>(work: () => Promise<Result>) => server.db.read({ tenantId }, work);
  expect((await read(() => depts.level({ deptName_match: 'cwb' }))).map(({ deptName }) => deptName)).toEqual(['财务部']);
  expect((await read(() => depts.tree({ deptName_match: 'caiwu' }))).map(({ deptName }) => deptName)).toEqual(['财务部']);
  expect((await read(() => depts.walk({ deptName_match: 'cwb' })())).map(({ deptName }) => deptName)).toEqual(['财务部']);
  expect(() => depts.walk({ nothing_match: 'x' })).toThrow(ApiError);
});
