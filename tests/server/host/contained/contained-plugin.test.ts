import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../../../src/server/data/database/rows.ts';
import { installed, opened, runContained } from '../../../support/bell-plugin.ts';
import { buildServer, type ContainedBell, containedBell } from '../../../support/contained-bell.ts';
import type { TestServer } from '../../../support/test-server.ts';

beforeAll(buildServer);

/** Lists the events in the system log, the latest last. */
const loggedEvents = async ({ db }: TestServer): Promise<string[]> => {
  const found = await db.asPlatform('a test reads the log', () => queryRows<{ event: string }>(db, sql`select log_id as event from usual_log order by id`));
  return found.map(({ event }) => event);
};

/** Starts a service outside of the product, which answers each request with a description of it. */
async function listeningPartner() {
  const requests: string[] = [];
  const partner = createServer(async (request, response) => {
    const body = await text(request);
    requests.push(`${request.method} ${request.url} ${request.headers['x-bell']} ${body}`);
    response.end(requests.at(-1));
  });
  await new Promise<void>((listens) => partner.listen(0, '127.0.0.1', listens));
  partners.push(partner);
  return { origin: `http://127.0.0.1:${(partner.address() as AddressInfo).port}`, requests };
}

const partners: Server[] = [];
afterEach(() => {
  for (const partner of partners.splice(0)) partner.close();
});

test('a contained plugin serves its screen, its calls and its hooks from a process of its own', async () => {
  const { call, headers } = await runContained({
    calls: `read('count', async () => ({ count: (await queryRows(db, sql\`select id from bell where is_deleted = 0\`)).length })),
      write('ring', async ({ input, principal }) => { await db.sql.execute(sql\`update bell set rings = rings + 1 where name = \${input.name}\`); return principal.account; }),`,
  });
  const added = await call('/api/bell/bell/submit', headers, { name: 'Emmanuel' });
  expect([added.status, added.msg]).toEqual([200, expect.any(String)]);
  expect((await call('/api/bell/ring', headers, { name: 'Emmanuel' })).data).toBe('admin');
  const list = await call('/api/bell/bell/list', headers);
  expect(list.data).toMatchObject({ total: 1, records: [{ name: 'Emmanuel', rings: 1, createUser: expect.stringMatching(/^\d+$/) }] });
  expect((await call('/api/bell/count', headers)).data).toEqual({ count: 1 });

  const refused = await call('/api/bell/bell/submit', headers, { name: 'cracked' });
  expect([refused.status, refused.msg]).toEqual([409, '钟已破']);
  expect((await call('/api/bell/count', headers)).data).toEqual({ count: 1 });
});

test('a write of a contained plugin is one transaction, with what the server does after it', async () => {
  const { call, headers, server } = await runContained({
    calls: `write('fail', async () => { await db.sql.execute(sql\`insert into bell (name) values ('lost')\`); throw new ApiError(problem(409, ['不', 'No.'])); }),
      write('nest', async () => {
        await db.sql.execute(sql\`insert into bell (name) values ('kept')\`);
        await db.write(db.scope, async () => { await db.sql.execute(sql\`insert into bell (name) values ('lost')\`); throw new Error('taken back'); }).catch(() => undefined);
        db.afterCommit(() => systemLog.log({ level: 'info', event: 'bell:committed' }));
      }),
      write('manual', async ({ principal }) => {
        const { tenantId } = principal;
        await db.write({ tenantId }, () => db.sql.execute(sql\`insert into bell (name) values ('first')\`));
        return (await db.read({ tenantId }, () => rows.list())).map(({ name }) => name);
      }, { manualTransactions: true }),`,
  });
  expect(await call('/api/bell/fail', headers, {})).toMatchObject({ status: 409, msg: '不' });
  expect(await call('/api/bell/nest', headers, {})).toMatchObject({ status: 200 });
  expect(await call('/api/bell/manual', headers, {})).toMatchObject({ status: 200, data: ['kept', 'first'] });
  await expect.poll(() => loggedEvents(server)).toContain('bell:committed');
});

test('tasks, events, jobs and the steps of a start run in the process', async () => {
  const { call, headers, server } = await runContained({
    before: "const rung = event('bell:rung');",
    calls: "write('emit', async ({ input }) => { context.emit(rung, { name: input.name }); }),",
    contributions: `
      tasks: [{ everySeconds: 1, run: () => db.asPlatform('rings every bell', () => db.sql.execute(sql\`update bell set rings = rings + 1\`)) }],
      listeners: [{ event: rung, handle: ({ name }) => db.write({ tenantId: '000000' }, () => rows.save({ name })) }],
      processors: { 'bell:ring': { title: ['敲', 'Ring'], help: ['敲', 'Rings'], run: ({ write, log }) => write(async () => { log('info', 'ringing'); await rows.save({ name: 'job' }); return 'rang'; }) } },
      start: async () => { systemLog.log({ level: 'info', event: 'bell:started' }); },
      ready: async () => { systemLog.log({ level: 'info', event: 'bell:ready' }); },`,
  });
  await call('/api/bell/emit', headers, { name: 'heard' });
  const names = async () => ((await call('/api/bell/bell/list', headers)).data as { records: { name: string; rings: number }[] }).records;
  await expect.poll(names, { timeout: 10_000 }).toMatchObject([{ name: 'heard' }]);
  await expect.poll(async () => (await names())[0]?.rings ?? 0, { timeout: 10_000 }).toBeGreaterThan(0);
  const lines: string[] = [];
  const run = {
    ...{ tenantId: '000000', instanceId: '1', params: '', instanceParams: '', signal: new AbortController().signal },
    readSecret: async () => undefined,
    log: (_: string, text: string) => void lines.push(text),
    write: <Result>(work: () => Promise<Result>) => server.db.write({ tenantId: '000000' }, work),
    map: async () => undefined,
  };
  expect(await server.host.jobs.of('bell:ring')?.run(run)).toBe('rang');
  expect(lines).toEqual(['ringing']);
  expect((await names()).map(({ name }) => name).sort()).toEqual(['heard', 'job']);
  expect(await loggedEvents(server)).toEqual(expect.arrayContaining(['bell:started', 'bell:ready']));
});

test('a contained plugin reaches the inbox and the origins that its installation grants, and nothing else', async () => {
  const partner = await listeningPartner();
  const { call, headers, server } = await runContained(
    {
      ports: { inbox: true, egress: [partner.origin] },
      calls: `write('send', async ({ input }) => (await context.egress.send(new URL(input.name), { method: 'POST', headers: { 'x-bell': '1' }, body: 'ring', timeoutMs: 5000, maxBytes: 100 })).text),
      write('notify', async ({ input, principal }) => context.inbox.deliver({ users: [principal.userId], kind: 'message', title: ['钟响了', 'The bell rang'], link: input.name })),`,
    },
    { EGRESS_ALLOW: '127.0.0.1' },
  );
  expect(await call('/api/bell/send', headers, { name: `${partner.origin}/rings?loud=1` })).toMatchObject({ status: 200, data: 'POST /rings?loud=1 1 ring' });
  const foreign = partner.origin.replace('127.0.0.1', 'localhost');
  expect(await call('/api/bell/send', headers, { name: `${foreign}/rings` })).toMatchObject({ status: 500 });
  expect(partner.requests).toHaveLength(1);

  expect(await call('/api/bell/notify', headers, { name: '/bell' })).toMatchObject({ status: 200 });
  expect(await call('/api/bell/notify', headers, { name: '/user' })).toMatchObject({ status: 500 });
  const { data } = await server.get('/api/blade-desk/inbox/list', { headers, query: { kind: 'message' } });
  const entries = data.entries as { isSample: boolean }[];
  expect(entries.filter(({ isSample }) => !isSample)).toMatchObject([{ title: '钟响了', link: '/bell' }]);
});

test('a contained plugin without grants has neither inbox nor egress, and internal addresses stay refused with them', { timeout: 60_000 }, async () => {
  const partner = await listeningPartner();
  const without = await runContained({
    calls: "write('send', async () => context.egress.check(new URL('http://localhost'))), write('notify', async () => context.inbox.deliver({})),",
  });
  for (const name of ['send', 'notify']) expect(await without.call(`/api/bell/${name}`, without.headers, {})).toMatchObject({ status: 500 });
  const granted = await runContained({
    ports: { egress: [partner.origin] },
    calls:
      "write('send', async ({ input }) => (await context.egress.send(new URL(input.name), { method: 'GET', headers: {}, body: '', timeoutMs: 5000, maxBytes: 100 })).text),",
  });
  expect(await granted.call('/api/bell/send', granted.headers, { name: partner.origin })).toMatchObject({ status: 500 });
  expect(partner.requests).toHaveLength(0);
});

test('a package that asks for unknown ports is refused with the ports that there are', async () => {
  const server = await opened({ UNSIGNED_PLUGINS: 'contained' });
  const headers = await server.signIn();
  const reply = await installed(server, headers, await containedBell({ ports: { egress: ['ftp://example.com'] } }));
  expect(reply).toMatchObject({ success: false, msg: expect.stringContaining('marquee.ports/egress/0') });
});

test('a plugin that contributes or declares more than a contained one may is refused when it is installed', { timeout: 120_000 }, async () => {
  const server = await opened({ UNSIGNED_PLUGINS: 'contained' });
  const headers = await server.signIn();
  const call = (path: string, input: string) => `route(get('${path}', { title: ['x', 'x'], access, input: ${input}, reply: Any }), async () => 1),`;
  const foreign = "entity('sysUser', { id: Id() })";
  const refusals: readonly (readonly [bell: ContainedBell, reason: RegExp])[] = [
    [{ contributions: 'services: [],' }, /services/],
    [{ calls: call('/api/blade-system/bell', 'NoInput') }, /path \/api\/blade-system\/bell/],
    [{ calls: call('/api/bell/x', "Type.Object({ a: Type.String({ pattern: '^(a+)+$' }) })") }, /pattern/],
    [{ before: "await import('node:fs');" }, /import node:fs/],
    [{ before: "new Function('return 1')();" }, /Code generation/],
    [{ calls: "read('x', async () => 1, { egress: context.egress })," }, /context\.egress/],
    [{ calls: `crudRoutes(crud('/api/bell/user', ${foreign}), repositoryOf(db, ${foreign})),` }, /table sys_user/],
    [{ migrations: { '0002-taken.sql': 'alter table menu add column taken integer' } }, /^隔离运行的插件不能访问数据表 menu$/],
  ];
  for (const [bell, reason] of refusals) {
    const { status, msg } = await installed(server, headers, await containedBell(bell));
    expect([status, msg]).toEqual([409, expect.stringMatching(reason)]);
  }
  expect((await server.get('/api/blade-system/plugin/list', { headers })).data).not.toContainEqual(expect.objectContaining({ id: 'bell' }));
});
