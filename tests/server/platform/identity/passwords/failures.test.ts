import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const url = '/api/things-auth/oauth/token';
const wrong = { status: 400, text: '用户名或密码错误' };
const locked = { status: 400, text: '用户登录失败次数过多' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'session'] });
});
afterAll(() => server.stop());

async function send(username: string, word: string, remoteAddress: string, headers: Record<string, string> = {}) {
  const payload = { grant_type: 'password', username, password: word };
  const reply = await server.app.inject({ method: 'POST', url, remoteAddress, headers: { ...clientHeaders, ...headers }, payload });
  return { reply, status: reply.statusCode, text: reply.json().error_description as string | undefined };
}
const attempt = async (username: string, word: string, address = '10.1.1.1', headers: Record<string, string> = {}) => {
  const { status, text } = await send(username, word, address, headers);
  return { status, text };
};
/** Simulates a user who has waited for the required delay. */
const wait = () => server.sql(`update login_failure set failed_at = now() - interval '2 minutes'`);

async function fail(username: string, times: number, addressOf: (time: number) => string, headers: Record<string, string> = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await wait();
    expect(await attempt(username, 'wrong', addressOf(time), headers)).toEqual(wrong);
  }
  await wait();
}

/** Returns the cookie that identifies a browser after it has signed in. */
async function deviceOf(username: string, address: string): Promise<{ set: string; cookie: string }> {
  const { reply } = await send(username, password, address);
  const set = [reply.headers['set-cookie']].flat().find((cookie) => /marquee-device-/.test(cookie ?? '')) ?? '';
  return { set, cookie: set.split(';')[0] ?? '' };
}

describe('one place', () => {
  test('is locked out of an account after five failures, ignoring the case of the account; other addresses are not', async () => {
    await server.createUser({ account: 'locked' });
    await fail('locked', 5, () => '10.1.1.1');
    expect(await attempt('locked', password)).toEqual(locked);
    expect(await attempt('LOCKED', password)).toEqual(locked);
    expect((await attempt('locked', password, '10.9.9.9')).status).toBe(200);
    await server.sql(`update login_failure set expires_at = now() - interval '1 second'`);
    expect((await attempt('locked', password)).status).toBe(200);
  });

  test('must wait longer after each failure before that, and gets the remaining time', async () => {
    await server.createUser({ account: 'hasty' });
    await fail('hasty', 2, () => '10.1.2.1');
    expect(await attempt('hasty', 'wrong', '10.1.2.1')).toEqual(wrong);
    const { reply, status, text } = await send('hasty', password, '10.1.2.1');
    expect({ status, text, after: reply.headers['retry-after'] }).toEqual({ status: 429, text: '登录失败次数过多，请在 1 秒后重试', after: '1' });
    await wait();
    expect(await attempt('hasty', 'wrong', '10.1.2.1')).toEqual(wrong);
    expect((await send('hasty', password, '10.1.2.1')).reply.headers['retry-after']).toBe('2');
    await wait();
    expect((await attempt('hasty', password, '10.1.2.1')).status).toBe(200);
  });

  test('gets the same for an unknown account', async () => {
    await fail('nobody', 5, () => '10.1.3.1');
    expect(await attempt('nobody', 'wrong', '10.1.3.1')).toEqual(locked);
  });

  test('starts again after a success', async () => {
    await server.createUser({ account: 'forgetful' });
    for (let round = 0; round < 2; round += 1) {
      await fail('forgetful', 4, () => '10.1.4.1');
      expect((await attempt('forgetful', password, '10.1.4.1')).status).toBe(200);
    }
  });

  test('that guesses at many accounts is locked itself', async () => {
    await server.sql(`insert into login_failure values ('address', '10.3.3.3', 49, now() + interval '20 minutes')`);
    expect(await attempt('one', 'wrong', '10.3.3.3')).toEqual(wrong);
    expect((await attempt('two', 'wrong', '10.3.3.3')).text).toBe('用户登录失败次数过多，请稍后再试');
    expect((await attempt('admin', password, '10.3.3.4')).status).toBe(200);
  });
});

describe('many at once', () => {
  test('guesses from thirty addresses are no more than five; the others are slowed down, not locked out', async () => {
    await server.createUser({ account: 'target' });
    const start = performance.now();
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => attempt('target', `guess ${index}`, `10.2.0.${index}`)));
    // On a slow machine the first delays, of one, two and four seconds, run out meanwhile.
    const most = 5 + Math.floor(Math.log2(1 + (performance.now() - start) / 1000));
    const tried = guesses.filter(({ text }) => text === wrong.text).length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThanOrEqual(most);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(30 - tried);
    await wait();
    expect((await attempt('target', password, '10.2.0.99')).status).toBe(200);
  });

  test('ten right passwords at once are ten sessions, from one address and after failures too', async () => {
    await server.createUser({ account: 'family' });
    await fail('family', 2, () => '10.2.1.1');
    const replies = await Promise.all(Array.from({ length: 10 }, () => attempt('family', password, '10.2.1.1')));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});

describe('a device that has signed in before', () => {
  test('is not delayed by attackers, even at the same address', async () => {
    await server.createUser({ account: 'boss' });
    const { set, cookie } = await deviceOf('boss', '10.4.0.1');
    expect(set).toMatch(/^marquee-device-[0-9a-f]{12}=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);
    await server.sql('delete from session');
    await fail('boss', 5, () => '10.4.0.1');
    await fail('boss', 5, (time) => `10.4.1.${time}`);
    await server.sql(`update login_failure set failed_at = now()`);
    expect(await attempt('boss', password, '10.4.0.1')).toEqual(locked);
    expect((await attempt('boss', password, '10.4.2.1')).status).toBe(429);
    expect((await attempt('boss', password, '10.4.0.1', { cookie })).status).toBe(200);
    expect((await attempt('boss', password, '10.4.2.2', { cookie: `other=1; ${cookie}` })).status).toBe(200);
  });

  test('is locked by five failures of its own, which lock no one else', async () => {
    await server.createUser({ account: 'borrowed' });
    const { cookie } = await deviceOf('borrowed', '10.5.0.1');
    await fail('borrowed', 5, () => '10.5.0.1', { cookie });
    expect(await attempt('borrowed', password, '10.5.0.9', { cookie })).toEqual(locked);
    expect((await attempt('borrowed', password, '10.5.0.1')).status).toBe(200);
  });

  test('is known to its account only, by a cookie signed by the server', async () => {
    await server.createUser({ account: 'mine' });
    await server.createUser({ account: 'yours' });
    const { cookie } = await deviceOf('mine', '10.6.0.1');
    const [name, value = ''] = cookie.split('=');
    const yours = (await deviceOf('yours', '10.6.0.2')).cookie.split('=')[0];
    await server.sql('delete from session');
    await fail('yours', 5, () => '10.6.0.3');
    for (const forged of [cookie, `${yours}=${value}`, `${yours}=zzzzzz.${'a'.repeat(22)}.${'b'.repeat(43)}`, `${yours}=x`])
      expect(await attempt('yours', password, '10.6.0.3', { cookie: forged })).toEqual(locked);
    expect(name).not.toBe(yours);
  });

  test('may be a program without cookies, known by the address it signed in from', async () => {
    await server.createUser({ account: 'robot' });
    expect((await attempt('robot', password, '10.7.0.1')).status).toBe(200);
    await fail('robot', 9, (time) => `10.7.1.${time}`);
    await server.sql(`update login_failure set failed_at = now()`);
    expect((await attempt('robot', password, '10.7.2.1')).status).toBe(429);
    expect((await attempt('robot', password, '10.7.0.1')).status).toBe(200);
  });
});

test('unlocking an account unlocks all sources', async () => {
  const { userId } = await server.createUser({ account: 'unlocked' });
  await fail('unlocked', 5, () => '10.8.0.1');
  expect(await attempt('unlocked', password, '10.8.0.1')).toEqual(locked);
  const headers = await server.signIn();
  expect(await server.post('/api/blade-system/user/unlock', { userIds: [userId] }, { headers })).toMatchObject({ code: 200, msg: '操作成功' });
  expect((await attempt('unlocked', password, '10.8.0.1')).status).toBe(200);
});
