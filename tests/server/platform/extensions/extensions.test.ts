import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { serverContributions } from '#plugins/inspector/contract';
import { plugins } from '#plugins/plugins/contract';
import { crudRoutes, route } from '#server';
import switching from '../../../../src/plugins/plugins/server/plugin.ts';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { withRowFields, withRows } from '../../../../src/server/platform/extensions/extended-schemas.ts';
import { crud, entity, menu, TreeOf } from '../../../../src/shared/contract/contract.ts';
import { extendEntity } from '../../../../src/shared/contract/entity-extension.ts';
import { DateOnly, Id, Integer, Nullable, Parent, Secret, Select, Text } from '../../../../src/shared/contract/fields.ts';
import { openTestServer, type Reply, type TestServer } from '../../../support/test-server.ts';
import { Film, filmMigration } from '../../data/film.ts';

const filmMenu = menu({ code: 'film', title: ['电影', 'Films'], path: '/desk/film', under: 'desk', buttons: ['add', 'edit', 'delete'] });
const film = crud('/api/test/film', Film);
const films = defineServerPlugin({
  id: 'films',
  title: ['电影', 'Films'],
  menus: [filmMenu],
  setup({ db }) {
    const repository = repositoryOf(db, Film);

    return {
      routes: [
        crudRoutes(film, repository),
        route(film.submit, async ({ input }) => {
          // A plugin never sees fields that it did not declare.
          if (Object.keys(input).some((name) => name.includes(':'))) throw new Error('a field of another plugin');
          return repository.save(input);
        }),
      ],
    };
  },
});

const Stars = extendEntity('stars', Film, {
  adds: {
    count: Nullable(Integer({ title: ['星级', 'Stars'], minimum: 1, maximum: 5 })),
    given: Nullable(DateOnly({ title: ['评定日', 'Given on'] })),
    by: Nullable(
      Select({
        title: ['评定人', 'By'],
        options: [
          ['press', ['媒体', 'Press']],
          ['public', ['观众', 'Public']],
        ],
      }),
    ),
  },
});
const stars = defineServerPlugin({
  id: 'stars',
  title: ['星级', 'Stars'],
  dependencies: ['films'],
  menus: [menu({ code: 'stars', title: ['星级', 'Stars'], path: '/desk/stars', under: 'desk' })],
  extensions: [Stars],
});
const Notes = extendEntity('notes', Film, { adds: { note: Nullable(Text({ title: ['批注', 'Note'], maxLength: 8 })) } });
const notes = defineServerPlugin({ id: 'notes', title: ['批注', 'Notes'], dependencies: ['films'], extensions: [Notes] });
const strict = defineServerPlugin({
  id: 'strict',
  title: ['严格', 'Strict'],
  dependencies: ['films'],
  extensions: [
    extendEntity('strict', Film, {
      tightens: {
        minutes: { minimum: 90, maximum: 9_000_000_000 },
        filmTitle: { pattern: '^[A-Z]', maxLength: 6 },
        genre: { values: [2] },
        plot: { required: true },
      },
    }),
  ],
});
const impostor = defineServerPlugin({ id: 'impostor', title: ['冒名', 'Impostor'], extensions: [Stars] });
const nowhere = defineServerPlugin({
  id: 'nowhere',
  title: ['无', 'Nowhere'],
  extensions: [extendEntity('nowhere', entity('ghost', { id: Id() }), { adds: { note: Notes.fields.note } })],
});

let server: TestServer;
let admin: Record<string, string>;
let tenant: Record<string, string>;

beforeAll(async () => {
  const installed = [stars, notes, strict, impostor, nowhere, { plugin: films, migrations: { '0001-films.sql': filmMigration } }, switching, 'inspector'];
  server = await openTestServer({ plugins: installed });
  admin = await server.signIn();
  await server.createTenant('222222');
  await server.createUser({ account: 'owner', tenantId: '222222', roleAlias: 'admin', codes: ['film', 'film_add', 'film_edit', 'plugin', 'plugin_switch'] });
  tenant = await server.signIn('owner', '222222');
  await setEnabled('strict', false, '*');
});
afterAll(() => server.stop());

const alien = { filmTitle: 'Alien', minutes: 117 };
const save = (fields: object, headers = admin): Promise<Reply> => server.post(film.submit.path, { ...alien, ...fields }, { headers });
const detail = async (id: string, headers = admin) => (await server.get(film.detail.path, { headers, query: { id } })).data;
const setEnabled = (id: string, on: boolean, place: string) => server.post(plugins.setEnabled.path, { id, on, place }, { headers: admin });

test('added fields are saved with the row, returned by every call of its screen, and kept when a form omits them', async () => {
  const { data } = await save({ 'stars:count': '4', 'stars:by': 'press', 'notes:note': '好看' });
  const added = { 'stars:count': 4, 'stars:given': null, 'stars:by': 'press', 'notes:note': '好看' };
  expect(data).toMatchObject({ ...alien, ...added });
  expect(await detail(data.id)).toMatchObject(added);
  const { data: plain } = await save({ filmTitle: 'Brazil' });
  const { records } = (await server.get(film.list.path, { headers: admin })).data;
  expect(records.map((row: Record<string, unknown>) => row['stars:count'])).toEqual([null, 4]);
  expect(plain).toMatchObject({ 'stars:count': null, 'notes:note': null });

  expect((await save({ id: data.id, 'stars:by': null, 'stars:given': '2026-01-31' })).data).toMatchObject({
    ...added,
    'stars:by': null,
    'stars:given': '2026-01-31',
  });
});

test('a refused value names its field in the user’s language, and neither row nor value is saved', async () => {
  const { data } = await save({ filmTitle: 'Clue', 'stars:count': 3 });
  expect(await save({ id: data.id, filmTitle: 'Clued', 'stars:count': 6 })).toMatchObject({
    status: 400,
    msg: '星级须在1到5之间',
    body: { field: 'stars:count' },
  });
  expect(await save({ id: data.id, filmTitle: 'Clued', 'notes:note': '123456789' })).toMatchObject({ status: 400, body: { field: 'notes:note' } });
  expect(await detail(data.id)).toMatchObject({ filmTitle: 'Clue', 'stars:count': 3 });
  expect(await save({ id: data.id, minutes: 'long', 'stars:count': 5 })).toMatchObject({ status: 400, body: { field: 'minutes' } });
  expect(await save({ id: '999', 'stars:count': 5 })).toMatchObject({ status: 404 });
  expect((await detail(data.id))['stars:count']).toBe(3);
  expect(await server.sql('select 1 from added_value where row_id = 999')).toEqual([]);
});

test('the API log has an added value among the changes of the row', async () => {
  const { data } = await save({ filmTitle: 'Dune', 'stars:count': 2 });
  const logged = () => server.sql("select changes::text as changes from api_log where params like '%Dune%'");
  await expect.poll(logged).toEqual([{ changes: expect.stringContaining('stars:count') }]);
  expect(data['stars:count']).toBe(2);
});

test('users who cannot save the row cannot add values, and other tenants see neither', async () => {
  const { data } = await save({ filmTitle: 'Emma', 'stars:count': 1 });
  await server.createUser({ account: 'reader', codes: ['film'] });
  const reader = await server.signIn('reader');
  expect(await save({ id: data.id, 'stars:count': 5 }, reader)).toMatchObject({ status: 403 });
  expect(await detail(data.id, reader)).toMatchObject({ 'stars:count': 1 });
  expect(await save({ id: data.id, 'stars:count': 5 }, tenant)).toMatchObject({ status: 404 });
  expect(await detail(data.id, tenant)).toBeNull();
  expect(await server.db.read({ tenantId: '222222' }, async () => (await server.db.rows('select 1 from added_value', [])).length)).toBe(0);
});

test('added fields disappear from forms and replies while their plugin is disabled, and return with their values', async () => {
  const { data } = await save({ filmTitle: 'Fargo', 'stars:count': 5, 'notes:note': '雪' }, tenant);
  await setEnabled('stars', false, '222222');
  expect(await detail(data.id, tenant)).not.toHaveProperty('stars:count');
  expect(await detail(data.id, tenant)).toMatchObject({ 'notes:note': '雪' });
  expect((await save({ id: data.id, filmTitle: 'Fargo', 'stars:count': 99 }, tenant)).data).not.toHaveProperty('stars:count');
  expect((await save({ filmTitle: 'Gigi', 'stars:count': 2 })).data).toMatchObject({ 'stars:count': 2 });
  await setEnabled('stars', true, '222222');
  expect(await detail(data.id, tenant)).toMatchObject({ 'stars:count': 5, 'notes:note': '雪' });
});

test('restrictions of a plugin apply to every write in addition to those of the entity, while the plugin is enabled', async () => {
  const { data: old } = await save({ filmTitle: 'Hamlet in full' });
  await setEnabled('strict', true, '*');
  const good = { filmTitle: 'Heat', minutes: 170, genre: 2, plot: 'Two meet' };
  const refusedAt = async (fields: object) => (await save({ ...good, ...fields })).body.field;
  expect(await refusedAt({ filmTitle: 'heat' })).toBe('filmTitle');
  expect(await refusedAt({ filmTitle: 'Heatwave' })).toBe('filmTitle');
  expect(await refusedAt({ minutes: 60 })).toBe('minutes');
  expect(await refusedAt({ minutes: 3_000_000_000 })).toBe('minutes');
  expect(await refusedAt({ genre: 1 })).toBe('genre');
  expect(await refusedAt({ plot: null })).toBe('plot');
  expect((await server.post(film.submit.path, { filmTitle: 'Heat', minutes: 170, genre: 2 }, { headers: { ...admin, 'accept-language': 'en' } })).msg).toBe(
    'Plot is required',
  );
  const { data } = await save(good);
  expect((await server.post(film.bulkSubmit.path, { ids: [data.id], values: { plot: null } }, { headers: admin })).status).toBe(400);
  // An edit keeps fields that it does not contain, even if their values would not be accepted now.
  expect(await save({ id: old.id, filmTitle: 'Hamlet', minutes: 242 })).toMatchObject({ status: 200, data: { plot: null, genre: 1 } });
  await setEnabled('strict', false, '*');
  expect(await save({ ...good, filmTitle: 'Her', minutes: 60 })).toMatchObject({ status: 200 });
});

test('a wider limit, or one on a field that is not editable or of another type, is refused', () => {
  expect(extendEntity('wide', Film, { tightens: { filmTitle: { maxLength: 999 } } }).tightened.filmTitle?.schema).toMatchObject({ maxLength: 64 });
  const refused = [
    { id: { required: true } },
    { createTime: { required: true } },
    { minutes: { maxLength: 3 } },
    { filmTitle: { minimum: 1 } },
    { plot: { values: ['a'] } },
  ];
  for (const tightens of refused) expect(() => extendEntity('wide', Film, { tightens: tightens as never })).toThrow('wide cannot restrict film');
});

test('a plugin that adds fields under the id of another, or to rows that no screen saves, is skipped; administrators see all additions', async () => {
  expect(server.host.skipped.map(({ id }) => id)).toEqual(['impostor', 'nowhere']);
  const contributions = (await server.get(serverContributions.path, { headers: admin })).data;
  expect(contributions).toContainEqual({ pluginId: 'stars', kind: 'field', what: 'film · stars:count', isOff: false });
  expect(contributions).toContainEqual({ pluginId: 'strict', kind: 'rule', what: 'film · plot', isOff: true });
});

test('fields that store no value of their own, are required or are searched cannot be added', () => {
  const title = ['名', 'Name'] as const;
  const refused = [
    Text({ title }),
    Nullable(Secret({ title })),
    Nullable(Parent({ title })),
    Nullable(Text({ title, search: true })),
    Nullable(Text({ title, sort: true })),
  ];
  for (const field of refused) expect(() => extendEntity('stars', Film, { adds: { field } })).toThrow('stars:field cannot be added to film');
  expect(() => extendEntity('stars', entity('city', { id: Id() }, { owner: 'platform' }), { adds: { note: Notes.fields.note } })).toThrow(
    'has rows that all tenants share',
  );
});

test('rows are found anywhere in a reply, nested ones too', () => {
  const reply = { type: 'object', properties: { tree: TreeOf(Film.row) } } as unknown as typeof Film.row;
  const widened = withRowFields(reply, 'film', { 'stars:count': Stars.fields.count }) as unknown as { properties: { tree: { items: { properties: object } } } };
  expect(widened.properties.tree.items.properties).toHaveProperty('stars:count');
  const value = { tree: [{ id: '1', children: [{ id: '2' }] }] };
  expect(withRows(value, reply, 'film', (row) => ({ ...row, seen: true }))).toEqual({ tree: [{ id: '1', seen: true, children: [{ id: '2', seen: true }] }] });
  expect(value.tree).toEqual([{ id: '1', children: [{ id: '2' }] }]);
});
