import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { ApiError, actingAs, crudRoutes, problems, queryRows, recordChange, route, type ServerContext } from '#server';
import { ById, crud, entity, NoContent, post } from '#shared/contract';
import { Attachment, Id, Json, Money, Nullable, Secret, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { type Repository, repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { testServer } from '../../../support/test-server.ts';

const Offer = entity('offer', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  price: Money({ title: ['价格', 'Price'], default: 0 }),
  settings: Nullable(Json({ title: ['设置', 'Settings'] })),
  file: Nullable(Attachment({ title: ['附件', 'Attachment'] })),
  token: Nullable(Secret({ title: ['密钥', 'Token'] })),
});
const offer = crud('/api/test/offer', Offer);
const Quiet = entity('quiet', { id: Id(), name: Text({ title: ['名称', 'Name'] }) }, { history: false });
const quiet = crud('/api/test/quiet', Quiet, { menu: 'offer' });
const calls = {
  fail: post('/api/test/offer/fail', { title: ['失败', 'Fail'], access: { code: 'offer_edit' }, input: ById, reply: NoContent }),
  raise: post('/api/test/offer/raise', { title: ['涨价', 'Raise the price'], access: { code: 'offer_edit' }, input: ById, reply: NoContent }),
};

interface Started {
  db: ServerContext['db'];
  offers: Repository<typeof Offer>;
}

function offerPlugin(started: Partial<Started>): InstalledPlugin {
  return {
    plugin: defineServerPlugin({
      id: 'offer',
      title: ['优惠', 'Offers'],
      menus: [menu({ code: 'offer', title: ['优惠', 'Offers'], path: '/offer', under: 'base', buttons: ['add', 'edit', 'delete', 'export'] })],
      setup({ db }) {
        const offers = repositoryOf(db, Offer);
        Object.assign(started, { db, offers });
        return {
          routes: [
            crudRoutes(offer, offers),
            crudRoutes(quiet, repositoryOf(db, Quiet)),
            route(calls.fail, async ({ input }) => {
              await offers.save({ id: input.id, name: 'lost' });
              throw new ApiError(problems.forbidden);
            }),
            route(calls.raise, async ({ input: { id } }) => {
              const [row] = await queryRows<{ price: number }>(
                db,
                sql`update offer set price = price + 100 where id = ${id} returning price::integer as price`,
              );
              recordChange({ entity: 'offer', id, before: { price: (row?.price ?? 0) - 100 }, after: { price: row?.price } });
            }),
          ],
        };
      },
    }),
    migrations: {
      '0001-offer.sql': `create table offer (like base_row including all, name varchar(64) not null, price bigint not null, settings text, file text, token text);
        call own_by_tenant('offer'); create table quiet (like base_row including all, name varchar(255) not null); call own_by_tenant('quiet');`,
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

async function begin() {
  const started: Partial<Started> = {};
  const server = await testServer({ plugins: [offerPlugin(started)] });
  const { userId } = await server.createUser({ account: 'li', codes: ['offer', 'offer_add', 'offer_edit', 'offer_delete'] });
  const li = await server.signIn('li');
  const save = async (form: Values) => (await server.post(offer.submit.path, form, { headers: li })).data as Values & { id: string };
  const history = (id: string, query: Record<string, string> = {}, headers = li) => server.get(offer.history?.path ?? '', { query: { id, ...query }, headers });
  const stored = () => server.sql('select entity, record_id::text as id, action, tenant_id as tenant, path, fields from record_change order by id');
  return { server, li, userId, save, history, stored, ...(started as Started) };
}

test('each save stores who changed which fields, when, from what, to what, and through which call', async () => {
  const { save, history, userId } = await begin();
  const { id } = await save({ name: 'one', price: 100 });
  await save({ id, name: 'two' });
  await save({ id, name: 'two', price: 250 });
  const { data } = await history(id);
  expect(data.next).toBeNull();
  expect(data.records.map(({ action, fields }: Values) => ({ action, fields }))).toEqual([
    { action: 'updated', fields: { price: [100, 250] } },
    { action: 'updated', fields: { name: ['one', 'two'] } },
    { action: 'created', fields: { name: [null, 'one'], price: [null, 100] } },
  ]);
  expect(data.records[0]).toMatchObject({ userId, userName: 'li', method: 'POST', path: '/api/test/offer/submit', title: '新增或修改' });
  expect(data.records[0].time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
});

test('a save that changes nothing, or only what the server maintains, stores nothing', async () => {
  const { save, stored } = await begin();
  const { id } = await save({ name: 'one' });
  await save({ id, name: 'one' });
  expect((await stored()).map(({ action }) => action)).toEqual(['created']);
});

test('the request of a change is named as in the API log', async () => {
  const { server, save, history } = await begin();
  const { id } = await save({ name: 'one' });
  const [line] = await server.sql(`select request_id from api_log where request_uri = '${offer.submit.path}'`);
  expect((await history(id)).data.records[0].requestId).toBe(line?.request_id);
});

test('bulk edits, deletions, undone deletions and updates by hand are stored for each record', async () => {
  const { server, li, save, history } = await begin();
  const [one, two] = [await save({ name: 'one' }), await save({ name: 'two' })];
  const ids = [one.id, two.id];
  await server.post(offer.bulkSubmit.path, { ids, values: { price: 500 } }, { headers: li });
  await server.post(calls.raise.path, { id: one.id }, { headers: li });
  await server.post(offer.remove.path, { ids }, { headers: li });
  expect((await history(two.id)).data.records[0]).toMatchObject({ action: 'deleted', fields: {}, path: offer.remove.path });
  await server.post(offer.restore.path, { ids }, { headers: li });
  const entries = (await history(one.id)).data.records.map(({ action, title, fields }: Values) => [action, title, fields]);
  expect(entries.slice(0, 4)).toEqual([
    ['restored', '恢复已删除', {}],
    ['deleted', '删除', {}],
    ['updated', '涨价', { price: [500, 600] }],
    ['updated', '批量修改', { price: [0, 500] }],
  ]);
});

test('a transaction that is rolled back stores nothing, and neither does a savepoint', async () => {
  const { server, li, save, stored, db, offers } = await begin();
  const { id } = await save({ name: 'one' });
  await server.post(calls.fail.path, { id }, { headers: li });
  const scope = { tenantId: '000000' };
  await db.write(scope, async () => {
    await offers.save({ id, name: 'kept' });
    await db.write(scope, () => offers.save({ id, price: 7 }).then(() => Promise.reject(new Error('undone')))).catch(() => undefined);
  });
  expect((await stored()).slice(1).map(({ fields }) => fields)).toEqual([{ name: ['one', 'kept'] }]);
});

test('several changes of a record in one transaction are one, without fields that have their first value again', async () => {
  const { save, stored, db, offers } = await begin();
  const { id } = await save({ name: 'one' });
  await db.write({ tenantId: '000000' }, async () => {
    await offers.save({ id, name: 'two', price: 7 });
    await offers.save({ id, name: 'one' });
  });
  expect((await stored()).slice(1)).toMatchObject([{ action: 'updated', fields: { price: [0, 7] }, path: null }]);
});

test('work that accesses all tenants stores its changes with the tenant of each row', async () => {
  const { server, stored, db, save } = await begin();
  await server.createTenant('100001');
  const { id } = await save({ name: 'one' });
  await db.asPlatform('changes rows of two tenants', async () => {
    recordChange({ entity: 'offer', id, before: { name: 'one' }, after: { name: 'two' }, tenantId: '000000' });
    recordChange({ entity: 'offer', id: '77', before: { name: 'a' }, after: { name: 'b' }, tenantId: '100001' });
  });
  expect((await stored()).slice(1)).toMatchObject([
    { id, tenant: '000000' },
    { id: '77', tenant: '100001' },
  ]);
});

test('secrets are never stored: neither the field nor values that look like one', async () => {
  const { server, save, history } = await begin();
  const { id } = await save({ name: 'one', token: 'first-token', settings: '{"password":"abcdef"}' });
  await save({ id, token: 'second-token' });
  await save({ id, name: 'two', token: 'third-token' });
  const rows = JSON.stringify(await server.sql('select fields from record_change'));
  expect(rows).not.toMatch(/token|\*\*\*/);
  expect((await history(id)).data.records).toMatchObject([{ fields: { name: ['one', 'two'] } }, { action: 'created' }]);
});

test('an entity without history stores nothing and has no call', async () => {
  const { server, li, stored } = await begin();
  const { data } = await server.post(quiet.submit.path, { name: 'one' }, { headers: li });
  expect(data.id).toBeDefined();
  expect(quiet.history).toBeUndefined();
  expect(await stored()).toEqual([]);
});

test('pages follow each other by their cursor, newest first', async () => {
  const { save, history } = await begin();
  const { id } = await save({ name: '0' });
  for (const name of ['1', '2', '3', '4']) await save({ id, name });
  const first = await history(id, { size: '2' });
  const second = await history(id, { size: '2', cursor: first.data.next });
  const third = await history(id, { size: '2', cursor: second.data.next });
  const names = [first, second, third].map(({ data }) => data.records.map(({ fields }: { fields: { name: unknown[] } }) => fields.name[1]));
  expect(names).toEqual([['4', '3'], ['2', '1'], ['0']]);
  expect(third.data.next).toBeNull();
});

test('only those who may see the record read its history', async () => {
  const { server, save, history, db, offers, userId } = await begin();
  const { id } = await save({ name: 'one' });
  await server.createUser({ account: 'stranger', codes: ['home'] });
  expect(await history(id, {}, await server.signIn('stranger'))).toMatchObject({ status: 403 });
  await server.createTenant('100001');
  await server.createUser({ account: 'rival', codes: ['offer'], tenantId: '100001' });
  expect(await history(id, {}, await server.signIn('rival', '100001'))).toMatchObject({ status: 404 });
  expect(await history('12345')).toMatchObject({ status: 404 });
  const scope = { tenantId: '000000' };
  const asOwner = (owner: string) =>
    actingAs(
      { userId: owner, deptId: undefined, ...scope, dataScopes: new Map([['offer', { parts: [{ kind: 'own', column: 'create_user' }], fields: undefined }]]) },
      () => db.read(scope, () => offers.history({ id })),
    );
  expect((await asOwner(userId)).records).toHaveLength(1);
  await expect(asOwner('99')).rejects.toThrow(ApiError);
});

test('fields hidden from the reader are left out, with changes of such fields alone', async () => {
  const { save, db, offers } = await begin();
  const { id } = await save({ name: 'one', price: 100 });
  await save({ id, price: 200 });
  await save({ id, name: 'two', price: 300 });
  const scope = { tenantId: '000000' };
  const dataScopes = new Map([['offer', { parts: undefined, fields: new Set(['name']) }]]);
  const { records } = await actingAs({ userId: '1', deptId: undefined, ...scope, dataScopes }, () => db.read(scope, () => offers.history({ id })));
  expect(records.map(({ fields }) => fields)).toEqual([{ name: ['one', 'two'] }, { name: [null, 'one'] }]);
});
