import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { pngSize } from '../../support/png.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: { CAPTCHA_MODE: 'on', CAPTCHA_TEST_ANSWER: '7k3fQ' } });
});
afterAll(() => server.stop());

const address = '/api/things-auth/oauth/token';
const publicClient = `Basic ${btoa('sryx:')}`;
const withCaptcha = (key: string, code: string, input: object = {}) =>
  server.post(
    address,
    { grant_type: 'captcha', tenantId: '000000', username: 'admin', password, ...input },
    { headers: { authorization: publicClient, 'captcha-key': key, 'captcha-code': code } },
  );
const draw = async () => (await server.get('/api/things-auth/oauth/captcha')).body as { key: string; image: string };

test('a captcha is a picture with a key, at the top of the body and under data', async () => {
  const { status, body } = await server.get('/api/blade-auth/oauth/captcha');
  expect(status).toBe(200);
  expect(body).toMatchObject({ code: 200, success: true, data: { key: body.key, image: body.image } });
  expect(body.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(body.image).toMatch(/^data:image\/png;base64,/);
  expect(pngSize(Buffer.from(body.image.split(',')[1], 'base64'))).toEqual({ width: 130, height: 48 });
});

test('the right code signs in, whatever its case', async () => {
  expect((await withCaptcha((await draw()).key, '7K3FQ')).status).toBe(200);
});

test('a captcha is answered once: right or wrong, its key is used up', async () => {
  const wrong = (await draw()).key;
  expect((await withCaptcha(wrong, 'xxxxx')).body.error_description).toBe('验证码不正确');
  expect((await withCaptcha(wrong, '7k3fq')).status).toBe(400);
  const used = (await draw()).key;
  expect((await withCaptcha(used, '7k3fq')).status).toBe(200);
  expect((await withCaptcha(used, '7k3fq')).status).toBe(400);
});

test('no key, a foreign one, one that is no key at all and one that has run out are wrong', async () => {
  const { key } = await draw();
  await server.sql(`update captcha set expires_at = now() - interval '1 second'`);
  for (const wrong of ['', 'x', '4ef11dab-c4f2-4987-b267-0e976c363656', "' or 1=1", key]) expect((await withCaptcha(wrong, '7k3fq')).status).toBe(400);
});

test('a wrong captcha does not count as a failure of the account', async () => {
  for (let attempt = 0; attempt < 8; attempt += 1) await withCaptcha((await draw()).key, 'xxxxx');
  expect((await withCaptcha((await draw()).key, '7k3fq')).status).toBe(200);
});

const attempt = (username: string, word: string, remoteAddress = '10.1.1.1') =>
  server.app
    .inject({ method: 'POST', url: address, remoteAddress, headers: clientHeaders, payload: { grant_type: 'password', username, password: word } })
    .then((reply) => ({ status: reply.statusCode, text: reply.json().error_description as string }));

test('five failures lock the account, for the right password and from every address, in whatever case it is typed', async () => {
  await server.createUser({ account: 'locked' });
  for (let failure = 0; failure < 5; failure += 1) expect((await attempt('locked', 'wrong')).text).toBe('用户名或密码错误');
  expect(await attempt('locked', password)).toEqual({ status: 400, text: '用户登录失败次数过多' });
  expect((await attempt('LOCKED', password, '10.9.9.9')).text).toBe('用户登录失败次数过多');
  await server.sql(`update login_failure set expires_at = now() - interval '1 second'`);
  expect((await attempt('locked', password)).status).toBe(200);
});

test('an unknown account is locked with the same words as a known one', async () => {
  for (let failure = 0; failure < 5; failure += 1) await attempt('nobody', 'wrong', '10.1.1.2');
  expect((await attempt('nobody', 'wrong', '10.1.1.2')).text).toBe('用户登录失败次数过多');
});

test('a success forgets the failures before it', async () => {
  await server.createUser({ account: 'forgetful' });
  for (let round = 0; round < 2; round += 1) {
    for (let failure = 0; failure < 4; failure += 1) await attempt('forgetful', 'wrong', '10.1.1.3');
    expect((await attempt('forgetful', password, '10.1.1.3')).status).toBe(200);
  }
});

test('a hundred guesses at once are no more than five', async () => {
  await server.createUser({ account: 'target' });
  const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => attempt('target', `guess ${index}`, `10.2.0.${index}`)));
  expect(guesses.filter(({ text }) => text === '用户名或密码错误')).toHaveLength(5);
  expect(guesses.filter(({ text }) => text === '用户登录失败次数过多')).toHaveLength(25);
});

test('an address that guesses at many accounts is locked itself', async () => {
  await server.sql(`insert into login_failure values ('address', '10.3.3.3', 49, now() + interval '20 minutes')`);
  expect((await attempt('one', 'wrong', '10.3.3.3')).text).toBe('用户名或密码错误');
  expect((await attempt('two', 'wrong', '10.3.3.3')).text).toBe('用户登录失败次数过多，请稍后再试');
  expect((await attempt('admin', password, '10.3.3.4')).status).toBe(200);
});
