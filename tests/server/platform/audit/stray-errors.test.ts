import { expect, onTestFinished, test } from '@rstest/core';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { asPlugin, pluginAtFault } from '../../../../src/server/platform/audit/stray-errors.ts';
import { openTestDatabase } from '../../../support/test-database.ts';
import { openTestServer, testServer } from '../../../support/test-server.ts';

const faults: (string | undefined)[] = [];
const lamp: ServerPlugin = {
  id: 'lamp',
  title: ['灯', 'Lamp'],
  setup() {
    setTimeout(() => faults.push(pluginAtFault(new Error('in a timer of its own'))), 10);
    return { tasks: [{ everySeconds: 0.05, run: async () => void faults.push(pluginAtFault(new Error('in what it does every so often'))) }] };
  },
};

test('an uncaught error is attributed to the running plugin, also in its timers', async () => {
  await testServer({ plugins: [lamp] });
  while (faults.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(new Set(faults)).toEqual(new Set(['lamp']));
});

test('other errors are attributed by the sources in the stack, and the kernel is no plugin', () => {
  const error = Object.assign(new Error('lost'), { stack: 'Error: lost\n    at send (/srv/src/plugins/notice/server/notices.ts:3:1)' });
  expect(pluginAtFault(error)).toBe('notice');
  expect(asPlugin('payment', () => pluginAtFault(error))).toBe('payment');
  expect(pluginAtFault(Object.assign(new Error('x'), { stack: 'at boot (/srv/src/server/host/boot.ts:1:1)' }))).toBeUndefined();
});

test('uncaught errors are counted by plugin across restarts, shown to the platform, and deleted after seven days', async () => {
  const { db, drop } = await openTestDatabase({ kernelMigrations });
  onTestFinished(drop);
  const plugins = ['access', 'plugins', { ...lamp, setup: () => ({}) }, { ...lamp, id: 'desk', setup: () => ({}) }];
  const first = await openTestServer({ plugins, db });
  asPlugin('lamp', () => first.strayError(new Error('unheard'), 'rejection'));
  asPlugin('lamp', () => first.strayError(new Error('uncaught'), 'exception'));
  first.strayError(new Error('of nobody'), 'rejection');
  const noted = () => first.sql("select log_id as id, method_class as module from usual_log where log_id like 'server:stray-%' order by id");
  await expect.poll(noted, { timeout: 5000, interval: 50 }).toHaveLength(3);
  await first.stop();

  const second = await testServer({ plugins, db });
  const counts = async (place: string) => {
    const { data } = await second.get('/api/blade-system/plugin/list', { headers: await second.signIn(), query: { place } });
    return data.map(({ id, strayErrors }: { id: string; strayErrors: number }) => [id, strayErrors]);
  };
  const none = ['access', 'plugins', 'lamp', 'desk'].map((id) => [id, 0]);
  const both = none.map(([id, count]) => [id, id === 'lamp' ? 2 : count]);
  expect(await counts('*')).toEqual(both);
  expect(await counts('000000')).toEqual(both);
  await second.createTenant('100001');
  for (const [, count] of await counts('100001')) expect(count).toBe(0);
  await second.sql("update usual_log set create_time = create_time - interval '8 days' where log_id like 'server:stray-%'");
  expect(await counts('*')).toEqual(none);
});
