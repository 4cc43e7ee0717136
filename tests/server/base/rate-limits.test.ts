import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { problems } from '#shared/errors';
import { localize } from '#shared/text';
import { RateLimits } from '../../../src/server/base/rate-limits.ts';
import { apiDescription } from '../../../src/server/host/serving/api-description.ts';
import { reportsPath } from '../../../src/server/platform/http/security-headers.ts';
import { clientHeaders, openTestServer, password, type TestServer, testServer } from '../../support/test-server.ts';

const at = (rates: { token?: number; captcha?: number; open?: number; calls?: number }) => {
  let now = 0;
  const limits = new RateLimits({ token: 0, captcha: 0, open: 0, calls: 0, ...rates }, () => now);
  const spend = (subject = 'x') => {
    try {
      limits.spend('token', subject);
      return 'spent';
    } catch (error) {
      return (error as { values: { seconds: number } }).values.seconds;
    }
  };
  return { spend, wait: (seconds: number) => (now += seconds * 1000), limits };
};

test('a minute’s worth may be asked at once, and as much again over the next minute', () => {
  const { spend, wait } = at({ token: 6 });
  expect(Array.from({ length: 7 }, () => spend())).toEqual(['spent', 'spent', 'spent', 'spent', 'spent', 'spent', 10]);
  wait(9);
  expect(spend()).toBe(1);
  wait(1);
  expect([spend(), spend()]).toEqual(['spent', 10]);
  wait(3600);
  expect(Array.from({ length: 7 }, () => spend()).filter((told) => told === 'spent')).toHaveLength(6);
});

test('each is counted alone, a clock that is set back gives nothing, and 0 limits nothing', () => {
  const { spend, wait } = at({ token: 1 });
  expect([spend('a'), spend('b'), spend('a')]).toEqual(['spent', 'spent', 60]);
  wait(-1000);
  expect(spend('a')).toBe(60);
  const free = at({});
  expect(Array.from({ length: 1000 }, () => free.spend()).every((told) => told === 'spent')).toBe(true);
});

test('the token endpoint in both formats, captchas and calls are limited, with 429 and Retry-After in the format of each', async () => {
  const server = await testServer({ environment: { TOKEN_RATE: '1', CAPTCHA_RATE: '1', CALL_RATE: '1' } });
  const from = (remoteAddress: string, url: string, payload?: object) =>
    server.app.inject({
      method: payload ? 'POST' : 'GET',
      url,
      remoteAddress,
      headers: { ...clientHeaders, 'accept-language': 'en' },
      ...(payload ? { payload } : {}),
    });
  const grant = { grant_type: 'password', username: 'admin', password };
  const token = (address: string) => from(address, '/api/things-auth/oauth/token', grant);
  const granted = await token('10.0.0.1');
  const [refused, blade] = [await token('10.0.0.1'), await from('10.0.0.1', '/api/blade-auth/token', { account: 'admin', password })];
  expect([granted.statusCode, refused.statusCode, blade.statusCode]).toEqual([200, 429, 429]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json()).toEqual({ error: 'invalid_grant', error_description: localize(problems.tooManyRequests.message, 'en') });
  expect(blade.json()).toMatchObject({ code: 429, success: false });
  expect((await token('10.0.0.2')).statusCode).toBe(200);

  const draw = () => from('10.0.0.3', '/api/things-auth/oauth/captcha');
  expect([(await draw()).statusCode, (await draw()).statusCode]).toEqual([200, 429]);

  const headers = { 'things-auth': `bearer ${granted.json().access_token}` };
  const [first, second] = [await server.get('/api/blade-auth/oauth/user-info', { headers }), await server.get('/api/blade-auth/oauth/user-info', { headers })];
  expect(first?.status).toBe(200);
  expect(second).toMatchObject({ status: 429, code: 429, success: false, data: null, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
});

describe('with a limit of two requests per minute', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ plugins, environment: { OPEN_RATE: '2', TOKEN_RATE: '2', CAPTCHA_RATE: '2', API_DOCS: 'open' } });
  });
  afterAll(() => server.stop());

  test('every other open call is limited by address, and requests that match no call are not', async () => {
    const from = (remoteAddress: string, url: string) => server.app.inject({ method: 'GET', url, remoteAddress });
    const statuses = async (address: string, url: string) =>
      [await from(address, url), await from(address, url), await from(address, url)].map(({ statusCode }) => statusCode);
    expect(await statuses('10.0.1.1', '/api/things-auth/oauth/logout')).toEqual([200, 200, 429]);
    expect((await from('10.0.1.1', '/api/file/blob?key=1')).statusCode).toBe(429);
    expect(await statuses('10.0.1.2', '/api/things-auth/oauth/logout')).toEqual([200, 200, 429]);
    expect(await statuses('10.0.1.1', '/health/live')).toEqual([200, 200, 200]);
    expect(await statuses('10.0.1.1', '/nowhere')).toEqual([404, 404, 404]);
  });

  test('no call that asks for no sign-in is without a limit by address: the third in a minute is refused where two are allowed', async () => {
    const described = (await server.get(apiDescription.file)).body as { paths: Record<string, Record<string, { security?: unknown[] }>> };
    const open = Object.entries(described.paths).flatMap(([path, calls]) =>
      Object.entries(calls).flatMap(([method, { security }]) => (security?.length === 0 ? [{ method: method.toUpperCase() as 'GET' | 'POST', path }] : [])),
    );
    const unlimited: string[] = [];
    for (const [place, { method, path }] of [
      ...open,
      { method: 'GET' as const, path: apiDescription.file },
      { method: 'POST' as const, path: reportsPath },
    ].entries()) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const ask = () => server.app.inject({ method, url, remoteAddress: `10.1.0.${place}`, headers: clientHeaders });
      const replies = [await ask(), await ask(), await ask()].map(({ statusCode }) => statusCode);
      if (replies[0] === 429 || replies[1] === 429 || replies[2] !== 429) unlimited.push(`${method} ${path} ${replies.join(' ')}`);
    }
    expect(unlimited).toEqual([]);
    expect(open.length).toBeGreaterThan(15);
  }, 60_000);
});
