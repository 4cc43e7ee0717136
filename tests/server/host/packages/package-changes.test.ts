import { createHash } from 'node:crypto';
import { expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { BackupDeployment, engines } from '../../../support/backup-deployment.ts';
import { acme, bellPackage, installed, listening, opened, path } from '../../../support/bell-plugin.ts';
import { packageKey, packedPlugin } from '../../../support/package-archive.ts';
import { testServer } from '../../../support/test-server.ts';

/** A plugin that needs the bell, and counts how often it was started in this process. */
const ringer = () =>
  packedPlugin({
    id: 'ringer',
    server: `
globalThis.ringerStarts ??= 0;
export default { id: 'ringer', title: ['敲钟人', 'Ringer'], dependencies: ['bell'], setup: () => ({ start: async () => void (globalThis.ringerStarts += 1) }) };`,
    modules: [],
    key: acme.key,
  });
const ringerStarts = () => (globalThis as { ringerStarts?: number }).ringerStarts;

test('an update restarts the plugins that depend on it and no others, and a plugin that others need is not removed', async () => {
  const server = await opened();
  const headers = await server.signIn();
  await installed(server, headers, await bellPackage('1.0.0'));
  expect(await installed(server, headers, await ringer())).toMatchObject({ status: 200 });
  expect(ringerStarts()).toBe(1);
  await installed(
    server,
    headers,
    await packedPlugin({ id: 'other', server: "export default { id: 'other', title: ['甲', 'Other'] };", modules: [], key: acme.key }),
  );
  expect(ringerStarts()).toBe(1);
  await installed(server, headers, await bellPackage('1.1.0'));
  expect(ringerStarts()).toBe(2);
  expect(await server.post(`${path}/remove`, { id: 'bell' }, { headers })).toMatchObject({
    status: 409,
    msg: '插件「ringer」将无法运行，已恢复原状：缺少所需插件「bell」，系统未安装',
  });
  expect((await server.get('/api/blade-system/plugin/list', { headers })).data).toContainEqual(expect.objectContaining({ id: 'ringer', state: 'running' }));
  await server.post(`${path}/remove`, { id: 'ringer' }, { headers });
  expect(await server.post(`${path}/remove`, { id: 'bell' }, { headers })).toMatchObject({ status: 200 });
});

test('a package that is installed twice at once, and removed twice at once, runs once and is gone once', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const archive = await bellPackage('1.0.0');
  const installs = await Promise.all([installed(server, headers, archive), installed(server, headers, archive)]);
  expect(installs.map(({ status }) => status)).toEqual([200, 200]);
  expect((await server.get(`${path}/list`, { headers })).data.packages).toHaveLength(1);
  const removals = await Promise.all([1, 2].map(() => server.post(`${path}/remove`, { id: 'bell' }, { headers })));
  expect(removals.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a server that does not trust the key of a package leaves the plugin out, once, and runs everything else', async () => {
  const first = await opened();
  const headers = await first.signIn();
  await installed(first, headers, await bellPackage('1.0.0'));
  const stranger = await testServer({
    plugins: ['access', 'plugins'],
    environment: { PLUGIN_KEYS: packageKey('other').setting },
    db: first.db,
    timeScale: 100,
  });
  const onStranger = await listening(stranger);
  expect(await onStranger('/api/bell/ring', headers)).toMatchObject({ status: 404 });
  expect(await onStranger('/api/blade-system/plugin/list', headers)).toMatchObject({ status: 200 });
  expect(await onStranger(`${path}/list`, headers)).toMatchObject({ data: { packages: [] } });
});

test('the console half of a package is delivered by every server, with headers that allow it, also by one that starts later', async () => {
  const first = await opened();
  const headers = await first.signIn();
  const manifest = JSON.stringify({ id: 'lamp', version: '1.0.0', shared: {}, entry: { file: 'lamp.js', integrity: 'sha384-x' } });
  const archive = await packedPlugin({ id: 'lamp', console: { 'manifest.json': manifest, 'lamp.js': 'shine()' }, key: acme.key });
  await installed(first, headers, archive);
  const second = await opened({ PLUGIN_KEYS: acme.setting }, first.db);
  const digest = createHash('sha256').update(archive).digest('hex').slice(0, 16);
  for (const server of [first, second]) {
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const address = `http://127.0.0.1:${(server.app.server.address() as { port: number }).port}/plugins/lamp/${digest}`;
    const script = await fetch(`${address}/lamp.js`);
    expect([script.status, await script.text(), script.headers.get('cache-control')]).toEqual([200, 'shine()', 'public, max-age=31536000, immutable']);
    expect(script.headers.get('content-security-policy')).toContain('marquee-remote-lamp');
    expect((await fetch(`${address}/..%2f..%2fpackage.json`)).status).toBe(404);
  }
});

test('each change is in the system log, with the versions', async () => {
  const server = await testServer({ plugins: ['access', 'plugins', 'log'], environment: { PLUGIN_KEYS: acme.setting } });
  const headers = await server.signIn();
  await installed(server, headers, await bellPackage('1.0.0'));
  await installed(server, headers, await bellPackage('1.1.0'));
  await server.post(`${path}/remove`, { id: 'bell' }, { headers });
  const lines = async () =>
    (await server.sql("select log_id, log_data from usual_log where log_id like 'plugins:%' order by id")).map((line) => [
      line.log_id,
      JSON.parse(String(line.log_data)),
    ]);
  await expect.poll(lines, { timeout: 10_000 }).toEqual([
    ['plugins:installed', expect.objectContaining({ plugin: 'bell', version: '1.0.0' })],
    ['plugins:installed', expect.objectContaining({ plugin: 'bell', version: '1.1.0', before: '1.0.0' })],
    ['plugins:removed', expect.objectContaining({ plugin: 'bell', withData: false })],
  ]);
});

test.each(engines)(
  'a backup of %s with a package is restored by a build without the plugin, which then runs it',
  async (engine) => {
    const build = plugins.filter(({ plugin: { id } }) => ['access', 'plugins'].includes(id));
    const settings = { PLUGIN_KEYS: acme.setting };
    const old = await BackupDeployment.create(engine, settings);
    const server = await old.start(['access', 'plugins']);
    const headers = await server.signIn();
    await installed(server, headers, await bellPackage('1.0.0'));
    await server.sql("insert into bell (id, tenant_id) values (1, '000000')");
    await old.backupOf(build, { path: old.path('a.tar.gz'), isVerified: true, signal: new AbortController().signal });

    const restored = await BackupDeployment.create(engine, settings);
    await restored.restore(old.path('a.tar.gz'), {}, { installed: build });
    const again = await restored.start(['access', 'plugins']);
    expect(await again.get('/api/bell/ring', { headers: await again.signIn() })).toMatchObject({ status: 200, data: { version: '1.0.0', rows: 1 } });
  },
  120_000,
);

test('an update whose record fails after its migration leaves the version before running, on a server that starts then too, and can be repeated', async () => {
  const server = await opened();
  const headers = await server.signIn();
  const call = await listening(server);
  await installed(server, headers, await bellPackage('1.0.0'));
  await server.sql("create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the server is killed here'; end $$");
  await server.sql('create trigger refuse before update on plugin_installation for each row execute function refuse()');
  const update = await bellPackage('1.1.0', '', { '0002-tone.sql': 'alter table bell add tone text' });
  expect((await installed(server, headers, update)).status).not.toBe(200);
  expect(await server.sql("select name from schema_migration where plugin = 'bell' order by name")).toEqual([
    { name: '0001-bell.sql' },
    { name: '0002-tone.sql' },
  ]);
  expect((await call('/api/bell/ring', headers)).data).toEqual({ version: '1.0.0', rows: 0 });
  const restarted = await opened(undefined, server.db);
  expect((await (await listening(restarted))('/api/bell/ring', headers)).data).toEqual({ version: '1.0.0', rows: 0 });
  await restarted.stop();

  await server.sql('drop trigger refuse on plugin_installation');
  expect(await installed(server, headers, update)).toMatchObject({ status: 200 });
  expect((await call('/api/bell/ring', headers)).data).toEqual({ version: '1.1.0', rows: 0 });
});
