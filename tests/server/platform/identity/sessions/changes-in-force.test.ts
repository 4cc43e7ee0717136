import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { LiveOpened, PermissionChanged } from '#shared/live';
import { SessionEnded } from '#shared/sessions';
import { endSessions } from '../../../../../src/server/platform/identity/sessions/sessions.ts';
import { invalidatePrincipals, type PrincipalInvalidation } from '../../../../../src/server/platform/principal/principal-cache.ts';
import { listen } from '../../../../support/live-listener.ts';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

const whoAmI = '/api/blade-auth/oauth/user-info';
const path = '/api/blade-system/param/list';

let server: TestServer;
let replica: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings'] });
  replica = await openTestServer({ plugins: ['settings'], db: server.db });
});
afterAll(async () => {
  await replica.stop();
  await server.stop();
});

/** Changes the rows of a user and sends the invalidation in one transaction, as a domain does. */
const change = (statement: string, stale: PrincipalInvalidation) =>
  server.db.asPlatform('tests change what users may do', async () => {
    await server.db.sql.execute(sql.raw(statement));
    await invalidatePrincipals(server.db, stale);
  });

const status = async (path: string, headers: Record<string, string>) => (await server.get(path, { headers })).status;

test('a removed grant is refused at the next request, and open consoles are notified, on every replica', async () => {
  const { userId, roleId } = await server.createUser({ account: 'clerk', codes: ['param'] });
  const headers = await server.signIn('clerk');
  const listeners = [await listen(server, headers), await listen(replica, headers)];
  for (const listener of listeners) await listener.next(LiveOpened.name);
  expect(await status(path, headers)).toBe(200);
  await change(`delete from role_menu where role_id = ${roleId}`, { roleId });
  expect(await status(path, headers)).toBe(403);
  for (const listener of listeners) expect((await listener.next(PermissionChanged.name)).payload).toEqual({});
  await change(`insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${roleId}, id from menu where code = 'param'`, { userId });
  expect(await status(path, headers)).toBe(200);
  for (const listener of listeners) await listener.next(PermissionChanged.name);
});

test('another role counts at the next request', async () => {
  const { userId, roleId } = await server.createUser({ account: 'riser' });
  const other = await server.createUser({ account: 'template', codes: ['param'] });
  const headers = await server.signIn('riser');
  expect(await status(path, headers)).toBe(403);
  await change(`update user_role set role_id = ${other.roleId} where user_id = ${userId} and role_id = ${roleId}`, { userId });
  expect(await status(path, headers)).toBe(200);
});

test('a disabled account is refused at the next request, its consoles are notified, and it can sign in once enabled', async () => {
  const { userId } = await server.createUser({ account: 'leaver' });
  const headers = await server.signIn('leaver');
  const listener = await listen(server, headers);
  await listener.next(LiveOpened.name);
  await server.db.write({ tenantId: '000000' }, async () => {
    await server.db.sql.execute(sql`update user_account set status = 2 where id = ${userId}`);
    await endSessions(server.db, sql`user_id = ${userId}`, 'access-withdrawn');
  });
  expect(await status(whoAmI, headers)).toBe(401);
  expect((await listener.next(SessionEnded.name)).payload).toEqual({ reason: 'access-withdrawn' });
  await expect(server.signIn('leaver')).rejects.toThrow('用户名或密码错误');
  await server.sql(`update user_account set status = 1 where id = ${userId}`);
  expect(await status(whoAmI, headers)).toBe(401);
  expect(await status(whoAmI, await server.signIn('leaver'))).toBe(200);
});

test('a disabled tenant is refused at the next request, and an expired one from the exact second', async () => {
  await server.createTenant('brief');
  await server.createUser({ account: 'member', tenantId: 'brief' });
  const headers = await server.signIn('member', 'brief');
  expect(await status(whoAmI, headers)).toBe(200);
  await change(`update tenant set status = 2 where tenant_id = 'brief'`, { tenantId: 'brief' });
  expect(await status(whoAmI, headers)).toBe(401);
  await change(`update tenant set status = 1, expire_time = now() + interval '2 seconds' where tenant_id = 'brief'`, { tenantId: 'brief' });
  expect(await status(whoAmI, headers)).toBe(200);
  await expect.poll(() => status(whoAmI, headers), { timeout: 5000, interval: 100 }).toBe(401);
});

test('a change that is rolled back sends no notification and clears no cache', async () => {
  const { userId, roleId } = await server.createUser({ account: 'steady', codes: ['param'] });
  const headers = await server.signIn('steady');
  const listener = await listen(server, headers);
  await listener.next(LiveOpened.name);
  await server.db
    .asPlatform('tests change what users may do', async () => {
      await server.db.sql.execute(sql`delete from role_menu where role_id = ${roleId}`);
      await invalidatePrincipals(server.db, { roleId });
      throw new Error('taken back');
    })
    .catch(() => undefined);
  expect(await status(path, headers)).toBe(200);
  await change(`update user_account set name = 'Steady' where id = ${userId}`, { userId });
  await listener.next(PermissionChanged.name);
  expect(listener.heard.filter(({ event }) => event === PermissionChanged.name)).toHaveLength(1);
});
