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
import { testLight, tokenReply } from '../../../support/test-kernel.ts';

const bodyKey = 'sixteen letters!';
const requests = { tokenKey: '32 characters of a key of tokens', bodyKey };
const tokens = new WireCipher(requests.tokenKey);
const bodies = new WireCipher(bodyKey);
const page = { records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 };
const row = { paramName: '名称', paramKey: 'a.b', paramValue: '1' };
const textOf = (request: WireRequest | undefined) => (request?.body as { text: string } | undefined)?.text;
const opened = (text: unknown) => JSON.parse(bodies.decrypt(String(text)) ?? 'null');

const { crypto: own } = globalThis;
afterEach(() => {
  Object.defineProperty(globalThis, 'crypto', { value: own, configurable: true, writable: true });
});

test('tokens, queries, JSON and the form of the token endpoint are encrypted, and encrypted answers are decrypted', async () => {
  const encrypted = (data: unknown) => () => ({ status: 200, body: bodies.encrypt(JSON.stringify({ code: 200, success: true, data, msg: '' })) });
  const { light, transport, session } = await testLight({
    manifest: { requests },
    answers: [script(param.list, encrypted(page)), script(param.submit, encrypted({ ...row, id: '7' }))],
  });
  expect((await light.get(Http).send(param.list, { paramKey: 'x', current: 2 })).data).toEqual(page);
  expect((await light.get(Http).send(param.submit, row)).data).toMatchObject({ id: '7' });
  transport.answer(script(oauth.token, () => ({ status: 200, body: bodies.encrypt(JSON.stringify(tokenReply(2))) })));
  expect(await session.refresh()).toBe(true);
  const [list, submit, token] = transport.requests;
  expect(list?.headers['Things-Auth']).toBe(`crypto ${tokens.encrypt('access-1')}`);
  expect(Object.keys(list?.query ?? {})).toEqual(['data']);
  expect(opened(list?.query?.data)).toEqual({ paramKey: 'x', current: '2' });
  expect(opened(textOf(submit))).toEqual(row);
  expect(opened(textOf(token))).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh-1' });
  expect(session.accessToken).toBe('access-2');
});

test('unencrypted answers are accepted, files are sent unencrypted, and the live stream has its token encrypted', async () => {
  const { light, transport, session } = await testLight({
    manifest: { requests },
    answers: [response(param.list, 403, { code: 403, success: false, data: null, msg: '请求被拒绝' }), answer(files.upload, { id: '1' } as never)],
  });
  expect(await light.get(Http).send(param.list, { current: 1 }, { quiet: true })).toMatchObject({ code: 403, msg: '请求被拒绝' });
  const file = new File(['x'], 'x.txt');
  await light.get(Http).send(files.upload, { isPublic: true }, { file });
  expect(transport.to(files.upload)[0]?.body).toEqual({ file, fields: { isPublic: 'true' } });
  const opening = new Promise<string | undefined>((resolve) => {
    transport.onOpen = async ({ path, headers }) => {
      resolve(path === liveEvents.path ? headers['Things-Auth'] : undefined);
      return { status: 401, body: undefined };
    };
  });
  const live = new BrowserLive({ transport: light.get(Transport), session, bus: light.get(Bus), clientHeaders: {}, channelName: 'encrypted', firstWaitMs: 1 });
  light.onDispose(() => live.dispose());
  live.stream({ name: 'x' } as never).subscribe();
  expect(await opening).toBe(`crypto ${tokens.encrypt('access-1')}`);
});

test('either key can be used alone', async () => {
  const alone = await testLight({ manifest: { requests: { bodyKey } }, answers: [answer(param.list, page)] });
  await alone.light.get(Http).send(param.list, { current: 1 });
  expect(alone.transport.requests[0]?.headers['Things-Auth']).toBe('bearer access-1');
  expect(Object.keys(alone.transport.requests[0]?.query ?? {})).toEqual(['data']);
  const other = await testLight({ manifest: { requests: { tokenKey: requests.tokenKey } }, answers: [answer(param.list, page)] });
  await other.light.get(Http).send(param.list, { current: 1 });
  expect(other.transport.requests[0]?.headers['Things-Auth']).toMatch(/^crypto /);
  expect(other.transport.requests[0]?.query).toEqual({ current: '1' });
});

test('a page on a plain http address, where browsers have no cipher, sends requests unencrypted and logs it', async () => {
  Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues: own.getRandomValues.bind(own) }, configurable: true, writable: true });
  const { light, transport } = await testLight({ manifest: { requests }, answers: [answer(param.list, page)] });
  await light.get(Http).send(param.list, { current: 1 });
  expect(transport.requests[0]?.headers['Things-Auth']).toBe('bearer access-1');
  expect(light.get(ErrorLog).entries.map(({ message }) => message)).toEqual([expect.stringContaining('unencrypted')]);
});
