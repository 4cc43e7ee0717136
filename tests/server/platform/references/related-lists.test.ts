import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { crudRoutes } from '#server';
import { crud, entity, get, menu, NoInput } from '#shared/contract';
import { Id, Nullable, Reference, Text } from '#shared/fields';
import { relatedLists } from '#shared/record-uses';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const options = get('/api/test/shelf/options', { title: ['选项', 'Options'], access: 'signedIn', input: NoInput, reply: {} as never });
const shelfFields = { id: Id(), code: Nullable(Text({ title: ['编号', 'Code'], maxLength: 12 })), name: Text({ title: ['名称', 'Name'], maxLength: 32 }) };
const Shelf = entity('shelf', shelfFields, { archivable: true });
const to = (entityField: 'id' | 'code') => ({ call: options, entity: 'shelf', entityField, ...(entityField === 'code' ? { maxLength: 12 } : {}) });
const Book = entity('book', {
  id: Id(),
  title: Text({ title: ['书名', 'Title'], maxLength: 32, search: true }),
  shelfId: Nullable(Reference({ title: ['书架', 'Shelf'], search: true, onDelete: 'refuse', from: to('id') })),
  formerCode: Nullable(Reference({ title: ['原书架', 'Former shelf'], search: true, onDelete: 'refuse', from: to('code') })),
  notedId: Nullable(Reference({ title: ['备注书架', 'Noted shelf'], onDelete: 'refuse', from: to('id') })),
});
const [shelves, books] = [crud('/api/test/shelf', Shelf), crud('/api/test/book', Book)];

const library: InstalledPlugin = {
  migrations: {
    '0001-library.sql': `
      create table shelf (like base_row including all, code varchar(12), name varchar(32) not null);
      call own_by_tenant('shelf');
      create table book (like base_row including all, title varchar(32) not null, shelf_id bigint, former_code varchar(12), noted_id bigint);
      call own_by_tenant('book');`,
  },
  plugin: defineServerPlugin({
    id: 'library',
    title: ['图书馆', 'Library'],
    menus: [
      menu({ code: 'shelf', title: ['书架', 'Shelves'], path: '/desk/shelf', under: 'desk', buttons: [] }),
      menu({ code: 'book', title: ['图书', 'Books'], path: '/desk/book', under: 'desk', buttons: [] }),
    ],
    setup: ({ db }) => ({ routes: [crudRoutes(shelves, repositoryOf(db, Shelf)), crudRoutes(books, repositoryOf(db, Book))] }),
  }),
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: [library] });
  await server.createTenant('100001');
  for (const [id, tenant, code] of [
    [11, '000000', "'A'"],
    [12, '000000', 'null'],
    [21, '100001', "'A'"],
  ])
    await server.sql(`insert into shelf (id, tenant_id, code, name) values (${id}, '${tenant}', ${code}, 'shelf ${id}')`);
  for (const [title, tenant, shelf, code] of [
    ['one', '000000', 11, "'A'"],
    ['two', '000000', 11, 'null'],
    ['gone', '000000', 11, "'A'"],
    ['null', '000000', 12, "'null'"],
    ['foreign', '100001', 11, "'A'"],
  ])
    await server.sql(`insert into book (tenant_id, title, shelf_id, former_code, noted_id, is_deleted)
      values ('${tenant}', '${title}', ${shelf}, ${code}, ${shelf}, ${title === 'gone' ? 1 : 0})`);
});
afterAll(() => server.stop());

const read = (headers: Record<string, string>, id = '11', of = 'shelf') => server.get(relatedLists.path, { headers, query: { entity: of, id } });

let users = 0;
/** Signs in a user whose roles limit the rows and fields of entities. */
async function reader(codes: readonly string[], scopes: readonly { entity: string; fields?: string; value?: string }[] = []) {
  const account = `reader${++users}`;
  const { roleId } = await server.createUser({ account, codes });
  for (const { entity: of, fields = '*', value } of scopes)
    await server.sql(`with added as (
        insert into data_scope (menu_id, scope_name, resource_code, scope_type, scope_class, scope_field, scope_value)
        select id, 's', 's', ${value === undefined ? 1 : 5}, '${of}', '${fields}', '${value ?? ''}' from menu where code = '${of}' returning id)
      insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', ${roleId}, 1, id from added`);
  return server.signIn(account);
}

const list = '/api/test/book/list';
const byShelf = { title: ['图书（书架）', 'Books (Shelf)'], menu: 'book', list, field: 'shelfId', value: '11', count: 2 };
const byCode = { title: ['图书（原书架）', 'Books (Former shelf)'], menu: 'book', list, field: 'formerCode', value: 'A', count: 1 };

test('every filterable field that refers to a record names its list and counts the live rows of the tenant', async () => {
  expect(await read(await server.signIn())).toMatchObject({ code: 200, data: [byShelf, byCode] });
  expect((await read(await server.signIn(), '11', 'book')).status).toBe(404);
});

test('a record without the value that others store has no rows by it', async () => {
  expect((await read(await server.signIn(), '12')).data).toEqual([{ ...byShelf, value: '12', count: 1 }]);
});

test('a record of another tenant, an unknown one and an unknown entity are not there, and archived ones are', async () => {
  await server.createUser({ account: 'boss', codes: ['shelf', 'book'], roleAlias: 'admin', tenantId: '100001' });
  const [own, foreign] = [await server.signIn(), await server.signIn('boss', '100001')];
  expect((await read(foreign)).status).toBe(404);
  expect((await read(own, '21')).status).toBe(404);
  expect((await read(own, '999')).status).toBe(404);
  expect((await read(own, '11', 'nothing')).status).toBe(403);
  expect((await read(foreign, '21')).data).toMatchObject([
    { field: 'shelfId', count: 0 },
    { field: 'formerCode', count: 1 },
  ]);
  await server.sql('update shelf set is_deleted = 2 where id = 11');
  expect((await read(own)).data).toEqual([byShelf, byCode]);
  await server.sql('update shelf set is_deleted = 0 where id = 11');
});

test('a caller needs the page of the record, and gets no list whose page is not theirs', async () => {
  expect((await read({})).status).toBe(401);
  expect((await read(await reader(['book']))).status).toBe(403);
  expect((await read(await reader(['shelf']))).data).toEqual([]);
  expect((await read(await reader(['shelf', 'book']))).data).toEqual([byShelf, byCode]);
});

test('data scopes hide records, limit the counted rows, and hide fields on both sides', async () => {
  const both = ['shelf', 'book'];
  const as = async (...scopes: Parameters<typeof reader>[1] & object) => read(await reader(both, scopes));
  expect((await as({ entity: 'shelf', value: '{"field":"id","is":"12"}' })).status).toBe(404);
  expect((await as({ entity: 'book', value: '{"field":"title","is":"two"}' })).data).toEqual([
    { ...byShelf, count: 1 },
    { ...byCode, count: 0 },
  ]);
  expect((await as({ entity: 'book', fields: 'title,shelfId' })).data).toEqual([byShelf]);
  expect((await as({ entity: 'shelf', fields: 'name' })).data).toEqual([byShelf]);
});
