import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const lockPath = '/api/things-auth/oauth/lock';
const unlockPath = '/api/blade-auth/oauth/unlock';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.stop());

const routes = (headers: Record<string, string>) => server.get('/api/things-system/menu/routes', { headers });
/** Ends the delay after wrong passwords. */
const waited = () => server.sql('update session set lock_retry_at = null');

describe('a locked session', () => {
  test('is refused with 423 until its password is given; other sessions of the user go on', async () => {
    const [here, elsewhere] = [await server.signIn(), await server.signIn()];
    expect(await server.post(lockPath, { password: 'open sesame' }, { headers: here })).toMatchObject({ status: 200 });
    expect(await routes(here)).toMatchObject({ status: 423, code: 423, msg: '屏幕已锁定' });
    expect(await routes(elsewhere)).toMatchObject({ status: 200 });
    expect(await server.post(unlockPath, { password: 'open' }, { headers: here })).toMatchObject({ status: 400, msg: '密码不正确' });
    expect(await routes(here)).toMatchObject({ status: 423 });
    expect(await server.post(unlockPath, { password: 'open sesame' }, { headers: here })).toMatchObject({ status: 200 });
    expect(await routes(here)).toMatchObject({ status: 200 });
  });

  test('keeps no password that could be read', async () => {
    await server.post(lockPath, { password: 'quiet please' }, { headers: await server.signIn() });
    const rows = JSON.stringify((await server.sql('select * from session')) as unknown) + JSON.stringify(await server.sql('select * from api_log'));
    expect(rows).not.toContain('quiet please');
    expect(rows).toContain('$argon2id$');
  });

  test('locked without a password is unlocked with the one of the account', async () => {
    const headers = await server.signIn();
    await server.post(lockPath, { password: '' }, { headers });
    expect(await server.post(unlockPath, { password: '' }, { headers })).toMatchObject({ status: 400 });
    expect(await server.post(unlockPath, { password }, { headers })).toMatchObject({ status: 200 });
    expect(await routes(headers)).toMatchObject({ status: 200 });
  });

  test('may still sign out', async () => {
    const headers = await server.signIn();
    await server.post(lockPath, { password: 'x' }, { headers });
    expect(await server.get('/api/things-auth/oauth/logout', { headers })).toMatchObject({ status: 200 });
    expect(await routes(headers)).toMatchObject({ status: 401 });
  });

  test('answers guesses ever more slowly, even the right one, and ends after twenty', async () => {
    const headers = await server.signIn();
    const guess = (word: string) => server.post(unlockPath, { password: word }, { headers });
    await server.post(lockPath, { password: 'right' }, { headers });
    for (let number = 0; number < 4; number++) expect(await guess('wrong')).toMatchObject({ status: 400 });
    expect(await guess('right')).toMatchObject({ status: 429, msg: '尝试次数过多，请在 5 秒后重试' });
    for (let number = 4; number < 19; number++) {
      await waited();
      expect(await guess('wrong')).toMatchObject({ status: 400 });
    }
    await waited();
    expect(await guess('wrong')).toMatchObject({ status: 401 });
    expect(await guess('right')).toMatchObject({ status: 401 });
  });

  test('counts guesses made at once one by one', async () => {
    const headers = await server.signIn();
    await server.post(lockPath, { password: 'right' }, { headers });
    const replies = await Promise.all(Array.from({ length: 12 }, () => server.post(unlockPath, { password: 'wrong' }, { headers })));
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(8);
  });

  test('locking requires a session, and unlocking an unlocked session changes nothing', async () => {
    expect(await server.post(lockPath, { password: 'x' })).toMatchObject({ status: 401 });
    expect(await server.post(unlockPath, { password: 'x' }, { headers: await server.signIn() })).toMatchObject({ status: 200 });
  });
});
