import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { SetupStep } from '#shared/figures';
import { recordBackup } from '../../../../src/server/platform/figures/backups.ts';
import { openTaskOffice } from '../../../support/task-office.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'account', 'dashboard'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

async function steps(headers = admin, of = server): Promise<Readonly<Record<string, boolean>>> {
  const { data } = await of.get('/api/blade-desk/dashboard/figures', { headers });
  return Object.fromEntries((data as { setup: SetupStep[] }).setup.map(({ id, isDone }) => [id, isDone]));
}

test('the setup checklist completes its steps from the contents of the database', async () => {
  expect(await steps()).toEqual({ account: false, colleagues: false });
  await server.createUser({ account: 'keeper' });
  expect(await steps()).toEqual({ account: false, colleagues: true });
  await server.sql("update user_account set phone = '13800138000' where account = 'admin'");
  expect(await steps()).toEqual({ account: true, colleagues: true });
});

test('a step of the platform is complete with a backup of the last seven days, those of a tenant with enabled and published rows', async () => {
  const { server: desk, admin: platform, post, publishTask } = await openTaskOffice({ plugins: ['settings', 'storage', 'sms', 'account', 'dashboard'] });
  try {
    const done = async (headers = platform) => Object.entries(await steps(headers, desk)).flatMap(([id, isDone]) => (isDone ? [id] : []));
    expect(await steps(platform, desk)).toEqual({ account: false, colleagues: false, backup: false, storage: false, sms: false, task: false });
    expect(await recordBackup(desk.db)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await done()).toEqual(['backup']);
    await desk.sql("update backup set recorded_at = now() - interval '8 days'");
    expect(await done()).toEqual([]);

    const enable = async (path: string, form: object) => {
      const { data, msg } = await post(`${path}/submit`, form);
      expect(data?.id, msg).toBeTruthy();
      expect(await done()).not.toContain(path.split('/').at(-1)?.replace('oss', 'storage'));
      expect(await post(`${path}/enable`, { id: data.id })).toMatchObject({ code: 200 });
    };
    await enable('/api/blade-resource/oss', { category: '7', ossCode: 'disk' });
    expect(await done()).toEqual(['storage']);
    await enable('/api/blade-resource/sms', { smsCode: 'ali', category: '3', accessKey: 'key', secretKey: 'secret', signName: '签名', templateId: 'SMS_1' });
    expect((await done()).sort()).toEqual(['sms', 'storage']);
    await publishTask();
    expect((await done()).sort()).toEqual(['sms', 'storage', 'task']);

    await desk.createTenant('acme');
    await desk.createUser({ account: 'chief', tenantId: 'acme', roleAlias: 'admin', codes: ['user_add', 'oss_enable'] });
    const chief = await desk.signIn('chief', 'acme');
    expect(await steps(chief, desk)).not.toHaveProperty('backup');
    expect(await done(chief)).not.toContain('storage');
  } finally {
    await desk.stop();
  }
});

test('users only see steps that they can take', async () => {
  expect(await steps(await server.signIn('keeper'))).toEqual({});
});
