import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { crudRoutes } from '#server';
import { Leases } from '../../../../src/plugins/transfers/server/leases.ts';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { Ware, ware, wareMenu, warePlugin } from './ware-plugin.ts';

const elsewhere = '/api/elsewhere/export';
/** Number of rows that were formatted since the last turn of the event loop, and the sizes of the batches in which they were read. */
let rowsInTurn = 0;
const stepSizes: number[] = [];
let server: TestServer;
let leases: Leases;
let headers: Record<string, string>;

/** Wares whose rows count how often their name is read. */
const countingPlugin: InstalledPlugin = {
  ...warePlugin,
  plugin: defineServerPlugin({
    id: 'ware',
    title: ['货品', 'Wares'],
    menus: [wareMenu],
    setup({ db }) {
      const repository = repositoryOf(db, Ware);
      const walk: typeof repository.walk = (input, options) => {
        const step = repository.walk(input, options);
        return async () => {
          const rows = await step();
          stepSizes.push(rows.length);
          return rows.map(({ name, ...row }) => Object.defineProperty(row, 'name', { get: () => counted(name) })) as typeof rows;
        };
      };

      return {
        routes: [crudRoutes(ware, Object.create(repository, { walk: { value: walk } }))],
      };
    },
  }),
};

function counted(name: string): string {
  rowsInTurn += 1;
  return name;
}

beforeAll(async () => {
  server = await openTestServer({ plugins: [countingPlugin, 'transfers'], timeScale: 8 });
  headers = await server.signIn();
  leases = new Leases(server.db, { publish: async () => undefined } as never);
  for (const tenantId of ['bakers', 'cooks']) await server.createTenant(tenantId);
});
beforeEach(async () => void (await server.sql('truncate transfer cascade')));
afterAll(() => server.stop());

/** Adds transfers that wait for a target that this server cannot run, in this order. */
const wait = async (...owners: readonly (readonly [tenantId: string, ownerId: string])[]) => {
  for (const [tenantId, ownerId] of owners)
    await server.sql(`insert into transfer (tenant_id, kind, target, title_zh, title_en, owner_id, language, request)
      values ('${tenantId}', 'export', '${elsewhere}', '货品', 'Wares', ${ownerId}, 'zh', '{"format":"csv"}')`);
};
const claim = async () => {
  const record = await leases.claim([elsewhere]);
  return record && `${record.tenantId} ${record.ownerId}`;
};
const detail = async (id: string) => (await server.get(transfers.detail.path, { headers, query: { id } })).data;
const finish = (owner: string) => {
  const [tenantId, ownerId] = owner.split(' ');
  return server.sql(`update transfer set state = 'done', end_time = now() where state = 'running' and tenant_id = '${tenantId}' and owner_id = ${ownerId}`);
};

test('a tenant with many waiting does not keep the others waiting, nor a user their colleagues', async () => {
  await wait(['bakers', '1'], ['bakers', '1'], ['bakers', '1'], ['bakers', '2'], ['cooks', '9'], ['cooks', '9']);
  const begun: (string | undefined)[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const owner = await claim();
    begun.push(owner);
    if (owner) await finish(owner);
  }
  expect(begun).toEqual(['bakers 1', 'cooks 9', 'bakers 2', 'cooks 9', 'bakers 1', 'bakers 1']);
});

test('one user runs one at a time and one tenant two, so that a slot stays for others', async () => {
  await wait(['bakers', '1'], ['bakers', '1'], ['bakers', '2'], ['bakers', '3']);
  expect([await claim(), await claim(), await claim()]).toEqual(['bakers 1', 'bakers 2', undefined]);
  await wait(['cooks', '9']);
  expect([await claim(), await claim()]).toEqual(['cooks 9', undefined]);
  await finish('bakers 1');
  expect([await claim(), await claim()]).toEqual(['bakers 3', undefined]);
});

test('processes that poll at the same time keep the same limits', async () => {
  await wait(['bakers', '1'], ['bakers', '2'], ['bakers', '3'], ['cooks', '9'], ['cooks', '9']);
  const begun = await Promise.all(Array.from({ length: 6 }, claim));
  expect(begun.filter(Boolean).sort()).toEqual(['bakers 1', 'bakers 2', 'cooks 9']);
});

test('a waiting transfer shows its position in the queue of all tenants, and none once it runs', async () => {
  const [{ id: admin } = {}] = await server.sql("select id::text as id from user_account where account = 'admin' and tenant_id = '000000'");
  await wait(['bakers', '1'], ['bakers', '1'], ['cooks', '9'], ['000000', String(admin)], ['000000', String(admin)]);
  const places = async () => (await server.get(transfers.list.path, { headers })).data.map(({ place }: { place: number | null }) => place);
  expect(await places()).toEqual([5, 3]);
  await claim();
  expect(await places()).toEqual([3, 2]);
  await claim();
  await claim();
  expect(await places()).toEqual([2, null]);
});

test('beyond the limit further transfers are refused with a message', async () => {
  const [{ id: admin } = {}] = await server.sql("select id::text as id from user_account where account = 'admin' and tenant_id = '000000'");
  const own = ['000000', String(admin)] as const;
  await wait(...Array.from({ length: 10 }, () => own));
  expect(await server.post(ware.export.path, { format: 'csv' }, { headers })).toMatchObject({
    status: 429,
    msg: '您已有 10 个导入导出任务在排队，请等待完成或取消后再试',
  });
  const [{ id } = {}] = await server.sql('select id::text as id from transfer order by id limit 1');
  await server.post(transfers.cancel.path, { id }, { headers });
  await wait(own);
  expect(await server.post(transfers.retry.path, { id }, { headers })).toMatchObject({ status: 429 });
  await server.sql(`update transfer set owner_id = 7`);
  await wait(...Array.from({ length: 90 }, () => ['000000', '8'] as const));
  expect(await server.post(ware.export.path, { format: 'csv' }, { headers: { ...headers, 'accept-language': 'en' } })).toMatchObject({
    status: 429,
    msg: '100 exports and imports are already queued. Try again later.',
  });
});

test('an export formats and reads few rows per turn of the event loop', async () => {
  await server.sql("insert into ware (tenant_id, name, pieces) select '000000', 'ware ' || n, 1 from generate_series(1, 1000) n");
  let maxInTurn = 0;
  const turn = () => {
    maxInTurn = Math.max(maxInTurn, rowsInTurn);
    rowsInTurn = 0;
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  try {
    for (const format of ['csv', 'xlsx']) {
      const { data } = await server.post(ware.export.path, { format, fields: ['name'] }, { headers });
      await expect.poll(async () => (await detail(data.id)).state, { timeout: 20_000 }).toBe('done');
      expect((await detail(data.id)).good).toBe(1000);
    }
  } finally {
    clearImmediate(turning);
  }
  expect(maxInTurn).toBeGreaterThan(0);
  expect(maxInTurn).toBeLessThanOrEqual(25);
  expect(Math.max(...stepSizes)).toBeLessThanOrEqual(100);
});
