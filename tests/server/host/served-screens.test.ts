import { expect, test } from '@rstest/core';
import { crudRoutes, defineServerPlugin, type InstalledPlugin, Principals, repositoryOf, route, type ServerContext, type ServerContributions } from '#server';
import { crud, entity } from '../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../src/shared/contract/fields.ts';
import { testServer } from '../../support/test-server.ts';

const Bolt = entity('bolt', { id: Id(), name: Text({ title: ['名称', 'Name'] }) });
const bolt = crud('/api/test/bolt', Bolt);
const link = (text: string) => ({ link: text });

const bolts: InstalledPlugin = {
  migrations: { '0001-bolt.sql': "create table bolt (like base_row including all, name varchar(64) not null); call own_by_tenant('bolt');" },
  plugin: defineServerPlugin({
    id: 'bolt',
    title: ['螺栓', 'Bolts'],
    setup: ({ db }) => ({
      routes: [crudRoutes(bolt, repositoryOf(db, Bolt), { pathPrefixes: ['/api/other/bolt'] }), route(bolt.importTemplate, () => link('of the plugin'))],
    }),
  }),
};
const beside = (id: string, contributions: ServerContributions, setup = (_: ServerContext) => contributions) =>
  defineServerPlugin({ id, title: [id, id], setup });

test('a plugin that starts before or after serves further calls of a screen, under all its paths', async () => {
  const exports = (name: string) => beside(name, { screenRoutes: ({ crud: { importTemplate } }) => [route(importTemplate, () => link(name))] });
  const mapping = beside('mapping', {
    screenRoutes: ({ crud: { importMapping }, title }) => [
      route(importMapping, ({ input }) => ({ ...input, total: 0, columns: [title[1]], fields: [], rows: [] }), { manualTransactions: true }),
    ],
  });
  const broken = beside('broken', {
    screenRoutes() {
      throw new Error('routes that cannot be built');
    },
  });
  const server = await testServer({ plugins: [exports('before'), broken, bolts, mapping] });
  const headers = await server.signIn();
  expect(server.host.skipped).toEqual([]);
  expect((await server.get(bolt.importTemplate.path, { headers })).data).toEqual(link('of the plugin'));
  for (const path of [bolt.importMapping.path, '/api/other/bolt/import-mapping'])
    expect(await server.post(path, { fileId: '1', mapping: [] }, { headers })).toMatchObject({ code: 200, data: { columns: ['bolt'] } });
  expect(await server.post(bolt.export.path, { format: 'csv' }, { headers })).toMatchObject({ status: 404 });
});

test('work of a plugin begins once every call is served and users are found, and ends before the server has stopped', async () => {
  const steps: string[] = [];
  const broken = beside('broken', {
    ready() {
      throw new Error('work that fails');
    },
  });
  const worker = beside('worker', {}, ({ get }) => ({
    async ready() {
      steps.push((await get(Principals).find('000000', userId))?.account ?? 'nobody');
    },
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push('stopped');
    },
  }));
  const first = await testServer({ plugins: [bolts] });
  const { userId } = await first.createUser({ account: 'keeper' });
  const second = await testServer({ plugins: [bolts, broken, worker], db: first.db });
  await expect.poll(() => steps).toEqual(['keeper']);
  expect(second.host.skipped).toEqual([]);
  await second.host.stop();
  expect(steps).toEqual(['keeper', 'stopped']);
});
