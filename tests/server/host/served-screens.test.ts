import { expect, test } from '@rstest/core';
import { repositoryOf } from '../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin, type ServerContext } from '../../../src/server/host/plugin.ts';
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
    routes({ serve, serveCrud, db }) {
      serveCrud(bolt, repositoryOf(db, Bolt), { also: ['/api/other/bolt'] });
      serve(bolt.importTemplate, () => link('of the plugin'));
    },
  }),
};
const beside = (id: string, routes: (context: ServerContext) => void) => defineServerPlugin({ id, title: [id, id], routes });

test('a plugin that starts before or after serves further calls of a screen, under all its paths', async () => {
  const exports = (name: string) => beside(name, ({ onScreen }) => onScreen(({ crud: { importTemplate }, serve }) => serve(importTemplate, () => link(name))));
  const mapping = beside('mapping', ({ onScreen }) =>
    onScreen(({ crud: { importMapping }, title, serve }) =>
      serve(importMapping, ({ input }) => ({ ...input, total: 0, columns: [title[1]], fields: [], rows: [] }), { manualTransactions: true }),
    ),
  );
  const broken = beside('broken', ({ onScreen }) =>
    onScreen(() => {
      throw new Error('a listener that fails');
    }),
  );
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
  const worker = beside('worker', ({ onReady, onStop, principals }) => {
    onReady(() => {
      throw new Error('work that fails');
    });
    onReady(async () => {
      steps.push((await principals.find('000000', userId))?.account ?? 'nobody');
    });
    onStop(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push('stopped');
    });
  });
  const first = await testServer({ plugins: [bolts] });
  const { userId } = await first.createUser({ account: 'keeper' });
  const second = await testServer({ plugins: [bolts, worker], db: first.db });
  await expect.poll(() => steps).toEqual(['keeper']);
  expect(second.host.skipped).toEqual([]);
  await second.host.stop();
  expect(steps).toEqual(['keeper', 'stopped']);
});
