import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { crudRoutes } from '#server';
import { crud, entity } from '#shared/contract';
import { Id, Text } from '#shared/fields';
import { editing, RecordEditorsChanged, RecordSaved } from '#shared/live';
import { menu } from '#shared/menu-entry';
import { openDatabase, repositoryOf } from '../../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { listen } from '../../../support/live-listener.ts';
import { openTestDatabase } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const Offer = entity('offer', { id: Id(), name: Text({ title: ['名称', 'Name'], maxLength: 64 }) });
const offer = crud('/api/test/offer', Offer);
const offers: InstalledPlugin = {
  plugin: defineServerPlugin({
    id: 'offer',
    title: ['优惠', 'Offers'],
    menus: [menu({ code: 'offer', title: ['优惠', 'Offers'], path: '/offer', under: 'base', buttons: ['add', 'edit', 'delete'] })],
    setup: ({ db }) => ({ routes: [crudRoutes(offer, repositoryOf(db, Offer))] }),
  }),
  migrations: { '0001-offer.sql': `create table offer (like base_row including all, name varchar(64) not null); call own_by_tenant('offer');` },
};

type Headers = Record<string, string>;

let server: TestServer;
/** A second server on the same database, with connections of its own where the database has a server. */
let replica: TestServer;
let li: Headers;
let wang: Headers;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase({ kernelMigrations });
  const other = database.url ? await openDatabase({ url: database.url, timeZone: 'Asia/Shanghai', poolSize: 5 }) : database.db;
  server = await openTestServer({ plugins: [offers], db: database.db });
  replica = await openTestServer({ plugins: [offers], db: other });
  await server.createTenant('rivals');
  const signedIn = async (account: string, codes = ['offer', 'offer_add', 'offer_edit'], tenantId?: string) => {
    await server.createUser({ account, codes, ...(tenantId ? { tenantId } : {}) });
    return server.signIn(account, tenantId);
  };
  [li, wang] = [await signedIn('li'), await signedIn('wang')];
  await signedIn('reader', ['offer']);
  await signedIn('stranger', ['offer', 'offer_edit'], 'rivals');
  close = async () => {
    await replica.stop();
    await server.stop();
    await database.drop();
  };
});
afterAll(() => close());

const add = async (name: string): Promise<string> => (await server.post(offer.submit.path, { name }, { headers: li })).data.id;
const announce = (at: TestServer, headers: Headers, id: string, more: object = {}) =>
  at.post(editing.path, { entity: 'offer', id, form: 'form', ...more }, { headers });

test('users who edit one record see each other on every server, until one closes the form', async () => {
  const id = await add('one');
  const [first, second] = [await listen(server, li), await listen(replica, wang)];
  expect((await announce(server, li, id)).data).toEqual({ editors: [] });
  await expect.poll(async () => (await announce(replica, wang, id)).data).toEqual({ editors: ['li'] });
  expect((await first.next(RecordEditorsChanged.name)).payload).toEqual({ entity: 'offer', id, editors: [] });
  expect((await first.next(RecordEditorsChanged.name)).payload).toEqual({ entity: 'offer', id, editors: ['wang'] });
  expect((await second.next(RecordEditorsChanged.name)).payload).toEqual({ entity: 'offer', id, editors: ['li'] });
  await announce(replica, wang, id, { ends: true });
  expect((await first.next(RecordEditorsChanged.name)).payload).toEqual({ entity: 'offer', id, editors: [] });
});

test('a save is announced to the others who edit the record, and to no other user', async () => {
  const id = await add('one');
  const [author, editor, reader] = [await listen(server, wang), await listen(replica, li), await listen(server, await server.signIn('reader'))];
  await announce(server, wang, id);
  await announce(replica, li, id);
  await expect.poll(async () => (await announce(server, wang, id)).data.editors).toEqual(['li']);
  const { data } = await server.post(offer.submit.path, { id, name: 'two' }, { headers: wang });
  expect((await editor.next(RecordSaved.name)).payload).toEqual({ entity: 'offer', id, changedBy: 'wang', changedAt: data.updateTime });
  expect((await server.post(offer.submit.path, { id, name: '' }, { headers: wang })).code).toBe(400);
  await expect(editor.next(RecordSaved.name)).rejects.toThrow();
  for (const { heard } of [author, reader]) expect(heard.filter(({ event }) => event === RecordSaved.name)).toEqual([]);
  expect(reader.heard.filter(({ event }) => event === RecordEditorsChanged.name)).toEqual([]);
});

test('only users who may read and edit a record can announce that they edit it', async () => {
  const id = await add('one');
  await announce(server, li, id);
  const readOnly = await server.signIn('reader');
  const stranger = await server.signIn('stranger', 'rivals');
  for (const headers of [readOnly, stranger]) expect(await announce(server, headers, id)).toMatchObject({ code: 404, data: null });
  expect(await announce(server, li, '1')).toMatchObject({ code: 404 });
  expect(await announce(server, li, id, { entity: 'user_account' })).toMatchObject({ code: 404 });
  expect((await announce(server, wang, id)).data).toEqual({ editors: ['li'] });
});

test('announcements are not written to the API log', async () => {
  const id = await add('one');
  await announce(server, li, id);
  await server.get(offer.detail.path, { query: { id }, headers: li });
  const logged = () =>
    server
      .sql(`select request_uri as path from api_log where request_uri in ('${editing.path}', '${offer.detail.path}')`)
      .then((rows) => rows.map(({ path }) => path));
  await expect.poll(logged, { timeout: 10_000 }).toContain(offer.detail.path);
  expect(await server.sql(`select 1 from api_log where request_uri = '${editing.path}' and status_code = 200`)).toEqual([]);
});
