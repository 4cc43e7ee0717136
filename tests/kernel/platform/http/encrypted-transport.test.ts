import { afterEach, expect, test } from '@rstest/core';
import { param } from '#plugins/settings/contract';
import { oauth } from '#shared/auth';
import { files } from '#shared/files';
import { liveEvents } from '#shared/live';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { Http } from '../../../../src/kernel/platform/http/http.ts';
import { Transport, type WireRequest } from '../../../../src/kernel/platform/http/transport.ts';
import { BrowserLive } from '../../../../src/kernel/platform/live/browser-live.ts';
import { WireCipher } from '../../../../src/server/platform/http/wire-cipher.ts';
import { answer, response, script } from '../../../support/scripted-transport.ts';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const bodyKey = 'sixteen letters!';
const requests = { tokenKey: '32 characters of a key of tokens', bodyKey };
const tokenCipher = new WireCipher(requests.tokenKey);
const bodyCipher = new WireCipher(bodyKey);
const page = { records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 };
const row = { paramName: '名称', paramKey: 'a.b', paramValue: '1' };
const textOf = (request: WireRequest | undefined) => (request?.body as { text: string } | undefined)?.text;
const decrypted = (text: unknown) => JSON.parse(bodyCipher.decrypt(String(text)) ?? 'null');

const { crypto: originalCrypto } = globalThis;
afterEach(() => {
  Object.defineProperty(globalThis, 'crypto', { value: originalCrypto, configurable: true, writable: true });
});

test('tokens, queries, JSON and the form of the token endpoint are encrypted, and encrypted answers are decrypted', async () => {
  const encrypted = (data: unknown) => () => ({ status: 200, body: bodyCipher.encrypt(JSON.stringify({ code: 200, success: true, data, msg: '' })) });
  const { core, transport, session } = await testCoreServices({
    manifest: { requests },
    answers: [script(param.list, encrypted(page)), script(param.submit, encrypted({ ...row, id: '7' }))],
  });
  expect((await core.get(Http).send(param.list, { paramKey: 'x', current: 2 })).data).toEqual(page);
  expect((await core.get(Http).send(param.submit, row)).data).toMatchObject({ id: '7' });
  transport.answer(script(oauth.token, () => ({ status: 200, body: bodyCipher.encrypt(JSON.stringify(tokenReply(2))) })));
  expect(await session.refresh()).toBe(true);
  const [list, submit, token] = transport.requests;
  expect(list?.headers['Things-Auth']).toBe(`crypto ${tokenCipher.encrypt('access-1')}`);
  expect(Object.keys(list?.query ?? {})).toEqual(['data']);
  expect(decrypted(list?.query?.data)).toEqual({ paramKey: 'x', current: '2' });
  expect(decrypted(textOf(submit))).toEqual(row);
  expect(decrypted(textOf(token))).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh-1' });
  expect(session.accessToken).toBe('access-2');
});

test('unencrypted answers are accepted, files are sent unencrypted, and the token of the live stream is encrypted', async () => {
  const { core, transport, session } = await testCoreServices({
    manifest: { requests },
    answers: [response(param.list, 403, { code: 403, success: false, data: null, msg: '请求被拒绝' }), answer(files.upload, { id: '1' } as never)],
  });
  expect(await core.get(Http).send(param.list, { current: 1 }, { quiet: true })).toMatchObject({ code: 403, msg: '请求被拒绝' });
  const file = new File(['x'], 'x.txt');
  await core.get(Http).send(files.upload, { isPublic: true }, { file });
  expect(transport.to(files.upload)[0]?.body).toEqual({ file, fields: { isPublic: 'true' } });
  const opening = new Promise<string | undefined>((resolve) => {
    transport.onOpen = async ({ path, headers }) => {
      resolve(path === liveEvents.path ? headers['Things-Auth'] : undefined);
      return { status: 401, body: undefined };
    };
  });
  const live = new BrowserLive({ transport: core.get(Transport), session, bus: core.get(Bus), clientHeaders: {}, channelName: 'encrypted', initialDelayMs: 1 });
  core.onDispose(() => live.dispose());
  live.stream({ name: 'x' } as never).subscribe();
  expect(await opening).toBe(`crypto ${tokenCipher.encrypt('access-1')}`);
});

test('either key can be used alone', async () => {
  const withBodyKey = await testCoreServices({ manifest: { requests: { bodyKey } }, answers: [answer(param.list, page)] });
  await withBodyKey.core.get(Http).send(param.list, { current: 1 });
  expect(withBodyKey.transport.requests[0]?.headers['Things-Auth']).toBe('bearer access-1');
  expect(Object.keys(withBodyKey.transport.requests[0]?.query ?? {})).toEqual(['data']);
  const withTokenKey = await testCoreServices({ manifest: { requests: { tokenKey: requests.tokenKey } }, answers: [answer(param.list, page)] });
  await withTokenKey.core.get(Http).send(param.list, { current: 1 });
  expect(withTokenKey.transport.requests[0]?.headers['Things-Auth']).toMatch(/^crypto /);
  expect(withTokenKey.transport.requests[0]?.query).toEqual({ current: '1' });
});

test('a page on a plain http address, where browsers have no cipher, sends requests unencrypted and logs it', async () => {
  Object.defineProperty(globalThis, 'crypto', {
    value: { getRandomValues: originalCrypto.getRandomValues.bind(originalCrypto) },
    configurable: true,
    writable: true,
  });
  const { core, transport } = await testCoreServices({ manifest: { requests }, answers: [answer(param.list, page)] });
  await core.get(Http).send(param.list, { current: 1 });
  expect(transport.requests[0]?.headers['Things-Auth']).toBe('bearer access-1');
  expect(core.get(ErrorLog).entries.map(({ message }) => message)).toEqual([expect.stringContaining('unencrypted')]);
});
