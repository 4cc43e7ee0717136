import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ExpiredRows } from '../../../../../src/server/platform/identity/sign-in/expired-rows.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

let server: TestServer;
let admin: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['log'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const attempt = (payload: object) =>
  server.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    remoteAddress: '10.4.4.4',
    headers: { ...clientHeaders, 'user-agent': agent },
    payload: { grant_type: 'password', ...payload },
  });
const logged = async (account: string, count: number, headers = admin) => {
  const list = async () => (await server.get('/api/blade-log/login/list', { headers, query: { account } })).data.records as Record<string, unknown>[];
  await expect.poll(async () => (await list()).length, { timeout: 4000 }).toBe(count);
  return list();
};

test('every attempt is logged with account, address, method and result, and without the input', async () => {
  const { userId } = await server.createUser({ account: 'subject' });
  await attempt({ username: 'subject', password: 'wrong' });
  await attempt({ username: 'Subject', password });
  const rows = await logged('subject', 2);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['granted', 'wrong-credentials']);
  expect(rows[0]).toMatchObject({ outcome: 'granted', way: 'password', address: '10.4.4.4', device: 'Firefox 131 · Linux', clientId: 'sryx', userId });
  expect(JSON.stringify(await server.sql('select * from login_log'))).not.toMatch(/wrong"|Evening-Lights/);
});

test('lockout, refusals and unknown accounts are in it too', async () => {
  for (let failure = 0; failure < 6; failure += 1) {
    await attempt({ username: 'phantom', password: 'wrong' });
    await server.sql(`update login_failure set failed_at = now() - interval '1 minute'`);
  }
  await attempt({ grant_type: 'captcha', username: 'guesser', password });
  await attempt({ grant_type: 'magic', username: 'magician', password });
  const outcomes = (await logged('phantom', 6)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['locked', ...Array(5).fill('wrong-credentials')]);
  expect(await logged('magician', 1)).toMatchObject([{ outcome: 'refused', way: 'magic', userId: null }]);
});

test('a tenant’s attempts are that tenant’s alone, and those at a tenant that does not exist are the platform’s', async () => {
  await server.createTenant('rivals');
  await server.createUser({ account: 'watcher', codes: ['log_login'], tenantId: 'rivals' });
  const watcher = await server.signIn('watcher', 'rivals');
  await attempt({ tenantId: 'rivals', username: 'visitor', password: 'wrong' });
  await attempt({ tenantId: 'nowhere', username: 'visitor', password: 'wrong' });
  expect(await logged('visitor', 1, watcher)).toHaveLength(1);
  expect(await logged('visitor', 1)).toHaveLength(1);
});

test('reading requires the code; refreshes are no attempts; entries are deleted after half a year', async () => {
  await server.createUser({ account: 'curious' });
  expect((await server.get('/api/blade-log/login/list', { headers: await server.signIn('curious') })).status).toBe(403);
  const { refresh_token } = (await attempt({ username: 'curious', password })).json();
  await attempt({ grant_type: 'refresh_token', refresh_token });
  await logged('curious', 2);
  await server.sql(`update login_log set create_time = now() - interval '181 days' where account = 'phantom'`);
  const purged: string[] = [];
  await new ExpiredRows(server.db, server.app.log, { recordPurge: async ({ tables = [] }) => void purged.push(...tables) }).sweep();
  expect(await logged('phantom', 0)).toEqual([]);
  expect(await logged('curious', 2)).toHaveLength(2);
  // Deletions of sealed rows are recorded, because the verification reports them otherwise.
  expect(purged).toEqual(['login_log', 'personal_access']);
});

test('entries of the personal data log are deleted after three years', async () => {
  for (const days of [1094, 1097])
    await server.sql(
      `insert into personal_access (tenant_id, user_name, action, entity, fields, rows, create_time)
       values ('000000', 'reader-${days}', 'shown', 'user_account', 'phone', 1, now() - interval '${days} days')`,
    );
  await new ExpiredRows(server.db, server.app.log, { recordPurge: async () => undefined }).sweep();
  expect(await server.sql(`select user_name from personal_access where user_name like 'reader-%'`)).toEqual([{ user_name: 'reader-1094' }]);
});

test('a table that cannot be cleaned holds up no other one, and is reported', async () => {
  await server.sql(
    `insert into personal_access (tenant_id, user_name, action, entity, fields, rows, create_time)
     values ('000000', 'late reader', 'shown', 'user_account', 'phone', 1, now() - interval '1200 days')`,
  );
  await server.sql('alter table captcha rename to captcha_elsewhere');
  const sweep = new ExpiredRows(server.db, server.app.log, { recordPurge: async () => undefined }).sweep();
  await expect(sweep).rejects.toThrow('1 of 12 tables');
  await server.sql('alter table captcha_elsewhere rename to captcha');
  expect(await server.sql(`select 1 from personal_access where user_name = 'late reader'`)).toEqual([]);
});
