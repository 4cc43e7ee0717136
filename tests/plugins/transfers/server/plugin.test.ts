import { expect, test } from '@rstest/core';
import { serverContract } from '#kit/server';
import { plugins } from '#plugins/plugins/contract';
import * as contract from '#plugins/transfers/contract';
import { ListExports } from '#plugins/transfers/server-extension';
import { defineServerPlugin } from '#server';
import { testServer } from '../../../support/test-server.ts';
import { ware, warePlugin } from './ware-plugin.ts';

serverContract('transfers', contract);

/** Keeps what a plugin finds that only uses exports where there are any. */
let found: () => ListExports | undefined;
const reporter = defineServerPlugin({
  id: 'reporter',
  title: ['报表', 'Reports'],
  optionalDependencies: ['transfers'],
  setup({ find }) {
    found = () => find(ListExports);
    return {};
  },
});

test('a server without the plugin serves lists without exports and imports', async () => {
  const server = await testServer({ plugins: [warePlugin, reporter] });
  const headers = await server.signIn();
  expect(server.host.skipped).toEqual([]);
  expect(await server.post(ware.submit.path, { name: 'a', pieces: 1 }, { headers })).toMatchObject({ code: 200 });
  expect((await server.get(ware.list.path, { headers })).data.records).toHaveLength(1);
  for (const path of [ware.export.path, ware.import.path]) expect(await server.post(path, { format: 'csv' }, { headers })).toMatchObject({ status: 404 });
  expect(await server.get(contract.transfers.list.path, { headers })).toMatchObject({ status: 404 });
  expect(found()).toBeUndefined();
});

test('where the plugin or that of the list is disabled, its calls answer 404 by its name', async () => {
  const server = await testServer({ plugins: [warePlugin, 'transfers', 'plugins', reporter] });
  const headers = await server.signIn();
  const turn = (id: string, on: boolean) => server.post(plugins.setEnabled.path, { id, on, place: '*' }, { headers });
  const exported = () => server.post(ware.export.path, { format: 'csv' }, { headers });
  expect(await exported()).toMatchObject({ code: 200, data: { state: 'done' } });
  expect(found()).toBeInstanceOf(ListExports);
  expect(await turn('transfers', false)).toMatchObject({ code: 200 });
  expect(await exported()).toMatchObject({ status: 404, msg: expect.stringContaining('导入导出') });
  expect(await server.get(contract.transfers.list.path, { headers })).toMatchObject({ status: 404 });
  expect(await server.get(ware.list.path, { headers })).toMatchObject({ code: 200 });
  expect(found()).toBeUndefined();
  expect(await turn('transfers', true)).toMatchObject({ code: 200 });
  expect(await turn('ware', false)).toMatchObject({ code: 200 });
  expect(await exported()).toMatchObject({ status: 404, msg: expect.stringContaining('货品') });
  expect(await turn('ware', true)).toMatchObject({ code: 200 });
  expect(await exported()).toMatchObject({ code: 200 });
});
