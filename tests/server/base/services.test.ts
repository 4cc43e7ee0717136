import { afterAll, beforeAll, expect, test } from '@rstest/core';
import * as Type from 'typebox';
import { serverContributions } from '#plugins/inspector/contract';
import { plugins } from '#plugins/plugins/contract';
import { provide, route } from '#server';
import inspector from '../../../src/plugins/inspector/server/plugin.ts';
import switching from '../../../src/plugins/plugins/server/plugin.ts';
import { defineServerPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { get, menu, NoInput } from '../../../src/shared/contract/contract.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

/** A port, as it is declared in the `server-extension.ts` of its owner. */
abstract class Dimmer {
  abstract dimTo(level: number): string;
}
class LampDimmer extends Dimmer {
  dimTo = (level: number) => `lamp at ${level}`;
}
abstract class Candle {
  abstract light(): void;
}

const said = Type.Unsafe<string>({ type: 'string' });
const call = (id: string) => get(`/api/test/${id}`, { title: ['测试', 'Test'], access: { code: id }, input: NoInput, reply: said });
const [scene, maybe] = [call('scene'), call('maybe')];
const menuOf = (code: string) => menu({ code, title: [code, code], path: `/desk/${code}`, under: 'desk' });

const lamp = defineServerPlugin({
  id: 'lamp',
  title: ['灯', 'Lamp'],
  menus: [menuOf('lamp')],
  setup: () => ({ services: [provide(Dimmer, new LampDimmer())] }),
});
const stage = defineServerPlugin({
  id: 'stage',
  title: ['舞台', 'Stage'],
  dependencies: ['lamp'],
  menus: [menuOf('scene')],
  setup({ get }) {
    const dimmer = get(Dimmer);

    return {
      routes: [route(scene, () => dimmer.dimTo(3))],
    };
  },
});
const hall = defineServerPlugin({
  id: 'hall',
  title: ['大厅', 'Hall'],
  optionalDependencies: ['lamp', 'absent'],
  menus: [menuOf('maybe')],
  setup: ({ find }) => ({ routes: [route(maybe, () => find(Dimmer)?.dimTo(1) ?? 'dark')] }),
});
const second = { ...lamp, id: 'second', menus: [] };
const rude = defineServerPlugin({ id: 'rude', title: ['粗', 'Rude'], setup: ({ get }) => ({ services: [provide(Dimmer, get(Dimmer))] }) });
const lonely = defineServerPlugin({ id: 'lonely', title: ['独', 'Lonely'], setup: ({ get }) => ({ services: [provide(Candle, get(Candle))] }) });
const homeless = defineServerPlugin({
  id: 'homeless',
  title: ['无', 'Homeless'],
  dependencies: ['ghost'],
  setup: ({ get }) => ({ services: [provide(Dimmer, get(Dimmer))] }),
});

let server: TestServer;
let admin: Record<string, string>;
let tenant: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: [hall, stage, lamp, second, rude, lonely, homeless, switching, inspector] });
  admin = await server.signIn();
  await server.createTenant('222222');
  await server.createUser({ account: 'owner', tenantId: '222222', roleAlias: 'admin', codes: ['scene', 'maybe', 'plugin', 'plugin_switch'] });
  tenant = await server.signIn('owner', '222222');
});
afterAll(() => server.stop());

const asked = async ({ path }: { path: string }, headers: Record<string, string>) => {
  const { status, body } = await server.get(path, { headers });
  return status === 200 ? body.data : status;
};
const turn = (on: boolean, index: string) => server.post(plugins.setEnabled.path, { id: 'lamp', on, place: index }, { headers: admin });

test('a plugin that needs another works with what that one shares, one that only wants it finds it', async () => {
  expect(await asked(scene, admin)).toBe('lamp at 3');
  expect(await asked(maybe, admin)).toBe('lamp at 1');
});

test('a service that is shared twice, used without a dependency or not shared skips the plugin; a missing owner is named', () => {
  const reasons = Object.fromEntries(server.host.skipped.map(({ id, reason }) => [id, reason[1]]));
  expect(reasons).toEqual({
    homeless: 'it requires “ghost”, which is not installed',
    second: 'it failed while registering its routes',
    rude: 'it failed while registering its routes',
    lonely: 'it failed while registering its routes',
  });
});

test('a service disappears while its plugin is disabled, for one tenant or for all, and returns', async () => {
  await turn(false, '222222');
  expect([await asked(maybe, tenant), await asked(scene, tenant)]).toEqual(['dark', 404]);
  expect([await asked(maybe, admin), await asked(scene, admin)]).toEqual(['lamp at 1', 'lamp at 3']);
  await turn(false, '*');
  expect([await asked(maybe, admin), await asked(scene, admin)]).toEqual(['dark', 404]);
  await turn(true, '*');
  await turn(true, '222222');
  expect([await asked(maybe, tenant), await asked(scene, tenant)]).toEqual(['lamp at 1', 'lamp at 3']);
});

test('administrators see the shared services and their users; other users do not', async () => {
  const told = await asked(serverContributions, admin);
  expect(told).toEqual(
    expect.arrayContaining([
      { pluginId: 'lamp', kind: 'service', what: 'Dimmer', isOff: false },
      { pluginId: 'stage', kind: 'taken', what: 'Dimmer', isOff: false },
      { pluginId: 'hall', kind: 'taken', what: 'Dimmer', isOff: false },
    ]),
  );
  expect(await asked(serverContributions, tenant)).toBe(403);
});
