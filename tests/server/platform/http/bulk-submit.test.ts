import { expect, test } from '@rstest/core';
import { crudRoutes, route } from '#server';
import { crud, entity } from '#shared/contract';
import { ApiError, problem } from '#shared/errors';
import { Id, Integer, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { testServer } from '../../../support/test-server.ts';

const Card = entity('card', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 8 }),
  pieces: Integer({ title: ['件数', 'Pieces'], minimum: 0, default: 1 }),
});
const card = crud('/api/test/card', Card);
const locked = problem(409, ['已锁定', 'Locked']);

const cards: InstalledPlugin = {
  plugin: defineServerPlugin({
    id: 'card',
    title: ['卡片', 'Cards'],
    menus: [menu({ code: 'card', title: ['卡片', 'Cards'], path: '/card', under: 'base', buttons: ['add', 'edit', 'delete'] })],
    setup({ db }) {
      const repository = repositoryOf(db, Card);

      return {
        routes: [
          crudRoutes(card, repository),
          route(card.submit, async ({ input }) => {
            if (input.id && (await repository.detail(input.id)).name === 'locked') throw new ApiError(locked);
            return repository.save(input);
          }),
        ],
      };
    },
  }),
  migrations: {
    '0001-card.sql': `create table card (like base_row including all, name varchar(8) not null, pieces integer not null); call own_by_tenant('card');`,
  },
};

async function begin() {
  const server = await testServer({ plugins: [cards] });
  await server.createUser({ account: 'editor', codes: ['card', 'card_add', 'card_edit'] });
  const headers = await server.signIn('editor');
  const add = async (name: string) => {
    const reply = await server.post(card.submit.path, { name }, { headers });
    expect(reply).toMatchObject({ code: 200 });
    return reply.data.id as string;
  };
  const bulk = (ids: readonly string[], values: object) => server.post(card.bulkSubmit.path, { ids, values }, { headers });
  const list = async () =>
    ((await server.get(card.list.path, { headers })).data.records as { name: string; pieces: number }[]).map(({ name, pieces }) => ({ name, pieces }));
  return { server, headers, add, bulk, list };
}

test('many rows get the same values, and keep all others', async () => {
  const { add, bulk, list } = await begin();
  const ids = [await add('one'), await add('two')];
  expect(await bulk(ids, { pieces: 9 })).toMatchObject({ code: 200, data: { count: 2 } });
  expect(await list()).toEqual([
    { name: 'two', pieces: 9 },
    { name: 'one', pieces: 9 },
  ]);
});

test('one row that cannot be changed leaves all rows unchanged, checked by the handler of submit', async () => {
  const { add, bulk, list } = await begin();
  const ids = [await add('one'), await add('locked')];
  expect(await bulk(ids, { pieces: 9 })).toMatchObject({ code: 409, msg: '已锁定' });
  expect(await bulk([...ids, '999999999999'], { pieces: 9 })).toMatchObject({ success: false });
  expect((await list()).map(({ pieces }) => pieces)).toEqual([1, 1]);
});

test('values are validated field by field; empty sets, unknown fields and the id are refused or dropped', async () => {
  const { add, bulk, list } = await begin();
  const id = await add('one');
  expect(await bulk([id], { pieces: -1 })).toMatchObject({ code: 400, msg: '件数须在0到2147483647之间' });
  expect(await bulk([id], { name: 'far too long' })).toMatchObject({ code: 400, msg: '名称不能超过8个字符' });
  expect(await bulk([id], {})).toMatchObject({ code: 400 });
  expect(await bulk([id], { createUser: '1' })).toMatchObject({ code: 400 });
  expect(await list()).toEqual([{ name: 'one', pieces: 1 }]);
});

test('users who can only add cannot change rows in bulk', async () => {
  const { server, add } = await begin();
  const id = await add('one');
  await server.createUser({ account: 'adder', codes: ['card', 'card_add'] });
  const headers = await server.signIn('adder');
  expect(await server.post(card.bulkSubmit.path, { ids: [id], values: { pieces: 2 } }, { headers })).toMatchObject({ code: 403 });
});
