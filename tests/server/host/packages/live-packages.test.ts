import { gzipSync } from 'node:zlib';
import { expect, test } from '@rstest/core';
import { maxPackageBytes } from '#server';
import { acme, bell, bellPackage, installed, listening, opened, path } from '../../../support/bell-plugin.ts';
import { packageKey, packedPlugin } from '../../../support/package-archive.ts';
import { testServer } from '../../../support/test-server.ts';

test('a signed package is described, installed and updated while the server runs, returns to the version before, and is removed', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const call = await listening(server);
  expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 404 });

  const uploaded = await server.upload(`${path}/upload`, { name: 'bell.tgz', content: await bellPackage('1.0.0') }, { headers });
  expect(uploaded.data).toMatchObject({
    id: 'bell',
    version: '1.0.0',
    name: '@acme/bell',
    author: 'Acme',
    signer: 'acme',
    changes: ['It rings as 1.0.0.'],
    hasServer: true,
    hasConsole: false,
    rights: { tables: ['bell'], otherTables: [], plugins: [], nodeModules: [], services: [], origins: [], inbox: false },
  });
  expect(await server.post(`${path}/install`, { digest: uploaded.data.digest }, { headers })).toMatchObject({ status: 200 });
  expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 200, data: { version: '1.0.0', rows: 0 } });
  expect((await server.get('/api/blade-system/plugin/list', { headers })).data).toContainEqual(
    expect.objectContaining({
      ...{ id: 'bell', state: 'running', version: '1.0.0' },
      details: expect.objectContaining({ tables: ['bell'], calls: 1, startMs: expect.any(Number) }),
    }),
  );

  await server.sql("insert into bell (id, tenant_id) values (1, '000000')");
  expect(await installed(server, headers, await bellPackage('1.1.0', '', { '0002-tone.sql': 'alter table bell add tone text' }))).toMatchObject({
    status: 200,
  });
  expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 200, data: { version: '1.1.0', rows: 1 } });
  expect((await server.get(`${path}/list`, { headers })).data).toEqual({
    accepted: 'signed',
    packages: [
      {
        ...{ id: 'bell', version: '1.1.0', description: 'About bell.', author: 'Acme', changes: ['It rings as 1.1.0.'] },
        ...{ isContained: false, signer: 'acme', previousVersion: '1.0.0' },
      },
    ],
  });

  expect(await server.post(`${path}/revert`, { id: 'bell' }, { headers })).toMatchObject({ status: 200 });
  expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 200, data: { version: '1.0.0', rows: 1 } });
  expect(await server.post(`${path}/remove`, { id: 'bell' }, { headers })).toMatchObject({ status: 200 });
  expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 404 });
  expect(await server.sql('select count(*)::integer as rows from bell')).toEqual([{ rows: 1 }]);
});

test('a package that is damaged, changed, unsigned, signed by another key, or part of the build is refused', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const upload = async (archive: Buffer) => (await server.upload(`${path}/upload`, { name: 'bell.tgz', content: archive }, { headers })).msg;
  const plain = { id: 'bell', server: bell('1.0.0') };
  const good = await packedPlugin({ ...plain, key: acme.key });
  expect(await upload(Buffer.from('no package'))).toContain('文件已损坏');
  expect(await upload(good.subarray(0, good.length - 100))).toContain('文件已损坏');
  // A package of few bytes that would fill the memory, and one that is larger than any.
  expect(await upload(gzipSync(Buffer.alloc(maxPackageBytes.unpacked + 1)))).toContain('文件已损坏');
  expect(await upload(Buffer.alloc(maxPackageBytes.compressed + 1))).toBe('插件包不能超过 16 MB');
  expect(await upload(await packedPlugin({ ...plain, key: acme.key, tamper: (files) => files.set('dist/live/server.mjs', 'process.exit()') }))).toBe(
    '插件包在打包后被改动：dist/live/server.mjs',
  );
  expect(await upload(await packedPlugin({ ...plain, key: acme.key, tamper: (files) => files.set('server/migrations/0001-more.sql', 'select 1') }))).toBe(
    '插件包在打包后被改动：server/migrations/0001-more.sql',
  );
  const listedAnew = (files: Map<string, string>) => files.set('dist/SHA256SUMS', `${files.get('dist/SHA256SUMS')}\n`);
  expect(await upload(await packedPlugin({ ...plain, key: acme.key, tamper: listedAnew }))).toContain('签名不属于');
  expect(await upload(await packedPlugin({ ...plain, key: packageKey().key }))).toContain('签名不属于');
  expect(await upload(await packedPlugin(plain))).toContain('没有签名');
  expect(await upload(await packedPlugin({ ...plain, id: 'access', key: acme.key }))).toContain('已包含在本系统的构建中');
  expect((await server.get(`${path}/list`, { headers })).data.packages).toEqual([]);
});

test('only administrators of the platform install packages, and only where the deployment accepts some', async () => {
  const server = await opened({});
  const headers = await server.signIn();
  const archive = await bellPackage('1.0.0');
  const refused = await server.upload(`${path}/upload`, { name: 'bell.tgz', content: archive }, { headers });
  expect([refused.status, refused.msg]).toEqual([409, '本系统不接受插件包：请在服务器设置 PLUGIN_KEYS（签名公钥），或 UNSIGNED_PLUGINS']);

  const open = await opened({ UNSIGNED_PLUGINS: 'on' });
  await open.createTenant('222222');
  await open.createUser({ account: 'owner', tenantId: '222222', roleAlias: 'admin', codes: ['plugin', 'plugin_install'] });
  await open.createUser({ account: 'clerk', codes: ['plugin', 'plugin_install'] });
  for (const [account, tenant] of [
    ['owner', '222222'],
    ['clerk', '000000'],
  ] as const) {
    const session = await open.signIn(account, tenant);
    expect(await open.upload(`${path}/upload`, { name: 'bell.tgz', content: archive }, { headers: session })).toMatchObject({ status: 403 });
    expect(await open.post(`${path}/remove`, { id: 'bell' }, { headers: session })).toMatchObject({ status: 403 });
  }
});

test('a package that does not start changes nothing: the version before answers, and so do the other plugins', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const call = await listening(server);
  expect(await installed(server, headers, await bellPackage('1.0.0'))).toMatchObject({ status: 200 });
  const broken = {
    '2.0.0': await bellPackage('2.0.0', "throw new Error('boom');"),
    '2.0.1': await bellPackage('2.0.1', '', { '0002-wrong.sql': 'alter table nowhere add tone text' }),
    '2.0.2': await packedPlugin({ id: 'bell', version: '2.0.2', server: 'not javascript', modules: [], key: acme.key }),
    '2.0.3': await packedPlugin({ id: 'bell', version: '2.0.3', server: 'export default { id: "other", title: ["a", "a"] }', modules: [], key: acme.key }),
    '2.0.4': await packedPlugin({ id: 'bell', version: '2.0.4', server: bell('2.0.4'), modules: ['#plugins/nowhere/contract'], key: acme.key }),
    '2.0.6': await packedPlugin({ id: 'bell', version: '2.0.6', server: bell('2.0.6'), modules: ['__proto__'], key: acme.key }),
    '2.0.5': await packedPlugin({
      id: 'bell',
      version: '2.0.5',
      server: bell('2.0.5').replaceAll('/api/bell/ring', `${path}/list`),
      modules: ['#server', '#shared/contract', '#shared/menu-entry', 'typebox', 'drizzle-orm'],
      key: acme.key,
    }),
  };
  for (const [version, archive] of Object.entries(broken)) {
    const reply = await installed(server, headers, archive);
    expect([version, reply.status, reply.success]).toEqual([version, 409, false]);
    expect(await call('/api/bell/ring', headers)).toMatchObject({ status: 200, data: { version: '1.0.0' } });
    expect(await call('/api/blade-system/plugin/list', headers)).toMatchObject({ status: 200 });
  }
  expect((await server.get(`${path}/list`, { headers })).data.packages).toMatchObject([{ id: 'bell', version: '1.0.0' }]);
  expect((await server.get('/api/blade-system/plugin/list', { headers })).data).toContainEqual(expect.objectContaining({ id: 'bell', state: 'running' }));
});

test('servers on one database run the same packages, also one that starts later', async () => {
  const first = await opened();
  const second = await testServer({ plugins: ['access', 'plugins'], environment: { PLUGIN_KEYS: acme.setting }, db: first.db });
  const headers = await first.signIn();
  const [onFirst, onSecond] = [await listening(first), await listening(second)];
  expect(await installed(first, headers, await bellPackage('1.0.0'))).toMatchObject({ status: 200 });
  await expect.poll(() => onSecond('/api/bell/ring', headers), { timeout: 10_000 }).toMatchObject({ status: 200, data: { version: '1.0.0' } });
  expect(await installed(second, headers, await bellPackage('1.1.0'))).toMatchObject({ status: 200 });
  await expect.poll(() => onFirst('/api/bell/ring', headers), { timeout: 10_000 }).toMatchObject({ data: { version: '1.1.0' } });
  const third = await testServer({ plugins: ['access', 'plugins'], environment: { PLUGIN_KEYS: acme.setting }, db: first.db });
  expect(await third.get('/api/bell/ring', { headers })).toMatchObject({ status: 200, data: { version: '1.1.0' } });
  expect(await first.post(`${path}/remove`, { id: 'bell' }, { headers })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await onSecond('/api/bell/ring', headers)).status, { timeout: 10_000 }).toBe(404);
});

test('requests that run while a package is installed, and those after it, are all answered', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const call = await listening(server);
  const archive = await bellPackage('1.0.0');
  let isDone = false;
  const statuses = new Map<number, number>();
  const knocking = (async () => {
    while (!isDone) {
      const { status } = await call('/api/blade-system/plugin/list', headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  for (let round = 0; round < 3; round += 1) {
    expect(await installed(server, headers, archive)).toMatchObject({ status: 200 });
    expect(await server.post(`${path}/remove`, { id: 'bell' }, { headers })).toMatchObject({ status: 200 });
  }
  isDone = true;
  await knocking;
  expect([...statuses.keys()]).toEqual([200]);
});

test('the data of a plugin is named before it is removed with it, unless rows of others refer to it', async () => {
  const server = await opened();
  const headers = await server.signIn();
  await installed(server, headers, await bellPackage('1.0.0'));
  await server.sql("insert into bell (id, tenant_id) values (1, '000000'), (2, '000000')");
  expect((await server.get(`${path}/data`, { headers, query: { id: 'bell' } })).data).toEqual({ tables: [{ name: 'bell', rows: 2 }], holders: [] });

  await server.sql('create table tower (id bigint, tenant_id varchar(12), foreign key (id, tenant_id) references bell (id, tenant_id))');
  expect((await server.get(`${path}/data`, { headers, query: { id: 'bell' } })).data.holders).toEqual([{ table: 'tower', target: 'bell' }]);
  expect(await server.post(`${path}/remove`, { id: 'bell', withData: true }, { headers })).toMatchObject({
    status: 409,
    msg: '数据表 bell 仍被 tower 引用，不能删除',
  });
  await server.sql('drop table tower');
  expect(await server.post(`${path}/remove`, { id: 'bell', withData: true }, { headers })).toMatchObject({ status: 200 });
  expect(await server.sql("select to_regclass('bell') is null as gone, (select count(*)::integer from menu where code = 'bell') as menus")).toEqual([
    { gone: true, menus: 0 },
  ]);

  expect(await installed(server, headers, await bellPackage('1.0.0'))).toMatchObject({ status: 200 });
  expect((await server.get(`${path}/data`, { headers, query: { id: 'bell' } })).data.tables).toEqual([{ name: 'bell', rows: 0 }]);
});
