import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

const path = '/api/blade-system/tenant/info';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['sms-sign-in', 'social-sign-in', 'registration'] });
  await server.createTenant('north');
  await server.createTenant('south');
  await server.sql(`update tenant set domain = 'https://North.company.test', background_url = 'https://pictures.test/north.jpg' where tenant_id = 'north'`);
  await server.sql(`update tenant set domain = 'south.company.test:8080' where tenant_id = 'south'`);
});
afterAll(() => server.stop());

const infoOf = async (domain: string) => (await server.get(path, { query: { domain } })).data;

test('the tenant of an address is found by its host, in any notation', async () => {
  for (const domain of ['https://north.company.test', 'http://NORTH.company.test/login', 'north.company.test'])
    expect(await infoOf(domain)).toMatchObject({ tenantId: 'north', domain: 'https://North.company.test', backgroundUrl: 'https://pictures.test/north.jpg' });
  const south = await infoOf('http://south.company.test:8080/');
  expect(south).toEqual({
    tenantId: 'south',
    domain: 'south.company.test:8080',
    ways: { tenantMode: false, sms: true, social: [], sso: false, providers: [], guests: true, register: false, passkey: false },
  });
});

test.each(['', 'nowhere.test', 'company.test', 'south.company.test', "' or true --", 'https://'])(
  'an address of no tenant ("%s") gets an empty object',
  async (domain) => {
    expect(await server.get(path, { query: { domain } })).toMatchObject({ status: 200, data: {} });
    expect(await infoOf(domain)).toEqual({});
  },
);

test('a disabled, deleted or expired tenant is not returned', async () => {
  for (const [change, back] of [
    ['status = 0', 'status = 1'],
    ['is_deleted = 1', 'is_deleted = 0'],
    [`expire_time = now() - interval '1 day'`, 'expire_time = null'],
  ]) {
    await server.sql(`update tenant set ${change} where tenant_id = 'north'`);
    expect(await infoOf('north.company.test')).toEqual({});
    await server.sql(`update tenant set ${back} where tenant_id = 'north'`);
  }
  expect((await infoOf('north.company.test')).tenantId).toBe('north');
});

test('two tenants cannot have one address', async () => {
  await expect(server.sql(`update tenant set domain = 'HTTPS://NORTH.COMPANY.TEST' where tenant_id = 'south'`)).rejects.toThrow();
});
