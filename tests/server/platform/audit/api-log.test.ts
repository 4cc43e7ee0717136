import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { crudRoutes } from '#server';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { masked } from '../../../../src/server/platform/audit/masking.ts';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../../src/shared/contract/fields.ts';
import { ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const Note = entity('test_note', { id: Id(), title: Text({ title: ['标题', 'Title'] }), apiSecret: Text({ title: ['密钥', 'Secret'] }) });
const note = crud('/api/test/note', Note);
const notes: InstalledPlugin = {
  migrations: {
    '0001-note.sql': `create table test_note (like base_row including all, title varchar(255) not null, api_secret varchar(255) not null); call own_by_tenant('test_note');`,
  },
  plugin: defineServerPlugin({ id: 'note', title: ['便签', 'Notes'], setup: ({ db }) => ({ routes: [crudRoutes(note, repositoryOf(db, Note))] }) }),
};

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin, notes] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

async function logged(path: string, count = 1): Promise<Record<string, unknown>[]> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const rows = await server.sql(`select * from api_log where request_uri = '${path}' order by create_time, id`);
    if (rows.length >= count) return rows;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return server.sql(`select * from api_log where request_uri = '${path}'`);
}

test('a write is logged with the change it made, in the fields of the wire', async () => {
  const reply = await server.post(ledger.add.path, { text: 'rent' }, { headers: { ...headers, 'user-agent': 'test browser' } });
  const [row] = await server.sql(`select * from api_log where request_uri = '${ledger.add.path}'`);
  expect(row).toMatchObject({
    tenant_id: '000000',
    type: '1',
    title: '记账',
    service_id: 'marquee',
    env: 'test',
    method: 'POST',
    method_class: 'ledger',
    method_name: 'add',
    status_code: 200,
  });
  expect(row).toMatchObject({ params: '{"text":"rent"}', create_by: 'admin', user_agent: 'test browser', request_id: reply.headers['x-request-id'] });
});

test('a write is logged with each row before and after, without secrets', async () => {
  const { data } = await server.post(note.submit.path, { title: 'first', apiSecret: 'abcdef' }, { headers });
  await server.post(note.submit.path, { id: data.id, title: 'second', apiSecret: 'abcdef' }, { headers });
  await server.post(note.remove.path, { ids: data.id }, { headers });
  const rows = await server.sql(`select changes from api_log where method_class = 'note' order by create_time, id`);
  const changes = rows.map((row) => (row.changes as { entity: string; id: string; before?: { title: string }; after?: { title: string } }[])[0]);
  expect(changes.map((change) => [change?.entity, change?.id, change?.before?.title, change?.after?.title])).toEqual([
    ['test_note', data.id, undefined, 'first'],
    ['test_note', data.id, 'first', 'second'],
    ['test_note', data.id, 'second', undefined],
  ]);
  expect(JSON.stringify(rows)).not.toContain('abcdef');
});

test('a write that is rolled back leaves no entry of success, and its refusal is logged', async () => {
  await server.post(ledger.fail.path, { text: 'lost' }, { headers });
  const rows = await logged(ledger.fail.path);
  expect(rows.map(({ status_code }) => status_code)).toEqual([409]);
});

test('reads and refusals are logged after a short delay', async () => {
  await server.get(ledger.all.path, { headers });
  await server.get(ledger.all.path);
  const rows = await logged(ledger.all.path, 2);
  expect(rows.map(({ status_code, create_by, user_id }) => [status_code, create_by, user_id === null])).toEqual([
    [200, 'admin', false],
    [401, '', true],
  ]);
});

test('no password and no token is in the log', async () => {
  const input = { grant_type: 'password', username: 'admin', password };
  const { body } = await server.post('/api/things-auth/oauth/token', input, { headers: clientHeaders });
  await server.post('/api/things-auth/oauth/token', { ...input, password: `${password}x` }, { headers: clientHeaders });
  await server.post('/api/things-auth/oauth/token', { grant_type: 'refresh_token', refresh_token: body.refresh_token }, { headers: clientHeaders });
  const rows = await logged('/api/things-auth/oauth/token', 4);
  const text = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(text).not.toContain(password);
  expect(text).not.toContain(body.refresh_token);
  expect(text).toContain('***');
});

test('values that the database cannot store do not prevent the log entry of a refusal', async () => {
  await server.post(ledger.submit.path, { title: 'a\0b\ud800', amount: 1 }, { headers });
  expect((await logged(ledger.submit.path))[0]).toMatchObject({ status_code: 400 });
});

test('a tenant reads its own entries alone', async () => {
  await server.createTenant('100001');
  await server.createUser({ account: 'theirs', tenantId: '100001' });
  await server.post(ledger.add.path, { text: 'theirs' }, { headers: await server.signIn('theirs', '100001') });
  const seen = await server.db.read({ tenantId: '100001' }, async () => (await server.db.sql.execute('select distinct tenant_id from api_log')) as unknown[]);
  expect(seen).toEqual([{ tenant_id: '100001' }]);
});

test('secrets are struck out at any depth, and only they', () => {
  expect(masked({ name: 'a', clientSecret: 'x', list: [{ accessKey: 'y', password: '' }], nested: { access_token: 'z', sort: 1 }, none: null })).toEqual({
    name: 'a',
    clientSecret: '***',
    list: [{ accessKey: '***', password: '' }],
    nested: { access_token: '***', sort: 1 },
    none: null,
  });
});
