import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { plugins as deployed } from '#deployment/server';
import { permissionExplanation } from '#plugins/access/explain-contract';
import { plugins } from '#plugins/plugins/contract';
import { filterHandler, listener, route } from '#server';
import { jobPlugin } from '../../../src/plugins/job/server/plugin.ts';
import { defineServerPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { event, filter, get, menu, NoContent, NoInput, post } from '../../../src/shared/contract/contract.ts';
import { ApiError, problem } from '../../../src/shared/contract/errors.ts';
import { listen } from '../../support/live-listener.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const Poured = event<{ litres: number }>('bar:poured');
const Pouring = filter<{ litres: number }>('bar:pouring');
const who = { code: 'bar' } as const;
const pour = post('/api/test/pour', { title: ['倒酒', 'Pour'], access: who, input: NoInput, reply: NoContent });
const guests = get('/api/test/guests', { title: ['客人', 'Guests'], access: { code: 'guest' }, input: NoInput, reply: NoContent });
const sign = get('/api/test/sign', { title: ['招牌', 'Sign'], access: 'open', input: NoInput, reply: NoContent });
const tooMuch = problem(409, ['倒得太多', 'Too much is poured.']);

const heard: string[] = [];
let rounds = 0;
const bar = defineServerPlugin({
  id: 'bar',
  title: ['酒吧', 'Bar'],
  menus: [menu({ code: 'bar', title: ['酒吧', 'Bar'], path: '/desk/bar', under: 'desk', buttons: ['add'] })],
  setup({ applyFilters, emit }) {
    return {
      routes: [
        route(pour, async () => {
          emit(Poured, await applyFilters(Pouring, { litres: 1 }));
          return null;
        }),
      ],
    };
  },
});
/** Adds a filter, a listener, a periodic task and a job to the plugin `bar`. */
const guest = defineServerPlugin({
  id: 'guest',
  title: ['客人', 'Guests'],
  dependencies: ['bar'],
  menus: [menu({ code: 'guest', title: ['客人', 'Guests'], path: '/desk/guest', under: 'desk', buttons: ['add'] })],
  setup() {
    return {
      filters: [
        filterHandler(Pouring, () => {
          throw new ApiError(tooMuch);
        }),
      ],
      routes: [route(guests, () => null), route(sign, () => null)],
      listeners: [listener(Poured, () => void heard.push('poured'))],
      tasks: [
        {
          everySeconds: 0.16,
          run: async () => {
            rounds += 1;
          },
        },
      ],
      processors: {
        'guest:drink': { title: ['喝酒', 'Drink'], help: ['喝酒', 'Drink'], run: async () => void heard.push('drank') as undefined },
      },
    };
  },
});

let server: TestServer;
let other: TestServer;
let admin: Record<string, string>;
let owner: Record<string, string>;
const mayAll = [
  'bar',
  'bar_add',
  'guest',
  'guest_add',
  'plugin',
  'plugin_switch',
  'jobinfo',
  'jobinfo_add',
  'jobinfo_run',
  'jobserver_add',
  'jobinstance',
  'permission_explain',
];

beforeAll(async () => {
  const migrations = deployed.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  const job = { plugin: jobPlugin({ leaseSeconds: 2, maxTasks: 10 }), migrations };
  const installed = ['access', 'plugins', job, bar, guest];
  server = await openTestServer({ plugins: installed });
  other = await openTestServer({ plugins: installed, db: server.db });
  admin = await server.signIn();
  await server.createTenant('100001');
  await server.createUser({ account: 'owner', tenantId: '100001', roleAlias: 'admin', codes: mayAll });
  await server.createUser({ account: 'owner', codes: mayAll });
  owner = await server.signIn('owner', '100001');
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});
beforeEach(async () => {
  for (const place of ['*', '100001']) for (const id of ['bar', 'guest']) await turn(id, true, place);
  heard.length = 0;
});

const turn = (id: string, on: boolean, place?: string, headers = admin) =>
  server.post(plugins.setEnabled.path, { id, on, ...(place ? { place } : {}) }, { headers });
const menuOf = async (headers: Record<string, string>, kind = 'routes') =>
  JSON.stringify((await server.get(`/api/things-system/menu/${kind}`, { headers })).data);
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const began = Date.now(); Date.now() - began < 5000; ) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come about within five seconds');
}

test('a plugin disabled by a tenant disappears for that tenant and returns unchanged', async () => {
  const elsewhere = await server.signIn('owner');
  expect(await turn('guest', false, undefined, owner)).toMatchObject({ status: 200 });
  for (const one of [server, other]) {
    expect(await one.get(guests.path, { headers: owner })).toMatchObject({ status: 404, msg: expect.stringContaining('客人'), data: { plugin: 'guest' } });
    expect((await one.get(guests.path, { headers: { ...owner, 'accept-language': 'en' } })).msg).toContain('“Guests” is disabled');
    expect(await one.get(guests.path, { headers: elsewhere })).toMatchObject({ status: 200 });
  }
  expect(await server.get(guests.path)).toMatchObject({ status: 401 });
  expect(await menuOf(owner)).toContain('/desk/bar');
  expect(await menuOf(owner)).not.toContain('/desk/guest');
  expect(await menuOf(owner, 'buttons')).not.toContain('guest_add');
  await turn('guest', true, undefined, owner);
  expect(await server.get(guests.path, { headers: owner })).toMatchObject({ status: 200 });
  expect(await menuOf(owner, 'buttons')).toContain('guest_add');
});

test('dependents are disabled and enabled with a plugin, and never without it', async () => {
  await turn('bar', false, undefined, owner);
  expect(await server.get(guests.path, { headers: owner })).toMatchObject({ status: 404, msg: expect.stringContaining('客人') });
  expect(await turn('guest', true, undefined, owner)).toMatchObject({ status: 409, msg: expect.stringContaining('请先启用「酒吧」') });
  await turn('bar', true, undefined, owner);
  expect(await server.get(guests.path, { headers: owner })).toMatchObject({ status: 200 });
});

test('only the platform decides for the deployment and for other tenants, and core plugins cannot be disabled', async () => {
  expect(await turn('guest', false, '*', owner)).toMatchObject({ status: 403 });
  expect(await turn('guest', false, '000000', owner)).toMatchObject({ status: 403 });
  expect(await server.get(plugins.tenants.path, { headers: owner })).toMatchObject({ status: 403 });
  expect(await turn('guest', false, '999999')).toMatchObject({ status: 404 });
  expect(await turn('ghost', false, '*')).toMatchObject({ status: 404 });
  expect(await turn('access', false, '*')).toMatchObject({ status: 409, msg: expect.stringContaining('核心插件') });
  expect(await turn('plugins', false, undefined, owner)).toMatchObject({ status: 409 });
  expect(await turn('guest', false, '*')).toMatchObject({ status: 200 });
  expect(await turn('guest', true, undefined, owner)).toMatchObject({ status: 409, msg: expect.stringContaining('平台') });
  expect((await server.get(plugins.tenants.path, { headers: admin, query: { name: '1000' } })).data).toEqual([{ id: '100001', name: '100001' }]);
});

test('everywhere off, it does nothing unasked and has no say; strangers hear of no plugin at all', async () => {
  expect(await server.post(pour.path, {}, { headers: owner })).toMatchObject({ status: 409, msg: '倒得太多' });
  await turn('guest', false, '*');
  expect(await server.post(pour.path, {}, { headers: owner })).toMatchObject({ status: 200 });
  const before = rounds;
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect([heard, rounds]).toEqual([[], before]);
  expect(await server.get(sign.path)).toMatchObject({ status: 404, msg: '404 没找到请求' });
  expect(await server.get(sign.path, { headers: owner })).toMatchObject({ status: 404, data: { plugin: 'guest' } });
  await turn('guest', true, '*');
  expect(await server.get(sign.path)).toMatchObject({ status: 200 });
  await until(() => rounds > before);
});

test('filters of a plugin still apply to a tenant that has disabled it', async () => {
  await turn('guest', false, undefined, owner);
  expect(await server.post(pour.path, {}, { headers: owner })).toMatchObject({ status: 409, msg: '倒得太多' });
});

test('the explanation says that the plugin is disabled, and by whom', async () => {
  const why = async (place: string, id: string) => {
    await turn(id, false, place);
    const { data } = await server.get(permissionExplanation.explain.path, { headers: owner, query: { about: 'guest' } });
    await turn(id, true, place);
    return data.steps.find(({ step }: { step: string }) => step === 'plugin');
  };
  expect(await why('100001', 'guest')).toMatchObject({ verdict: 'refuses', sentence: ['插件「客人」已在本租户停用。', expect.anything()] });
  expect(await why('*', 'bar')).toMatchObject({ verdict: 'refuses', sentence: ['插件「客人」依赖「酒吧」，后者已由平台停用。', expect.anything()] });
});

test('consoles are notified at once, except those of other tenants; later connections start with the current state', async () => {
  const here = await listen(server, owner);
  const there = await listen(server, admin);
  expect((await here.next('live:opened')).payload).toMatchObject({ off: [] });
  await turn('bar', false, undefined, owner);
  expect((await here.next('plugins:switched')).payload).toEqual({ off: ['bar', 'guest'] });
  await until(async () => (await other.get(guests.path, { headers: owner })).status === 404);
  expect((await (await listen(other, owner)).next('live:opened')).payload).toMatchObject({ off: ['bar', 'guest'] });
  await turn('guest', false, '*');
  expect((await there.next('plugins:switched')).payload).toEqual({ off: ['guest'] });
  expect(there.heard.filter(({ event }) => event === 'plugins:switched')).toHaveLength(1);
});

test('jobs of a disabled plugin wait with a reason, and missed runs are made up for when it is enabled', async () => {
  const path = '/api/blade-job';
  const { data: application } = await server.post(`${path}/job-server/submit`, { jobServerName: 'own', jobAppName: 'own', engine: 1 }, { headers: owner });
  await turn('guest', false, undefined, owner);
  const job = { jobServerId: application.id, jobName: 'drink', timeExpressionType: 3, timeExpression: '1000', processorInfo: 'guest:drink' };
  const { data } = await server.post(`${path}/job-info/submit`, job, { headers: owner });
  await server.sql(`update job_schedule set next_fire = now() - interval '1 second' where job_info_id = ${data.id}`);
  expect(await server.post(`${path}/job-info/run`, { id: data.id }, { headers: owner })).toMatchObject({ status: 409, msg: expect.stringContaining('客人') });
  const { data: known } = await server.get(`${path}/job-info/processors`, { headers: owner });
  expect(known.find(({ value }: { value: string }) => value === 'guest:drink')).toMatchObject({ pausedBy: ['客人', 'Guests'] });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await server.sql(`select 1 from job_instance where job_info_id = ${data.id}`)).toEqual([]);
  await turn('guest', true, undefined, owner);
  await until(() => heard.includes('drank'));
});

test('disabling is in the system log, and the list shows the state of each plugin', async () => {
  await turn('bar', false, undefined, owner);
  const { data } = await server.get(plugins.list.path, { headers: owner });
  const row = (id: string) => data.find((one: { id: string }) => one.id === id);
  expect(row('bar')).toMatchObject({ state: 'off', needs: [], codes: 2, pages: [['酒吧', 'Bar']] });
  expect(row('guest')).toMatchObject({ state: 'off', needs: [{ id: 'bar' }], jobs: [['喝酒', 'Drink']], rounds: 1, checks: 1, fixed: expect.anything() });
  expect(row('access')).toMatchObject({ state: 'running', fixed: expect.anything() });
  await until(async () => (await server.sql(`select 1 from usual_log where log_id = 'plugins:switched-off' and tenant_id = '100001'`)).length > 0);
});
