import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { quotaState } from '../../../../../src/server/data/repository/write-problems.ts';
import { invalidatePrincipals } from '../../../../../src/server/platform/principal/principal-cache.ts';
import { ledgerPlugin } from '../../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin, 'settings'] });
  await server.createTenant('acme');
});
afterAll(() => server.stop());

interface Item {
  readonly code: string;
  readonly children?: readonly Item[];
}
const codesIn = (items: readonly Item[]): string[] => items.flatMap(({ code, children = [] }) => [code, ...codesIn(children)]);
const pages = async (headers: Record<string, string>) => codesIn((await server.get('/api/things-system/menu/routes', { headers })).data);
const buttons = async (headers: Record<string, string>) => codesIn((await server.get('/api/blade-system/menu/buttons', { headers })).data);

const packageOf = async (codes: readonly string[]) => {
  const list = codes.map((code) => `'${code}'`).join(',');
  await server.sql(`insert into tenant_package (package_name, menu_id)
    select 'of ' || next_id(), coalesce(jsonb_agg(id::text), '[]') from menu where code in (${list})`);
  await server.sql(`update tenant set package_id = (select max(id) from tenant_package) where tenant_id = 'acme'`);
  await server.db.asPlatform('a test changes a package', () => invalidatePrincipals(server.db, { tenantId: 'acme' }));
};

test('grants of a role apply only within the tenant’s package, from the next request on', async () => {
  await server.createUser({ account: 'boss', codes: ['ledger', 'ledger_add', 'ledger_edit'], roleAlias: 'admin', tenantId: 'acme' });
  const boss = await server.signIn('boss', 'acme');
  expect(await buttons(boss)).toEqual(['ledger', 'ledger_add', 'ledger_edit']);

  await packageOf(['ledger_add', 'ledger_delete']);
  expect(await pages(boss)).toEqual(['desk', 'ledger']);
  expect(await buttons(boss)).toEqual(['ledger', 'ledger_add']);
  expect(await server.post('/api/test/ledger/submit', { id: '1', title: 'x', amount: 1 }, { headers: boss })).toMatchObject({ status: 403 });

  await packageOf(['nothing-bears-this-code']);
  expect(await pages(boss)).toEqual([]);
  expect(await server.get('/api/test/ledger/list', { headers: boss })).toMatchObject({ status: 403 });
});

test('pages of the platform belong to no other tenant, granted or not', async () => {
  await server.createTenant('free');
  await server.createUser({ account: 'climber', codes: ['param', 'param_add', 'ledger'], roleAlias: 'admin', tenantId: 'free' });
  const climber = await server.signIn('climber', 'free');
  expect(await pages(climber)).toEqual(['desk', 'ledger']);
  expect(await server.get('/api/blade-system/param/list', { headers: climber })).toMatchObject({ status: 403 });
  await server.createUser({ account: 'colleague', codes: ['param'] });
  expect(await pages(await server.signIn('colleague'))).toEqual(['system', 'param']);
});

test('the database refuses accounts beyond the quota; deleted and pending ones do not count', async () => {
  await server.createTenant('small');
  await server.sql(`update tenant set account_number = 2 where tenant_id = 'small'`);
  const add = (account: string, status = 1) =>
    server.sql(
      `insert into user_account (tenant_id, account, password_hash, name, real_name, status) values ('small', '${account}', 'x', 'n', 'r', ${status})`,
    );
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error & { cause?: { code?: string } }) => error.cause?.code,
    );
  await add('one');
  await add('two');
  await add('waiting', 3);
  expect(await refused(add('three'))).toBe(quotaState);
  expect(await refused(server.sql(`update user_account set status = 1 where account = 'waiting'`))).toBe(quotaState);
  await server.sql(`update user_account set is_deleted = 1 where account = 'two'`);
  await server.sql(`update user_account set status = 1 where account = 'waiting'`);
  expect(await refused(server.sql(`update user_account set is_deleted = 0 where account = 'two'`))).toBe(quotaState);
  expect(await refused(server.sql(`update user_account set name = 'renamed' where tenant_id = 'small'`))).toBeUndefined();
});

test('of several concurrent additions of the last account one succeeds', async () => {
  await server.createTenant('narrow');
  await server.sql(`update tenant set account_number = 1 where tenant_id = 'narrow'`);
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((account) =>
      server.sql(`insert into user_account (tenant_id, account, password_hash, name, real_name) values ('narrow', '${account}', 'x', 'n', 'r')`),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
