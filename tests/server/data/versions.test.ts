import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { crudRoutes, queryRows, type ServerContext } from '#server';
import { crud, entity } from '#shared/contract';
import { Id, Integer, LongText, Money, Nullable, Secret, Select, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { repositoryOf } from '../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { testServer } from '../../support/test-server.ts';

const Offer = entity('offer', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  remark: Nullable(LongText({ title: ['备注', 'Remark'] })),
  places: Integer({ title: ['名额', 'Places'], minimum: 0, default: 1 }),
  price: Money({ title: ['价格', 'Price'], default: 0 }),
  state: Select({
    title: ['状态', 'State'],
    default: 0,
    options: [
      [0, ['草稿', 'Draft']],
      [1, ['已发布', 'Published']],
    ],
  }),
  token: Nullable(Secret({ title: ['密钥', 'Token'] })),
});
const offer = crud('/api/test/offer', Offer);

function offers(seen: { db?: ServerContext['db'] } = {}): InstalledPlugin {
  return {
    plugin: defineServerPlugin({
      id: 'offer',
      title: ['优惠', 'Offers'],
      menus: [menu({ code: 'offer', title: ['优惠', 'Offers'], path: '/offer', under: 'base', buttons: ['add', 'edit', 'delete', 'export'] })],
      setup({ db }) {
        seen.db = db;
        return { routes: [crudRoutes(offer, repositoryOf(db, Offer))] };
      },
    }),
    migrations: {
      '0001-offer.sql': `create table offer (like base_row including all, name varchar(64) not null, remark text, places integer not null, price bigint not null,
        state integer not null, token text); call own_by_tenant('offer');`,
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

async function begin() {
  const seen: { db?: ServerContext['db'] } = {};
  const server = await testServer({ plugins: [offers(seen)] });
  const signedIn = async (account: string) => {
    await server.createUser({ account, codes: ['offer', 'offer_add', 'offer_edit'] });
    return server.signIn(account);
  };
  const [li, wang] = [await signedIn('li'), await signedIn('wang')];
  const save = (form: Values, headers = li) => server.post(offer.submit.path, form, { headers });
  const detail = async (id: string) => (await server.get(offer.detail.path, { query: { id }, headers: li })).data as Values & { version: string };
  return { server, li, wang, save, detail, db: seen.db as ServerContext['db'] };
}

test('every reply has the version of its row, which changes with each update', async () => {
  const { server, li, save, detail } = await begin();
  const { data: added } = await save({ name: 'one' });
  expect(added.version).toMatch(/^\d+$/);
  expect((await detail(added.id)).version).toBe(added.version);
  const { data: changed } = await save({ id: added.id, name: 'two', version: added.version });
  expect(changed.version).not.toBe(added.version);
  const { data: page } = await server.get(offer.list.path, { headers: li });
  expect(page.records).toMatchObject([{ id: added.id, name: 'two', version: changed.version }]);
});

test('a form with an earlier version is refused with the row as it is, its author and the time', async () => {
  const { save, detail, wang } = await begin();
  const { data: loaded } = await save({ name: 'one', token: 'hidden' });
  await save({ id: loaded.id, version: loaded.version, name: 'two' }, wang);
  const refused = await save({ id: loaded.id, version: loaded.version, name: 'three' });
  const current = await detail(loaded.id);
  expect(refused).toMatchObject({
    code: 409,
    success: false,
    msg: '数据已被他人修改，请刷新后重试',
    data: { current, changedBy: 'wang', changedAt: current.updateTime },
  });
  expect(JSON.stringify(refused)).not.toContain('hidden');
  expect(current.name).toBe('two');
  expect(await save({ id: loaded.id, version: current.version, name: 'three' })).toMatchObject({ code: 200, data: { name: 'three' } });
});

test('an update contains only its own fields, required ones may be left out, and none may be emptied', async () => {
  const { save, detail } = await begin();
  const { data: loaded } = await save({ name: 'one', remark: 'first' });
  expect(await save({ id: loaded.id, remark: null })).toMatchObject({ code: 200, data: { name: 'one', remark: null } });
  expect(await save({ id: loaded.id, name: '' })).toMatchObject({ code: 400, body: { field: 'name' } });
  expect(await save({ id: loaded.id, name: null })).toMatchObject({ code: 400, body: { field: 'name' } });
  expect(await save({ remark: 'no name' })).toMatchObject({ code: 400, body: { field: 'name' } });
  expect((await detail(loaded.id)).name).toBe('one');
});

test('state, money and limits that have moved since are not touched by a form that does not name them', async () => {
  const { save, detail, db } = await begin();
  const { data: loaded } = await save({ name: 'one', places: 10, price: 500 });
  await db.asPlatform('changes a row as a counter would', () =>
    queryRows(db, sql`update offer set state = 1, places = 3, price = 900 where id = ${loaded.id}::bigint`),
  );
  expect(await save({ id: loaded.id, name: 'two' })).toMatchObject({ code: 200 });
  expect(await detail(loaded.id)).toMatchObject({ name: 'two', state: 1, places: 3, price: 900 });
  expect(await save({ id: loaded.id, version: loaded.version, name: 'three' })).toMatchObject({ code: 409, data: { current: { state: 1, places: 3 } } });
});

test('a bulk edit leaves out the rows that have changed since their version, and reports them', async () => {
  const { server, li, wang, save, detail } = await begin();
  const [one, two, three] = [(await save({ name: 'one' })).data, (await save({ name: 'two' })).data, (await save({ name: 'three' })).data];
  await save({ id: two.id, name: 'changed' }, wang);
  const versions = { [one.id]: one.version, [two.id]: two.version };
  const reply = await server.post(offer.bulkSubmit.path, { ids: [one.id, two.id, three.id], values: { places: 7 }, versions }, { headers: li });
  expect(reply).toMatchObject({ code: 200, data: { count: 2, stale: [{ id: two.id, changedBy: 'wang' }] } });
  expect(await detail(one.id)).toMatchObject({ places: 7 });
  expect(await detail(two.id)).toMatchObject({ name: 'changed', places: 1 });
  expect(await detail(three.id)).toMatchObject({ places: 7 });
});

test('of two forms that are saved at the same time with one version, one is refused', async () => {
  const { save, wang } = await begin();
  const { data: loaded } = await save({ name: 'one' });
  const replies = await Promise.all([
    save({ id: loaded.id, version: loaded.version, name: 'two' }),
    save({ id: loaded.id, version: loaded.version, remark: 'three' }, wang),
  ]);
  expect(replies.map(({ code }) => code).sort()).toEqual([200, 409]);
});

test('the log of changes does not contain versions', async () => {
  const { save, db } = await begin();
  const { data: loaded } = await save({ name: 'one' });
  await save({ id: loaded.id, name: 'two' });
  const logged = await db.asPlatform('reads the log', () =>
    queryRows<{ changes: string }>(db, sql`select changes::text as changes from api_log where changes::text like '%offer%'`),
  );
  expect(logged.length).toBe(2);
  expect(logged.some(({ changes }) => changes.includes('version'))).toBe(false);
});

const names = ['name', 'remark', 'places', 'price'] as const;
const edit = fc.record(
  { name: fc.stringMatching(/^[a-z]{1,8}$/), remark: fc.stringMatching(/^[a-z]{1,8}$/), places: fc.nat(99), price: fc.nat(99) },
  { requiredKeys: [] },
);
const step = fc.record({ editor: fc.nat(1), action: fc.constantFrom('load', 'edit', 'save'), values: edit });

test('edits of two users in any order lose no field that neither chose to drop', async () => {
  const { save, detail, wang, li } = await begin();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const { data: added } = await save({ name: 'start', remark: 'start', places: 1, price: 1 });
      const expected: Record<string, unknown> = { name: 'start', remark: 'start', places: 1, price: 1 };
      const editors = [li, wang].map((headers) => ({ headers, loaded: added as Values, changed: {} as Record<string, unknown> }));
      for (const { editor: index, action, values } of steps) {
        const editor = editors[index] as (typeof editors)[number];
        if (action === 'load') Object.assign(editor, { loaded: await detail(added.id), changed: {} });
        else if (action === 'edit') Object.assign(editor.changed, values);
        else {
          const form = { id: added.id, version: editor.loaded.version, ...editor.changed };
          const reply = await save(form, editor.headers);
          const isStale = names.some((name) => editor.loaded[name] !== expected[name]);
          // A refused editor sees the values of the other, and keeps both sides' fields: here their own win where both changed.
          if (reply.code === 409) {
            expect(reply.data.current).toMatchObject(expected);
            const again = await save({ ...form, version: reply.data.current.version }, editor.headers);
            expect(again.code).toBe(200);
          } else expect(isStale).toBe(false);
          Object.assign(expected, editor.changed);
          Object.assign(editor, { loaded: await detail(added.id), changed: {} });
        }
        expect(await detail(added.id)).toMatchObject(expected);
      }
    }),
    { numRuns: 12 },
  );
});
