import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { param } from '#plugins/settings/contract';
import { oauth } from '#shared/auth';
import type { Call } from '#shared/contract';
import { encryptedTransport } from '../../../../src/kernel/platform/http/encrypted-transport.ts';
import { requestParts } from '../../../../src/kernel/platform/http/request.ts';
import { Transport, type WireRequest, type WireResponse, type WireStream } from '../../../../src/kernel/platform/http/transport.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const keys = { tokenKey: '32 characters of a key of tokens', bodyKey: 'sixteen letters!' };
const { signal } = new AbortController();
let server: TestServer;
let console: Transport;

/** Passes requests to the server as axios does in a browser, and records the bytes that were sent. */
class InjectingTransport extends Transport {
  readonly sent: string[] = [];

  async request({ method, path, headers, query, body }: WireRequest): Promise<WireResponse> {
    const payload = body && ('text' in body ? body.text : 'json' in body ? JSON.stringify(body.json) : undefined);
    const type = body && 'text' in body ? 'text/plain' : 'application/json';
    this.sent.push(JSON.stringify([headers, query, payload]));
    const injected = { method, url: path, headers: { ...headers, ...(payload ? { 'content-type': type } : {}) }, ...(query ? { query: { ...query } } : {}) };
    const reply = await server.app.inject(payload === undefined ? injected : { ...injected, payload });
    return { status: reply.statusCode, body: /json/.test(String(reply.headers['content-type'])) ? reply.json() : reply.body };
  }

  open(): Promise<WireStream> {
    throw new Error('No stream is opened here');
  }
}

const wire = new InjectingTransport();
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings'], environment: { TOKEN_CRYPTO_KEY: keys.tokenKey, BODY_CRYPTO_KEY: keys.bodyKey } });
  console = await encryptedTransport(wire, keys);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they came
const send = async (call: Call, input: object, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> =>
  console.request({ method: call.method, path: call.path, headers, signal, ...requestParts(call, input) });

test('the server decrypts requests of the console, and the console its answers: a sign-in, a list, a write and refusals', async () => {
  const grant = { grant_type: 'password', tenantId: '000000', username: 'admin', password };
  const signedIn = await send(oauth.token, grant, clientHeaders);
  expect(signedIn).toMatchObject({ status: 200, body: { account: 'admin', access_token: expect.stringMatching(/^eyJ/) } });
  const token = { 'Things-Auth': `bearer ${signedIn.body.access_token}` };

  const added = await send(param.submit, { paramName: '加密 é 😀', paramKey: 'wire.encrypted', paramValue: 'x'.repeat(200) }, token);
  expect(added).toMatchObject({ status: 200, body: { code: 200, success: true } });
  const found = await send(param.list, { paramKey_equal: 'wire.encrypted', current: 1 }, token);
  expect(found.body.data.records).toMatchObject([{ paramName: '加密 é 😀' }]);

  const refused = await send(param.submit, { paramName: '', paramKey: 'wire.other', paramValue: '1' }, token);
  expect(refused).toMatchObject({ status: 400, body: { success: false, field: 'paramName' } });
  expect(await send(param.list, { current: 1 }, { 'Things-Auth': 'bearer nobody' })).toMatchObject({ status: 401, body: { code: 401 } });
  expect((await send(oauth.token, { ...grant, password: 'wrong' }, clientHeaders)).body.error_description).toBe('用户名或密码错误');

  const wireText = wire.sent.join('\n');
  for (const secret of [password, signedIn.body.access_token, 'wire.encrypted', '加密', 'bearer nobody']) expect(wireText).not.toContain(secret);
});

test('a client named in the body of the token endpoint needs no header, and the calls that send none are answered', async () => {
  const grant = { grant_type: 'captcha', tenantId: '000000', username: 'admin', password, client_id: 'sryx' };
  expect((await send(oauth.token, grant)).body.account).toBe('admin');
  expect((await send(oauth.token, { ...grant, client_id: undefined })).status).toBe(401);
  expect((await send(oauth.captcha, {})).status).toBe(200);
  expect((await send(oauth.logout, {})).status).toBe(200);
});
