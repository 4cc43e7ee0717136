import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { pngSize } from '../../../../support/png.ts';
import { openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

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

test('the right code signs in, ignoring case', async () => {
  expect((await withCaptcha((await draw()).key, '7K3FQ')).status).toBe(200);
});

test('a username and a password with a captcha and no grant are the captcha grant; without a captcha they are not', async () => {
  const plain = { grant_type: undefined };
  expect((await withCaptcha((await draw()).key, '7k3fq', plain)).status).toBe(200);
  expect((await withCaptcha((await draw()).key, 'xxxxx', plain)).body.error_description).toBe('验证码不正确');
  expect((await withCaptcha('', '', plain)).body.error_description).toBe('不支持的授权类型');
});

test('a captcha is answered once: right or wrong, its key is used up', async () => {
  const wrong = (await draw()).key;
  expect((await withCaptcha(wrong, 'xxxxx')).body.error_description).toBe('验证码不正确');
  expect((await withCaptcha(wrong, '7k3fq')).status).toBe(400);
  const used = (await draw()).key;
  expect((await withCaptcha(used, '7k3fq')).status).toBe(200);
  expect((await withCaptcha(used, '7k3fq')).status).toBe(400);
});

test('a missing, foreign, invalid or expired key is wrong', async () => {
  const { key } = await draw();
  await server.sql(`update captcha set expires_at = now() - interval '1 second'`);
  for (const wrong of ['', 'x', '4ef11dab-c4f2-4987-b267-0e976c363656', "' or 1=1", key]) expect((await withCaptcha(wrong, '7k3fq')).status).toBe(400);
});

test('a wrong captcha does not count as a failure of the account', async () => {
  for (let attempt = 0; attempt < 8; attempt += 1) await withCaptcha((await draw()).key, 'xxxxx');
  expect((await withCaptcha((await draw()).key, '7k3fq')).status).toBe(200);
});
