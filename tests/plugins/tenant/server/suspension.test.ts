import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { queryRows } from '#server';
import { SessionEnded } from '#shared/sessions';
import { isNotPaused } from '../../../../src/plugins/job/server/paused-jobs.ts';
import { listen } from '../../../support/live-listener.ts';
import { clientHeaders, openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

const at = '/api/blade-system/tenant';
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings', 'dictionary', 'organization', 'tenant', 'inbox'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

let made = 0;
async function company() {
  made += 1;
  const tenantId = `firm${made}`;
  await server.createTenant(tenantId);
  await server.createUser({ account: 'boss', roleAlias: 'admin', tenantId });
  const [row] = await server.sql(`select id::text as id from tenant where tenant_id = '${tenantId}'`);
  return { id: String(row?.id), tenantId, boss: await server.signIn('boss', tenantId) };
}
const change = (call: 'suspend' | 'resume', ids: string[]) => server.post(`${at}/${call}`, { ids }, { headers });
const enter = (tenantId: string, language = 'zh') =>
  server.post(
    '/api/things-auth/oauth/token',
    { grant_type: 'password', tenantId, username: 'boss', password: 'wrong' },
    { headers: { ...clientHeaders, 'accept-language': language } },
  );

test('suspending a tenant ends its sessions at once, live and with a message at sign-in, and can be undone at once', async () => {
  const { id, tenantId, boss } = await company();
  const live = await listen(server, boss);
  expect(await change('suspend', [id])).toMatchObject({ code: 200 });
  expect(await live.next(SessionEnded.name)).toMatchObject({ payload: { reason: 'tenant-suspended' } });
  expect(await server.get('/api/blade-desk/inbox/unread', { headers: boss })).toMatchObject({ status: 401 });
  expect((await enter(tenantId)).body).toMatchObject({ error_description: '租户已停用，请联系平台管理员' });

  await server.post(
    '/api/blade-system/param/submit',
    { paramName: '平台联系方式', paramKey: 'platform.contact', paramValue: '王芳 400-800-1234' },
    { headers },
  );
  expect((await enter(tenantId)).body).toMatchObject({ error_description: '租户已停用，请联系王芳 400-800-1234' });
  expect((await enter(tenantId, 'en')).body).toMatchObject({ error_description: 'This tenant is suspended. Contact 王芳 400-800-1234.' });
  expect((await server.get(`${at}/list`, { headers, query: { status: '2' } })).data).toMatchObject({ total: 1, records: [{ tenantId, status: 2 }] });

  expect(await change('resume', [id])).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-desk/inbox/unread', { headers: await server.signIn('boss', tenantId) })).toMatchObject({ code: 200 });
});

test('a suspension applies on every server of the same database at once', async () => {
  const other = await testServer({ plugins: ['settings', 'dictionary', 'organization', 'tenant', 'inbox'], db: server.db });
  const { id, tenantId, boss } = await company();
  const asked = (headers: Record<string, string>) => other.get('/api/blade-desk/inbox/unread', { headers });
  const live = await listen(other, boss);
  expect(await asked(boss)).toMatchObject({ code: 200 });
  await change('suspend', [id]);
  expect(await asked(boss)).toMatchObject({ status: 401 });
  expect(await live.next(SessionEnded.name)).toMatchObject({ payload: { reason: 'tenant-suspended' } });
  await expect(other.signIn('boss', tenantId)).rejects.toThrow('租户已停用');
  await change('resume', [id]);
  expect(await asked(await other.signIn('boss', tenantId))).toMatchObject({ code: 200 });
});

test('an expired tenant gets a message at sign-in', async () => {
  const { tenantId } = await company();
  await server.sql(`update tenant set expire_time = now() - interval '1 day' where tenant_id = '${tenantId}'`);
  expect((await enter(tenantId)).body.error_description).toMatch(/^租户已到期，请联系/);
});

test('the platform’s own tenant is never suspended, nor are others with it', async () => {
  const { id, boss } = await company();
  const [own] = await server.sql("select id::text as id from tenant where tenant_id = '000000'");
  expect(await change('suspend', [id, String(own?.id)])).toMatchObject({ status: 403, msg: '平台租户不能停用' });
  expect(await server.get('/api/blade-desk/inbox/unread', { headers: boss })).toMatchObject({ code: 200 });
  expect(await server.post(`${at}/suspend`, { ids: [id] }, { headers: boss })).toMatchObject({ status: 403 });
});

test('jobs of a suspended tenant wait, those of others do not', async () => {
  const { id, tenantId } = await company();
  const runs = () =>
    server.db.asPlatform('a test asks as the engine does', async () => {
      const [row] = await queryRows<{ runs: boolean }>(server.db, sql`select ${isNotPaused({ paused: () => [] }, sql`${tenantId}::text`, sql`''`)} as runs`);
      return row?.runs;
    });
  expect(await runs()).toBe(true);
  await change('suspend', [id]);
  expect(await runs()).toBe(false);
  await change('resume', [id]);
  expect(await runs()).toBe(true);
});
