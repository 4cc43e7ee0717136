import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../../../src/server/data/database/rows.ts';
import { processArguments } from '../../../../src/server/host/contained/plugin-process.ts';
import { type ContainedServer, runContained } from '../../../support/bell-plugin.ts';
import { buildServer } from '../../../support/contained-bell.ts';
import { processModule } from '../../../support/test-server.ts';

beforeAll(buildServer);

/** Calls the rest of the server while the plugin does its worst; returns how many calls were answered and how many were not. */
async function others({ call, headers }: ContainedServer, until: Promise<unknown>): Promise<{ answered: number; failed: number }> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const counts = { answered: 0, failed: 0 };
  while (!isOver) {
    const { status } = await call('/api/blade-system/menu/routes', headers);
    if (status === 200) counts.answered += 1;
    else counts.failed += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return counts;
}

test('endless loops and memory without end cost the plugin its process, at last for good, and fail no other call', { timeout: 180_000 }, async () => {
  const plugin = await runContained({
    calls: `read('fine', async () => 'fine'),
      read('spin', async () => { for (;;); }),
      read('wait', () => new Promise(() => {})),
      read('heap', async () => { const kept = []; for (;;) kept.push(new Array(1000).fill(Math.random())); }),
      read('buffers', async () => { const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1)); }),
      read('reject', async () => { Promise.reject(new Error('not awaited')); setTimeout(() => { throw new Error('thrown later'); }, 10); return 'fine'; }),`,
  });
  const { call, headers } = plugin;
  for (const attack of ['spin', 'heap', 'buffers']) {
    const under = call(`/api/bell/${attack}`, headers);
    const { answered, failed } = await others(plugin, under);
    expect([attack, (await under).status, failed]).toEqual([attack, 503, 0]);
    expect(answered).toBeGreaterThan(0);
    // The process is started again for the next call.
    await expect.poll(async () => (await call('/api/bell/fine', headers)).data, { timeout: 20_000 }).toBe('fine');
  }
  await call('/api/bell/reject', headers);
  await expect.poll(async () => (await call('/api/bell/fine', headers)).data, { timeout: 20_000 }).toBe('fine');

  // Five ends within ten minutes are one too many.
  for (let time = 0; time < 2; time += 1) expect((await call('/api/bell/heap', headers)).status).toBe(503);
  const started = performance.now();
  expect((await call('/api/bell/fine', headers)).status).toBe(503);
  expect(performance.now() - started).toBeLessThan(500);
  expect((await call('/api/blade-system/menu/routes', headers)).status).toBe(200);
});

test('nothing of Node.js, of the network or of the server is within reach', async () => {
  const { call, headers } = await runContained({
    before: 'const attempt = async (work) => { try { return String(await work()); } catch (error) { return "refused: " + error.message; } };',
    calls: `read('reach', async () => ({
      net: await attempt(() => import('node:net')),
      named: await attempt(() => import('no' + 'de:fs')),
      made: await attempt(() => new Function('return process')()),
      evaluated: await attempt(() => eval('1')),
      indirect: await attempt(() => (async () => {}).constructor('return import("node:fs")')()),
      require: await attempt(() => require('fs')),
      exit: await attempt(() => process.exit(1)),
      kill: await attempt(() => process.kill(process.ppid)),
      binding: await attempt(() => process.binding('tcp_wrap')),
      builtin: await attempt(() => process.getBuiltinModule('net')),
      environment: JSON.stringify(process.env),
      fetch: typeof fetch,
      socket: typeof WebSocket,
      worker: typeof Worker,
      stream: await attempt(() => new (console._stdout.constructor)().connect(80, '127.0.0.1')),
      files: await attempt(() => context.files),
      egress: await attempt(() => context.egress),
      secret: await attempt(() => context.secretKeys('x')),
      service: await attempt(() => context.get(class {})),
      foreign: await attempt(() => context.emit({ name: 'task:closed' }, {})),
    })),`,
  });
  const { data } = await call('/api/bell/reach', headers);
  const { environment, fetch, socket, worker, foreign, ...refused } = data as Record<string, string>;
  expect({ environment, fetch, socket, worker }).toEqual({ environment: '{}', fetch: 'undefined', socket: 'undefined', worker: 'undefined' });
  for (const [name, outcome] of Object.entries(refused)) expect([name, outcome]).toEqual([name, expect.stringMatching(/^refused: /)]);
  expect(foreign).toBe('undefined');
});

test('no row of others is read or written, by any statement and from any place', async () => {
  const plugin = await runContained({
    before: 'const attempt = async (work) => { try { return JSON.stringify(await work()); } catch (error) { return "refused"; } };',
    calls: `read('rows', async ({ principal }) => {
      const run = (text) => attempt(() => db.sql.execute(sql.raw(text)));
      const other = { tenantId: 't00001' };
      return {
        own: await run('select name from bell'),
        accounts: await run('select * from sys_user'),
        menus: await run('select * from menu'),
        catalog: await run('select relname from pg_class'),
        setting: await run("select set_config('app.tenant', 't00001', true)"),
        role: await run('reset role'),
        two: await run('select 1; select 1'),
        condition: await attempt(() => rows.list(sql.raw('true) or exists (select from sys_user'))),
        order: await attempt(() => rows.list(undefined, sql.raw('(select account from sys_user limit 1)'))),
        tenant: await attempt(() => db.read(other, () => db.sql.execute(sql.raw('select name from bell')))),
        everyone: await attempt(() => db.asPlatform('all', () => db.sql.execute(sql.raw('select name from bell')))),
      };
    }),
    write('later', async () => { globalThis.later = []; setTimeout(async () => globalThis.later.push(await attempt(() => db.sql.execute(sql.raw("insert into bell (name) values ('late')")))), 300); }),
    read('heard', async () => globalThis.later),`,
  });
  const { call, headers, server } = plugin;
  await server.createTenant('t00001');
  await server.db.write({ tenantId: 't00001' }, () => server.db.sql.execute(sql`insert into bell (name) values ('theirs')`));
  await call('/api/bell/bell/submit', headers, { name: 'ours' });
  const { own, ...refused } = (await call('/api/bell/rows', headers)).data as Record<string, string>;
  expect(own).toBe('[{"name":"ours"}]');
  expect(new Set(Object.values(refused))).toEqual(new Set(['refused']));
  await call('/api/bell/later', headers, {});
  await expect.poll(async () => (await call('/api/bell/heard', headers)).data, { timeout: 5000 }).toEqual(['refused']);
  const names = await server.db.asPlatform('a test reads all', () => queryRows<{ name: string }>(server.db, sql`select name from bell order by name`));
  expect(names.map(({ name }) => name)).toEqual(['ours', 'theirs']);
});

test('changed globals and polluted prototypes stay in the process', async () => {
  const { call, headers } = await runContained({
    calls: `read('pollute', async () => {
      Object.prototype.isAdministrator = true;
      Array.prototype.map = () => ['taken'];
      JSON.stringify = () => 'taken';
      Promise.prototype.then = undefined;
      return JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
    }),`,
  });
  await call('/api/bell/pollute', headers);
  expect(({} as { isAdministrator?: boolean }).isAdministrator).toBeUndefined();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect([1].map((one) => one + 1)).toEqual([2]);
  expect((await call('/api/blade-system/menu/routes', headers)).status).toBe(200);
});

test('requests of a plugin that never ends them leave connections to the others', { timeout: 180_000 }, async () => {
  const plugin = await runContained({
    calls: "write('hang', async () => { await db.sql.execute(sql`insert into bell (name) values ('hung')`); await new Promise(() => {}); }),",
  });
  const { call, headers } = plugin;
  const hung = Promise.all(Array.from({ length: 8 }, () => call('/api/bell/hang', headers, {})));
  const { failed } = await others(plugin, Promise.race([hung, new Promise((resolve) => setTimeout(resolve, 4000))]));
  expect(failed).toBe(0);
  await plugin.server.host.stop();
  expect(new Set((await hung).map(({ status }) => status))).toEqual(new Set([503]));
});

test('answers that would fill the memory of the server are refused', async () => {
  const { call, headers } = await runContained({
    before: 'const attempt = async (work) => { try { return (await work()).length; } catch (error) { return error.message + error.cause?.message; } };',
    calls: `write('fill', async () => { for (let row = 0; row < 4; row++) await db.sql.execute(sql.raw('insert into bell (name) select name from (values ' + new Array(500).fill("('x')").join(', ') + ') as rows(name)')); }),
      read('read', async () => ({
        rows: await attempt(() => db.sql.execute(sql.raw('select * from bell'))),
        list: await attempt(() => rows.list()),
        few: await attempt(() => db.sql.execute(sql.raw('select * from bell limit 10'))),
        long: await attempt(() => db.sql.execute(sql.raw("select string_agg(concat(name, '" + 'y'.repeat(100) + "'), '') from bell"))),
        page: await attempt(async () => (await rows.page({ size: 200 })).records),
      })),`,
  });
  expect((await call('/api/bell/fill', headers, {})).status).toBe(200);
  expect((await call('/api/bell/read', headers)).data).toEqual({
    rows: expect.stringContaining('A statement of a contained plugin may answer 1000 rows at most.'),
    list: expect.stringContaining('A list of a contained plugin may have 1000 rows at most. Read it page by page.'),
    few: 10,
    long: expect.stringContaining('may not read a row of'),
    page: 200,
  });
});

test('a process in an endless loop ends with the server that has started it', { timeout: 120_000 }, async () => {
  const program = `import(${JSON.stringify(processModule)}).then((server) => { server.servePlugin(); console.error('spinning'); for (;;); })`;
  const args = JSON.stringify(processArguments(processModule, program));
  const parent = `const child = require('node:child_process').spawn(process.execPath, ${args}, { env: {} }); child.stderr.once('data', () => console.log(child.pid)); setInterval(() => {}, 1000);`;
  const server = spawn(process.execPath, ['--eval', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = Number(String((await once(server.stdout, 'data'))[0]));
  onTestFinished(() => void server.kill('SIGKILL'));
  server.kill('SIGKILL');
  const isRunning = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, { timeout: 30_000 }).toBe(false);
});

test('a request cannot enter the transaction of a run of another tenant', async () => {
  const { call, headers, server } = await runContained({
    calls: `write('enter', ({ principal }) => db.transaction('job', principal.tenantId, () => db.sql.execute(sql.raw("insert into bell (name) values ('entered')")), 1)),`,
    contributions:
      "processors: { 'bell:wait': { title: ['等', 'Wait'], help: ['等', 'Waits'], run: ({ signal }) => new Promise((end) => signal.addEventListener('abort', () => end('over'))) } },",
  });
  await server.createTenant('t00001');
  const controller = new AbortController();
  const run = {
    ...{
      tenantId: 't00001',
      instanceId: '1',
      params: '',
      instanceParams: '',
      signal: controller.signal,
      readSecret: async () => undefined,
      log: () => undefined,
    },
    write: <Result>(work: () => Promise<Result>) => server.db.write({ tenantId: 't00001' }, work),
    map: async () => undefined,
  };
  const waiting = server.host.jobs.of('bell:wait')?.run(run);
  expect((await call('/api/bell/enter', headers, {})).status).toBe(500);
  controller.abort();
  expect(await waiting).toBe('over');
  expect(await server.sql('select id from bell')).toEqual([]);
});
