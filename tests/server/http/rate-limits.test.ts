import { expect, test } from '@rstest/core';
import { problems } from '#shared/errors';
import { say } from '#shared/text';
import { RateLimits } from '../../../src/server/http/rate-limits.ts';
import { clientHeaders, password, testServer } from '../../support/test-server.ts';

const at = (rates: { token?: number; captcha?: number; calls?: number }) => {
  let now = 0;
  const limits = new RateLimits({ token: 0, captcha: 0, calls: 0, ...rates }, () => now);
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

test('the token endpoint in both dialects, captchas and calls are limited on the wire, with 429 and Retry-After in the words of each', async () => {
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
  expect(refused.json()).toEqual({ error: 'invalid_grant', error_description: say(problems.tooManyRequests.words, 'en') });
  expect(blade.json()).toMatchObject({ code: 429, success: false });
  expect((await token('10.0.0.2')).statusCode).toBe(200);

  const draw = () => from('10.0.0.3', '/api/things-auth/oauth/captcha');
  expect([(await draw()).statusCode, (await draw()).statusCode]).toEqual([200, 429]);

  const headers = { 'things-auth': `bearer ${granted.json().access_token}` };
  const [first, second] = [await server.get('/api/blade-auth/oauth/user-info', { headers }), await server.get('/api/blade-auth/oauth/user-info', { headers })];
  expect(first?.status).toBe(200);
  expect(second).toMatchObject({ status: 429, code: 429, success: false, data: null, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
});
