import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { crudRoutes, route } from '#server';
import { flagParameter, integerParameter, textParameter } from '#shared/parameters';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { repositoryOf } from '../../../src/server/data/index.ts';
import { defineServerPlugin, type ServerPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { orderPlugins } from '../../../src/server/host/plugin-host/plugin-order.ts';
import { crud, get, menu, NoContent, NoInput, post } from '../../../src/shared/contract/contract.ts';
import { ledgerPlugin } from '../../support/ledger-plugin.ts';
import { listen } from '../../support/live-listener.ts';
import { testServer } from '../../support/test-server.ts';
import { Film, filmMigration } from '../data/film.ts';

const call = (id: string) => get(`/api/test/${id}`, { title: ['测试', 'Test'], access: 'open', input: NoInput, reply: NoContent });
const plugin = (id: string, more: Partial<ServerPlugin> = {}) =>
  defineServerPlugin({ id, title: [id, id], setup: () => ({ routes: [route(call(id), () => null)] }), ...more });

test('a missing dependency, a cycle and their dependents each get a reason', () => {
  const { ordered, skipped } = orderPlugins([
    plugin('a', { dependencies: ['ghost'] }),
    plugin('b', { dependencies: ['a'] }),
    plugin('c', { dependencies: ['d'] }),
    plugin('d', { dependencies: ['c'] }),
    plugin('e'),
  ]);
  expect(ordered.map(({ id }) => id)).toEqual(['e']);
  expect(skipped.map(({ id, reason }) => `${id}: ${reason[1]}`)).toEqual([
    'a: it requires “ghost”, which is not installed',
    'b: it requires “a”, which cannot run',
    'c: it requires “d”, which cannot run',
    'd: it requires “c”, which cannot run',
  ]);
});

test('a plugin that throws, cannot migrate, cannot seed or lacks a dependency is skipped with its dependents; the others answer', async () => {
  const boom = () => {
    throw new Error('boom');
  };
  const server = await testServer({
    plugins: [
      plugin('sound'),
      plugin('throws', { setup: boom, menus: [menu({ code: 'throws', title: ['坏', 'Bad'], path: '/desk/throws', under: 'desk' })] }),
      plugin('dependent', { dependencies: ['throws'] }),
      plugin('lonely', { dependencies: ['ghost'] }),
      plugin('seedless', { seed: async () => boom() }),
      plugin('keeper', { setup: () => ({ start: async () => boom() }) }),
      plugin('malformed', { setup: () => ({ routes: [route(call('malformed'), () => null)], figures: 1 as never }) }),
      { plugin: plugin('tableless'), migrations: { '0001.sql': 'create table nonsense (' } },
    ],
  });
  expect(server.host.running.map(({ id }) => id)).toEqual(['sound']);
  expect(server.host.skipped.map(({ id }) => id).sort()).toEqual(['dependent', 'keeper', 'lonely', 'malformed', 'seedless', 'tableless', 'throws']);
  expect((await server.get('/api/test/sound')).status).toBe(200);
  for (const id of ['dependent', 'lonely', 'seedless', 'keeper', 'malformed', 'tableless']) expect((await server.get(`/api/test/${id}`)).status).toBe(404);
  expect(await server.sql(`select 1 from menu where code = 'throws'`)).toEqual([]);
});

test('a plugin seeds once for a database, all of it or nothing', async () => {
  let attempts = 0;
  const seeding: ServerPlugin = {
    ...ledgerPlugin.plugin,
    async seed({ db }) {
      attempts += 1;
      await db.write({ tenantId: '000000' }, () => queryRows(db, sql`insert into ledger_entry (title) values ('first')`));
      if (attempts === 1) throw new Error('the first attempt fails half way');
    },
  };
  const server = await testServer({ plugins: [{ ...ledgerPlugin, plugin: seeding }] });
  const count = async () => (await server.sql('select 1 from ledger_entry')).length;
  expect(await count()).toBe(0);
  await testServer({ plugins: [{ ...ledgerPlugin, plugin: seeding }], db: server.db });
  await testServer({ plugins: [{ ...ledgerPlugin, plugin: seeding }], db: server.db });
  expect([await count(), attempts]).toEqual([1, 2]);
});

test('parameters have the values one plugin keeps for them, and their presets wherever it has none or fails', async () => {
  const read: string[] = [];
  const stored: Record<string, string> = { text: 'kept', whole: ' 7 ', crooked: 'seven', high: '99', 'whole.acme': '3', flag: 'true' };
  const keeper = plugin('keeper', {
    setup: () => ({
      async readParameter(key) {
        if (key === 'broken') throw new Error('no');
        return stored[key];
      },
    }),
  });
  const second = plugin('second', { setup: () => ({ readParameter: async () => 'never' }) });
  const asking = plugin('asking', {
    setup({ parameters }) {
      return {
        routes: [
          route(call('asking'), async () => {
            const words = { group: ['组', 'Group'], title: ['名', 'Title'], help: ['说明', 'Help'] } as const;
            const text = (key: string) => parameters.text(textParameter({ key, preset: 'preset', ...words }));
            const whole = (key: string, tenantId?: string) =>
              parameters.integer(integerParameter({ key, preset: 1, maximum: 9, isPerTenant: true, ...words }), tenantId);
            read.push(await text('text'), await text('unknown'), await text('broken'));
            read.push(String(await whole('whole')), String(await whole('crooked')), String(await whole('high')), String(await whole('whole', 'acme')));
            read.push(String(await parameters.flag(flagParameter({ key: 'flag', preset: false, ...words }))));
            return null;
          }),
        ],
      };
    },
  });
  const server = await testServer({ plugins: [keeper, second, asking] });
  await server.get('/api/test/asking');
  expect(read).toEqual(['kept', 'preset', 'preset', '7', '1', '9', '3', 'true']);
  expect(server.host.skipped.map(({ id }) => id)).toEqual(['second']);
});

const film = crud('/api/test/film', Film, { menu: 'param' });
const alien = { filmTitle: 'Alien', minutes: 117 };

test('a generic screen is served from its repository, but for the calls its plugin serves itself', async () => {
  const films = defineServerPlugin({
    id: 'films',
    title: ['电影', 'Films'],
    setup({ db }) {
      const repository = repositoryOf(db, Film, { unique: [{ fields: ['filmTitle'] }] });

      return {
        routes: [
          route(film.detail, async ({ input }) => ({ ...(await repository.detail(input.id)), plot: 'told by the plugin' })),
          crudRoutes(film, repository),
        ],
      };
    },
  });
  const server = await testServer({ plugins: ['settings', { plugin: films, migrations: { '0001-films.sql': filmMigration } }] });
  const headers = await server.signIn();
  const { data } = await server.post(film.submit.path, { ...alien, plot: 'In space' }, { headers });
  expect(data).toMatchObject({ ...alien, plot: 'In space', genre: 1 });
  expect((await server.get(film.detail.path, { headers, query: { id: data.id } })).data.plot).toBe('told by the plugin');
  await server.post(film.submit.path, { id: data.id, ...alien, genre: 2 }, { headers });
  expect((await server.post(film.submit.path, { id: data.id, ...alien }, { headers })).data).toMatchObject({ genre: 2, plot: 'In space' });
  expect((await server.get(film.list.path, { headers })).data).toMatchObject({ total: 1, size: 10, current: 1 });
});

test('a handler with manual transactions runs outside of a transaction', async () => {
  const lone = post('/api/test/lone', { title: ['测试', 'Test'], access: 'open', input: NoInput, reply: NoContent });
  const lonely = plugin('lonely', {
    setup({ db }) {
      return {
        routes: [
          route(
            lone,
            async () => {
              expect(() => db.sql).toThrow('outside');
              await db.asPlatform('tests look', () => queryRows(db, sql`select 1`));
              return null;
            },
            { manualTransactions: true },
          ),
        ],
      };
    },
  });
  const server = await testServer({ plugins: [lonely] });
  expect(await server.post(lone.path)).toMatchObject({ status: 200, data: null });
});

test('a plugin that is incompatible with a dependency is skipped with its dependents, each with a reason', async () => {
  const old = plugin('old', { version: '1.0.3' });
  const server = await testServer({
    plugins: [
      old,
      plugin('late', { dependencies: { old: '^1.2' } }),
      plugin('bound', { dependencies: ['late'] }),
      plugin('fine', { dependencies: { old: '^1.0' } }),
    ],
  });
  expect(server.host.running.map(({ id }) => id)).toEqual(['old', 'fine']);
  expect(server.host.skipped.map(({ id, reason }) => [id, reason[1]])).toEqual([
    ['late', expect.stringContaining('requires “old” ^1.2, but 1.0.3 is installed')],
    ['bound', 'it requires “late”, which cannot run'],
  ]);
});

test('in safe mode only core plugins and their dependencies start, and the others have a reason', async () => {
  const plugins = [plugin('extra'), plugin('needed'), plugin('heart', { core: true, dependencies: ['needed'] })];
  const server = await testServer({ plugins, environment: { SAFE_MODE: 'on' } });
  expect(server.host.running.map(({ id }) => id)).toEqual(['needed', 'heart']);
  expect(server.host.skipped).toEqual([{ id: 'extra', reason: ['安全模式下只启动核心插件', 'only core plugins start in safe mode'] }]);
  const console = await listen(server, await server.signIn());
  expect((await console.next('live:opened')).payload).toMatchObject({ safe: true, off: ['extra'] });
});

test('a plugin that failed at three starts in a row is skipped with its dependents, until an administrator retries it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-starts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'plugin-starts.json');
  const build = process.env.MARQUEE_BUILD ?? '';
  writeFileSync(file, JSON.stringify({ build, starting: 'shaky', failures: { shaky: 2, heart: 9 } }));
  const plugins = ['access', 'plugins', plugin('shaky'), plugin('bound', { dependencies: ['shaky'] }), plugin('heart', { core: true })];
  const server = await testServer({ plugins, environment: { DATA_DIR: directory } });
  expect(server.host.skipped.map(({ id }) => id)).toEqual(['shaky', 'bound']);
  expect(server.host.running.map(({ id }) => id)).toEqual(['access', 'plugins', 'heart']);
  const headers = await server.signIn();
  const { data } = await server.get('/api/blade-system/plugin/list', { headers });
  expect(data.find(({ id }: { id: string }) => id === 'shaky')).toMatchObject({
    state: 'leftOut',
    failsEachTime: true,
    reason: [expect.stringContaining('三次'), expect.anything()],
  });
  expect(await server.post('/api/blade-system/plugin/retry', { id: 'shaky' }, { headers })).toMatchObject({ status: 200 });
  for (let turn = 0; turn < 100 && readFileSync(file, 'utf8').includes('shaky'); turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ build, failures: {} });
  const { data: after } = await server.get('/api/blade-system/plugin/list', { headers });
  expect(after.find(({ id }: { id: string }) => id === 'shaky')).toMatchObject({
    state: 'leftOut',
    failsEachTime: false,
    reason: [expect.stringContaining('下次启动时重试'), expect.stringContaining('registered at startup')],
  });
});
