import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { SignJWT } from 'jose';
import { secretKeysOf } from '../../../../../src/server/base/configuration/secret-key.ts';
import { clientHeaders, openTestServer, type TestServer, testSecret } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.stop());

/** Signs a token that is valid except for the given claims. */
const signToken = (claims: Record<string, unknown>) =>
  new SignJWT({ sid: randomUUID(), tenant_id: '000000', user_id: '1', client_id: 'sryx', token_type: 'access_token', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('marquee')
    .setAudience(['marquee'])
    .setJti(randomUUID())
    .setNotBefore(0)
    .setExpirationTime('1h')
    .sign(secretKeysOf(testSecret).token[0]);

const malformedClaims: readonly Record<string, unknown>[] = [
  ...["a' or '1'='1", '', 'far too long a tenant', 'tenant id', '租户', 7, null, ['000000'], { id: '000000' }].map((tenantId) => ({ tenant_id: tenantId })),
  { tenant_id: undefined },
  ...['x', 7, null, ["'"]].map((sid) => ({ sid })),
  ...[{}, 1, "1' or true"].map((userId) => ({ user_id: userId })),
];

test('a token whose claims are malformed is refused with 401 by every kind of call', async () => {
  for (const claims of malformedClaims) {
    for (const type of ['access_token', 'guest_token']) {
      const headers = { 'things-auth': `bearer ${await signToken({ ...claims, token_type: type })}` };
      const statuses = [await server.get('/api/blade-auth/oauth/user-info', { headers }), await server.get('/api/live/events', { headers })].map(
        ({ status }) => status,
      );
      expect({ claims, type, statuses }).toEqual({ claims, type, statuses: [401, 401] });
    }
  }
});

test('a refresh token with malformed claims is refused with a status of 400 to 499', async () => {
  for (const claims of [...malformedClaims, { generation: 'x' }, { generation: 1.5 }, { generation: 2 ** 60 }]) {
    const refresh_token = await signToken({ generation: 1, ...claims, token_type: 'refresh_token' });
    const { status } = await server.post('/api/things-auth/oauth/token', { grant_type: 'refresh_token', refresh_token }, { headers: clientHeaders });
    expect({ claims, refused: status >= 400 && status < 500 }).toEqual({ claims, refused: true });
  }
});
