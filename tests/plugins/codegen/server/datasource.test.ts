import { afterAll, beforeAll, beforeEach, expect, rs, test } from '@rstest/core';
import { Datasource } from '#plugins/codegen/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { intrudedDatabase } from '../../../support/intruded-database.ts';
import { endlessTalker, fileThief, silentOne } from '../../../support/rogue-databases.ts';
import { mysqlSample, postgresSample } from '../../../support/sample-schema.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-develop/datasource';
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['codegen'], environment: { EGRESS_ALLOW: '127.0.0.1,localhost' } });
  admin = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => void (await server.sql("delete from datasource where driver_class <> 'embedded'")));

const mysql = 'com.mysql.cj.jdbc.Driver';
const postgres = 'org.postgresql.Driver';
const form = { name: '业务库', driverClass: mysql, host: '127.0.0.1', port: 3306, databaseName: 'shop', username: 'reader', password: 'pass-of-the-reader' };
const submit = (fields: object = {}) => server.post(`${path}/submit`, { ...form, ...fields }, { headers: admin });
const tried = async (fields: object) => (await server.post(`${path}/test`, { id: (await submit(fields)).data.id }, { headers: admin })).data;

test('the table matches the entity', async () => {
  expect(await compareTables(server.db, Datasource)).toEqual([]);
});

test('a password is sealed, and no answer carries it', async () => {
  const added = await submit();
  const answers = [
    added.body,
    (await server.get(`${path}/list`, { headers: admin })).body,
    (await server.get(`${path}/detail`, { headers: admin, query: { id: added.data.id } })).body,
  ];
  expect(added.code).toBe(200);
  expect(JSON.stringify(answers)).not.toContain('pass-of-the-reader');
  expect(JSON.stringify(await server.sql('select password from datasource'))).not.toContain('pass-of-the-reader');
});

test('changing the address requires the password again, so that it is not sent to another server', async () => {
  const { id } = (await submit()).data;
  const edit = (fields: object) => server.post(`${path}/submit`, { ...form, password: undefined, id, ...fields }, { headers: admin });
  expect(await edit({ host: 'db.example.org' })).toMatchObject({ status: 400, msg: '连接信息已更改，请重新输入密码' });
  expect(await edit({ host: 'db.example.org', password: 'again' })).toMatchObject({ code: 200 });
  expect(await edit({ host: 'db.example.org', remark: '只读账号' })).toMatchObject({ code: 200 });
});

test.each([
  ['an address inside', { host: '10.0.0.8' }, '该地址指向内网，部署未放行'],
  ['an address inside in the new notation', { host: '::ffff:10.0.0.8' }, '该地址指向内网，部署未放行'],
  ['the file of a socket', { host: '/var/run/postgresql' }, undefined],
  ['options of a driver behind the host', { host: 'db.example.org/?allowLoadLocalInfile=true' }, undefined],
  ['a driver nobody offers', { driverClass: 'com.evil.Driver' }, undefined],
  ['no host', { host: '' }, '请输入主机'],
])('%s is refused', async (_, fields, msg) => {
  expect(await submit(fields)).toMatchObject({ status: 400, ...(msg ? { msg } : {}) });
});

const jdbc = { name: '经 JDBC', driverClass: mysql, username: 'reader', password: 'pass-of-the-reader' };
const submitJdbc = (fields: object) => server.post(`${path}/submit`, { ...jdbc, ...fields }, { headers: admin });

test.each([
  ['jdbc:mysql://db.example.org:3307/shop?useSSL=false&allowLoadLocalInfile=true&autoDeserialize=true', mysql, { port: 3307, useTls: false, schemaName: null }],
  ['jdbc:mysql://db.example.org/shop?useSSL=true', mysql, { port: null, useTls: true }],
  ['jdbc:mariadb://db.example.org/shop', 'org.mariadb.jdbc.Driver', { driverClass: mysql }],
  ['jdbc:postgresql://db.example.org:5433/shop?currentSchema=sales&sslmode=require', postgres, { port: 5433, schemaName: 'sales', useTls: true }],
  ['jdbc:postgresql://[2606:4700::8]/shop', undefined, { driverClass: postgres, host: '2606:4700::8' }],
])('the JDBC address %s is split into its parts, and driver options are dropped', async (url, driverClass, parts) => {
  const { status, data } = await submitJdbc({ url, driverClass });
  expect(status).toBe(200);
  expect(data).toMatchObject({ host: 'db.example.org', databaseName: 'shop', ...parts });
  const stored = JSON.stringify(await server.sql("select * from datasource where driver_class <> 'embedded'"));
  expect(stored).not.toMatch(/jdbc:|allowLoad|autoDeser/);
});

test.each([
  ['several hosts', { url: 'jdbc:mysql://a.example.org:3306,b.example.org:3306/shop' }, 'JDBC 地址须形如'],
  ['a scheme of a load balancer', { url: 'jdbc:mysql:loadbalance://a.example.org/shop' }, 'JDBC 地址须形如'],
  ['no database', { url: 'jdbc:mysql://a.example.org:3306/' }, 'JDBC 地址须形如'],
  ['a host of options', { url: 'jdbc:mysql://address=(host=a.example.org)(port=3306)/shop' }, 'JDBC 地址须形如'],
  ['Oracle', { url: 'jdbc:oracle:thin:@a.example.org:1521:orcl', driverClass: 'oracle.jdbc.OracleDriver' }, '仅支持 MySQL / MariaDB、PostgreSQL'],
  ['another kind than the driver', { url: 'jdbc:postgresql://a.example.org/shop' }, 'JDBC 地址与所选类型不一致'],
  ['a password in the address', { url: 'jdbc:mysql://a.example.org/shop?user=root&password=told-in-the-address' }, '请将用户名和密码填入各自的字段'],
  ['credentials before the host', { url: 'jdbc:mysql://root:told-in-the-address@a.example.org/shop' }, 'JDBC 地址须形如'],
  ['an address inside', { url: 'jdbc:mysql://10.0.0.8:3306/shop' }, '该地址指向内网'],
  ['a port beyond all ports', { url: 'jdbc:mysql://a.example.org:99999/shop' }, 'JDBC 地址须形如'],
  ['sharding', { url: '', shardingConfig: 'dataSources: {}' }, '不支持分库分表配置'],
  ['neither an address nor a host', { url: '' }, '请输入主机'],
])('a JDBC address with %s is refused with the accepted formats', async (_, fields, msg) => {
  const reply = await submitJdbc(fields);
  expect(reply.status).toBe(400);
  expect(reply.msg).toContain(msg);
});

test('an address is returned as a JDBC address without password, and requires the password when it changes', async () => {
  const { data } = await submitJdbc({ url: 'jdbc:mysql://db.example.org:3306/shop?useUnicode=true' });
  expect(data.url).toBe('jdbc:mysql://db.example.org:3306/shop');
  const { data: detail } = await server.get(`${path}/detail`, { headers: admin, query: { id: data.id } });
  const { records } = (await server.get(`${path}/list`, { headers: admin })).data;
  expect([detail.url, records.find(({ id }: { id: string }) => id === data.id).url]).toEqual([data.url, data.url]);
  expect(records.find(({ driverClass }: { driverClass: string }) => driverClass === 'embedded').url).toBeNull();
  const { version: _, ...loaded } = detail;
  const edit = (fields: object) => server.post(`${path}/submit`, { ...loaded, ...fields }, { headers: admin });
  expect(await edit({ remark: '只读' })).toMatchObject({ status: 200, data: { remark: '只读', url: data.url } });
  const moved = 'jdbc:mysql://other.example.org:3306/shop';
  expect(await edit({ url: moved })).toMatchObject({ status: 400, msg: '连接信息已更改，请重新输入密码' });
  expect(await edit({ url: moved, password: 'again' })).toMatchObject({ status: 200, data: { host: 'other.example.org', url: moved } });
});

test('no log contains a JDBC address as it was sent', async () => {
  await submitJdbc({ url: 'jdbc:mysql://a.example.org/shop?user=root&password=told-in-the-address' });
  await submitJdbc({ url: 'jdbc:mysql://a.example.org/shop?note=told-in-the-address' });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(JSON.stringify(await server.sql('select params, changes from api_log'))).not.toContain('told-in-the-address');
});

test('a name that leads inside is refused when it is connected to', async () => {
  const closed = await openTestServer({ db: server.db, plugins: ['codegen'] });
  try {
    const { id } = (await submit({ host: 'localhost' })).data;
    expect((await closed.post(`${path}/test`, { id }, { headers: await closed.signIn() })).data).toMatchObject({
      works: false,
      detail: '地址指向内网，部署未放行（EGRESS_ALLOW）',
    });
  } finally {
    await closed.app.close();
  }
});

test('the database of this system is listed, and a missing host is refused with a message', async () => {
  const [own] = (await server.get(`${path}/list`, { headers: admin })).data.records;
  expect((await server.post(`${path}/test`, { id: own.id }, { headers: admin })).data).toMatchObject({
    works: true,
    detail: expect.stringMatching(/^PostgreSQL \d+/),
  });
  expect(await tried({ port: 1 })).toMatchObject({ works: false, detail: '主机没有响应，请检查地址、端口与防火墙' });
});

test('a rogue MySQL that asks for a local file gets none', async () => {
  const thief = await fileThief(`${process.cwd()}/package.json`);
  try {
    expect(await tried({ port: thief.port })).toMatchObject({ works: false });
    expect(thief.heard().length).toBeGreaterThan(50);
    expect(thief.heard().toString('latin1')).not.toContain('"private"');
  } finally {
    thief.stop();
  }
});

test('a server that never stops talking is hung up on', async () => {
  const talker = await endlessTalker();
  try {
    expect(await tried({ port: talker.port, driverClass: postgres })).toMatchObject({ works: false, detail: '数据库返回的内容过大' });
  } finally {
    talker.stop();
  }
});

test.each([
  ['PostgreSQL', postgres, false],
  ['MySQL', mysql, true],
])('a %s that stops answering fails after ten seconds', async (_, driverClass, greets) => {
  const silent = await silentOne(greets);
  const now = Date.now;
  try {
    const verdict = tried({ port: silent.port, driverClass });
    await rs.waitUntil(() => silent.heard().length > 0, { timeout: 5000, interval: 20 });
    rs.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
    expect(await verdict).toMatchObject({ works: false, detail: '数据库在 10 秒内没有响应' });
  } finally {
    rs.restoreAllMocks();
    silent.stop();
  }
});

const mysqlUrl = process.env.TEST_MYSQL_URL ? new URL(process.env.TEST_MYSQL_URL) : undefined;

test.skipIf(!mysqlUrl)('a MariaDB is tested with its version; a wrong password and a missing database are reported', async () => {
  const real = { port: Number(mysqlUrl?.port), username: 'root', password: mysqlUrl?.password || undefined, databaseName: 'mysql' };
  expect(await tried(real)).toMatchObject({ works: true, detail: expect.stringMatching(/^(MariaDB|MySQL) \d+/) });
  expect(await tried({ ...real, name: 'b', username: 'nobody', password: 'wrong' })).toMatchObject({ detail: '用户名或密码不正确，或该用户不允许从此处登录' });
  expect(await tried({ ...real, name: 'c', databaseName: 'nowhere' })).toMatchObject({ detail: '数据库不存在，或该用户无权使用' });
});

const postgresUrl = process.env.TEST_DATABASE_URL ? new URL(process.env.TEST_DATABASE_URL) : undefined;

test.skipIf(!postgresUrl)('a PostgreSQL is tested with its version; a missing database is reported', async () => {
  const real = {
    driverClass: postgres,
    port: Number(postgresUrl?.port || 5432),
    username: postgresUrl?.username,
    password: postgresUrl?.password || undefined,
    databaseName: 'postgres',
  };
  expect(await tried(real)).toMatchObject({ works: true, detail: expect.stringMatching(/^PostgreSQL \d+/) });
  expect(await tried({ ...real, name: 'c', databaseName: 'nowhere' })).toMatchObject({ detail: '数据库不存在，或该用户无权使用' });
});

for (const [kind, url, open, write] of [
  ['postgres', process.env.TEST_DATABASE_URL, postgresSample, (schema: unknown) => `insert into ${schema}.goods values (1)`],
  ['mysql', process.env.TEST_MYSQL_URL, mysqlSample, () => 'insert into goods values (1)'],
] as const)
  test.skipIf(!url)(`nothing can be written in a session of a data source: the ${kind} itself refuses`, async () => {
    const sample = await open(new URL(url as string));
    const middle = await intrudedDatabase(kind, new URL(url as string), write(sample.source.schemaName));
    try {
      await sample.run('create table goods (id int)');
      expect(await tried({ password: undefined, ...sample.source, port: middle.port })).toMatchObject({ works: true });
      // Both databases answer with the code of “read-only SQL transaction”.
      expect(middle.answer()).toContain('25006');
    } finally {
      middle.stop();
      await sample.drop();
    }
  });

test('users of another tenant or without the code can neither see nor test data sources', async () => {
  const { id } = (await submit()).data;
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['datasource', 'datasource_add', 'datasource_test'], tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  for (const call of ['list', 'select', `detail?id=${id}`]) expect(await server.get(`${path}/${call}`, { headers: rival })).toMatchObject({ status: 403 });
  for (const call of ['test', 'submit']) expect(await server.post(`${path}/${call}`, { id }, { headers: rival })).toMatchObject({ status: 403 });
});
