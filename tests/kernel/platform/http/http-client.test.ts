import { describe, expect, onTestFinished, rs, test } from '@rstest/core';
import * as Type from 'typebox';
import { Param, param } from '#plugins/settings/contract';
import { oauth } from '#shared/auth';
import { bladeAuth } from '#shared/blade-auth';
import { get, list, NoContent, post } from '#shared/contract';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { Http, SessionLocked } from '../../../../src/kernel/platform/http/http.ts';
import { backoffMs } from '../../../../src/kernel/platform/http/retries.ts';
import { TransportError, type TransportFault } from '../../../../src/kernel/platform/http/transport-error.ts';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import { ProofPrompt } from '../../../../src/kernel/platform/session/proof-prompt.ts';
import { Session, SignedOut } from '../../../../src/kernel/platform/session/session.ts';
import { answer, inputOf, refusal, response, script } from '../../../support/scripted-transport.ts';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const empty = { records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 };
const read = list('/api/test/list', Param, 'signedIn', ['读', 'Read']);
const write = post('/api/test/submit', { title: ['写', 'Write'], access: 'signedIn', input: Type.Object({ name: Type.Unsafe<string>({}) }), reply: NoContent });
const count = get('/api/test/count', { title: ['数', 'Count'], access: 'signedIn', input: Type.Object({}), reply: Type.Unsafe<number>({ type: 'integer' }) });

/** Lets the test that calls it not wait for the backoff between two attempts. */
const skipBackoff = () => {
  const { setInterval } = globalThis;
  const isBackoff = (ms = 0) => backoffMs.some((wait) => ms >= wait && ms <= wait * 1.5);
  const timers = rs
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(((run: () => void, ms?: number) => setInterval(run, isBackoff(ms) ? 0 : ms)) as unknown as typeof setInterval);
  onTestFinished(() => timers.mockRestore());
};

describe('http: contents of a request', () => {
  test('the client, the token, the language; in reads the filters as a query without empty ones', async () => {
    const { core, transport } = await testCoreServices({ answers: [answer(read, empty)] });
    await core.get(Http).send(read, { current: 2, paramName: '', paramKey: 'x', other: undefined, ascs: 'create_time' });
    const [request] = transport.requests;
    expect(request?.headers).toEqual({ Authorization: `Basic ${btoa('sryx:')}`, 'Accept-Language': 'zh-CN', 'Things-Auth': 'bearer access-1' });
    expect(request?.query).toEqual({ current: '2', paramKey: 'x', ascs: 'create_time' });
    expect(request?.body).toBeUndefined();
  });

  test('in writes the input as JSON and an idempotency key', async () => {
    const { core, transport } = await testCoreServices({ answers: [answer(write, null)] });
    const http = core.get(Http);
    await http.send(write, { name: '' });
    await http.send(write, { name: 'b' });
    await http.send(write, { name: 'c' }, { idempotencyKey: 'mine', headers: { 'X-One': '1' } });
    const keys = transport.requests.map(({ headers }) => headers['Idempotency-Key']);
    expect(transport.requests[0]?.body).toEqual({ json: { name: '' } });
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
    expect(transport.requests[2]?.headers['X-One']).toBe('1');
  });

  test('a short write can outlive its page, others end with it', async () => {
    const { core, transport } = await testCoreServices({ answers: [answer(write, null)] });
    const http = core.get(Http);
    await http.send(write, { name: 'last' }, { keepAlive: true });
    await http.send(write, { name: 'other' });
    expect(transport.requests.map(({ keepAlive }) => keepAlive)).toEqual([true, undefined]);
  });

  test('the token endpoint gets a form, the tenant, no token and no key', async () => {
    const { transport, session } = await testCoreServices({ signedIn: null });
    await session.signIn({ tenantId: '000000', username: 'admin', password: 'secret', captcha: { key: 'k', code: 'c' } });
    const [request] = transport.to(oauth.token);
    expect(request?.body).toEqual({
      form: { grant_type: 'captcha', tenantId: '000000', username: 'admin', password: 'secret', scope: 'all', type: 'account' },
    });
    expect(request?.headers).toMatchObject({ 'Tenant-Id': '000000', 'Captcha-Key': 'k', 'Captcha-Code': 'c' });
    expect(Object.keys(request?.headers ?? {})).not.toContain('Things-Auth');
    expect(Object.keys(request?.headers ?? {})).not.toContain('Idempotency-Key');
  });

  test('a call without a client header does not name the client', async () => {
    const calls = [oauth.captcha, oauth.logout, bladeAuth.clearCache];
    const { core, transport } = await testCoreServices({ answers: [answer(oauth.captcha, { key: '', image: '' }), answer(bladeAuth.clearCache, null)] });
    for (const call of calls) await core.get(Http).send(call as typeof oauth.captcha, {});
    expect(transport.requests.map(({ path, headers }) => [path, headers.Authorization])).toEqual(calls.map(({ path }) => [path, undefined]));
    expect(transport.requests[0]?.headers['Accept-Language']).toBe('zh-CN');
  });

  test('where the deployment disables the client header, only the token endpoint gets the client id, in its body', async () => {
    const { core, transport, session } = await testCoreServices({
      answers: [answer(count, 1)],
      manifest: { clientId: 'acme', requests: { clientHeader: false } },
    });
    await core.get(Http).send(count, {});
    await session.refresh();
    expect(transport.requests.map(({ path, headers }) => [path, headers.Authorization])).toEqual([
      [count.path, undefined],
      [oauth.token.path, undefined],
    ]);
    expect(transport.requests[0]?.query).toEqual({});
    expect(transport.requests[1]?.body).toMatchObject({ form: { client_id: 'acme', grant_type: 'refresh_token' } });
  });

  test('the client id and the language of the deployment and the operator', async () => {
    const { core, transport } = await testCoreServices({ answers: [answer(count, 1)], manifest: { clientId: 'acme', language: 'en' } });
    await core.get(Http).send(count, {});
    expect(core.get(Locale).language).toBe('en');
    expect(transport.requests[0]?.headers).toMatchObject({ Authorization: `Basic ${btoa('acme:')}`, 'Accept-Language': 'en' });
  });
});

describe('http: refusals', () => {
  test('any code other than 200 shows its message and is still returned', async () => {
    const { core, toasts } = await testCoreServices({ answers: [refusal(write, 409, '已存在'), response(count, 500, {})] });
    expect(await core.get(Http).send(write, { name: 'a' })).toEqual({ success: false, code: 409, data: null, msg: '已存在' });
    expect((await core.get(Http).send(count, {})).success).toBe(false);
    expect(toasts.shown).toEqual(['error 已存在', 'error 未知错误']);
  });

  test('a quiet request shows no message', async () => {
    const { core, toasts } = await testCoreServices({ answers: [refusal(write, 409, '已存在')] });
    expect((await core.get(Http).send(write, { name: 'a' }, { quiet: true })).code).toBe(409);
    expect(toasts.shown).toEqual([]);
  });

  test('a whitelisted code rejects and shows no message', async () => {
    const { core, toasts } = await testCoreServices({ answers: [refusal(write, 460, '请确认')], manifest: { statusWhitelist: [460] } });
    await expect(core.get(Http).send(write, { name: 'a' })).rejects.toMatchObject({ fault: 'whitelisted', code: 460, localizedMessage: ['请确认', '请确认'] });
    expect(toasts.shown).toEqual([]);
  });

  test('423 is an event on the bus and shows no message', async () => {
    const { core, toasts, listen } = await testCoreServices({ answers: [refusal(count, 423, '屏幕已锁定')] });
    const paths: string[] = [];
    listen(SessionLocked, ({ path }) => paths.push(path));
    expect((await core.get(Http).send(count, {})).code).toBe(423);
    expect(paths).toEqual([count.path]);
    expect(toasts.shown).toEqual([]);
  });

  test('403 leaves the session alone', async () => {
    const { core, session } = await testCoreServices({ answers: [refusal(count, 403, '请求被拒绝')] });
    await core.get(Http).send(count, {});
    expect(session.user).toBeDefined();
  });
});

describe('http: transport', () => {
  const failing = (fault: TransportFault, times: number, code?: number) => {
    let left = times;
    return script(count, () => {
      if (left-- > 0) throw new TransportError(fault, { code });
      return { status: 200, body: { code: 200, data: 1 } };
    });
  };

  for (const [fault, code] of [['timeout'], ['unreachable'], ['offline'], ['unavailable', 502], ['unavailable', 503], ['unavailable', 504]] as [
    TransportFault,
    number?,
  ][]) {
    test(`a read that meets ${fault} ${code ?? ''} is tried again, twice at most`, async () => {
      skipBackoff();
      const { core, transport } = await testCoreServices({ answers: [failing(fault, 2, code)] });
      expect((await core.get(Http).send(count, {})).data).toBe(1);
      transport.answer(failing(fault, 3, code));
      await expect(core.get(Http).send(count, {})).rejects.toMatchObject({ fault });
      expect(transport.requests.length).toBe(6);
    });
  }

  test('a status of 501 is not retried', async () => {
    const { core, transport } = await testCoreServices({ answers: [failing('unavailable', 1, 501)] });
    await expect(core.get(Http).send(count, {})).rejects.toMatchObject({ code: 501 });
    expect(transport.requests.length).toBe(1);
  });

  test('a write is retried with the same key', async () => {
    skipBackoff();
    let tries = 0;
    const { core, transport } = await testCoreServices({
      answers: [
        script(write, () => {
          if (tries++ === 0) throw new TransportError('timeout');
          return { status: 200, body: { code: 200, data: null } };
        }),
      ],
    });
    expect((await core.get(Http).send(write, { name: 'a' })).success).toBe(true);
    const keys = transport.requests.map(({ headers }) => headers['Idempotency-Key']);
    expect(keys.length).toBe(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('a sign-in is never retried', async () => {
    const { transport, session, toasts } = await testCoreServices({
      signedIn: null,
      answers: [
        script(oauth.token, () => {
          throw new TransportError('timeout');
        }),
      ],
    });
    expect(await session.signIn({ tenantId: '000000', username: 'a', password: 'b' })).toEqual({ success: false, message: '请求超时，请稍后再试' });
    expect(transport.requests.length).toBe(1);
    expect(toasts.shown).toEqual(['error 请求超时，请稍后再试']);
  });

  test('a cancelled request rejects at once, also between two tries, and is not in the error log', async () => {
    const { core, transport } = await testCoreServices({ answers: [script(read, () => new Promise(() => undefined)), failing('unreachable', 9)] });
    const controller = new AbortController();
    const hanging = core.get(Http).send(read, {}, { signal: controller.signal });
    const waiting = core.get(Http).send(count, {}, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ fault: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ fault: 'cancelled' });
    await expect(core.get(Http).send(count, {}, { signal: controller.signal })).rejects.toMatchObject({ fault: 'cancelled' });
    expect(transport.to(count).length).toBe(1);
    expect(core.get(ErrorLog).entries).toEqual([]);
  });

  test('failures of the server or the network are recorded, refusals are not', async () => {
    const { core } = await testCoreServices({ answers: [refusal(write, 400, 'no'), refusal(count, 500, '服务器异常')] });
    await core.get(Http).send(write, { name: 'a' });
    await core.get(Http).send(count, {});
    expect(core.get(ErrorLog).entries.map(({ type, info }) => [type, info])).toEqual([['request', 'GET /api/test/count']]);
  });
});

describe('http: 401', () => {
  const byToken = (good: string) =>
    script(count, ({ headers }) =>
      headers['Things-Auth'] === `bearer ${good}` ? { status: 200, body: { code: 200, data: 1 } } : { status: 401, body: { code: 401, msg: '请求未授权' } },
    );

  test('twenty refused requests share one refresh and succeed', async () => {
    const { core, transport, toasts } = await testCoreServices({ answers: [byToken('access-2')] });
    transport.answer(answer(oauth.token, tokenReply(2)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => core.get(Http).send(count, {})));
    expect(answers.every(({ success }) => success)).toBe(true);
    expect(transport.to(oauth.token).map(inputOf)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'refresh-1', tenantId: '000000', scope: 'all' }]);
    expect(transport.to(count).length).toBe(40);
    expect(toasts.shown).toEqual([]);
  });

  test('a refused refresh ends the session once, with one message, for twenty requests', async () => {
    const { core, transport, toasts, session, listen } = await testCoreServices({ answers: [byToken('none')] });
    transport.answer(response(oauth.token, 400, { error: 'invalid_grant', error_description: '登录已过期，请重新登录' }));
    const reasons: string[] = [];
    listen(SignedOut, ({ reason }) => reasons.push(reason));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => core.get(Http).send(count, {})));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.success)).toEqual([]);
    expect(reasons).toEqual(['refused']);
    expect(toasts.shown).toEqual(['error 请求未授权']);
    expect(session.accessToken).toBe('');
    expect(transport.to(oauth.token).length).toBe(1);
  });

  test('a token that is refused even when fresh ends the session after one more try', async () => {
    const { core, transport, session } = await testCoreServices({ answers: [byToken('none')] });
    transport.answer(answer(oauth.token, tokenReply(2)));
    expect((await core.get(Http).send(count, {})).code).toBe(401);
    expect(transport.to(count).length).toBe(2);
    expect(session.user).toBeUndefined();
  });

  test('a late 401 for a replaced token is retried without a refresh', async () => {
    const { core, transport, session } = await testCoreServices();
    let release: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    transport.answer(
      script(count, async ({ headers }) => {
        if (headers['Things-Auth'] === 'bearer access-2') return { status: 200, body: { code: 200, data: 1 } };
        await late;
        return { status: 401, body: { code: 401, msg: '请求未授权' } };
      }),
      answer(oauth.token, tokenReply(2)),
    );
    const asked = core.get(Http).send(count, {});
    expect(await session.refresh()).toBe(true);
    release();
    expect((await asked).success).toBe(true);
    expect(transport.to(oauth.token).length).toBe(1);
  });

  test('when the state of the session is unknown, the request fails and the session stays', async () => {
    const { core, transport, session } = await testCoreServices({ answers: [byToken('none')] });
    transport.answer(
      script(oauth.token, () => {
        throw new TransportError('unreachable');
      }),
    );
    await expect(core.get(Http).send(count, {})).rejects.toMatchObject({ fault: 'unreachable' });
    transport.answer(response(oauth.token, 503, {}));
    await expect(core.get(Http).send(count, {})).rejects.toMatchObject({ fault: 'unavailable' });
    expect(session.accessToken).toBe('access-1');
  });

  test('a 401 of an open call does not affect the session', async () => {
    const { core, session } = await testCoreServices({ answers: [refusal(oauth.captcha, 401, '客户端认证失败')] });
    expect((await core.get(Http).send(oauth.captcha, {})).code).toBe(401);
    expect(session.user).toBeDefined();
  });

  test('an answer for the previous user is dropped', async () => {
    const { core, transport, session } = await testCoreServices();
    let release: () => void = () => undefined;
    transport.answer(
      script(
        param.list,
        () =>
          new Promise((resolve) => {
            release = () => resolve({ status: 200, body: { code: 200, data: empty } });
          }),
      ),
    );
    const asked = core.get(Http).send(param.list, {});
    await session.signOut();
    release();
    await expect(asked).rejects.toMatchObject({ fault: 'cancelled' });
    expect(core.get(Session).user).toBeUndefined();
  });
});

describe('http: a call that requires a fresh proof of identity', () => {
  const waiting = async () => {
    const { core, transport, toasts } = await testCoreServices({ answers: [refusal(write, 428, '请先验证身份')] });
    const prompt = core.get(ProofPrompt);
    const opened: boolean[] = [];
    const subscription = prompt.isOpen$.subscribe((isOpen) => opened.push(isOpen));
    onTestFinished(() => subscription.unsubscribe());
    const sent = Promise.all([core.get(Http).send(write, { name: 'a' }), core.get(Http).send(write, { name: 'b' })]);
    await rs.waitFor(() => expect(transport.requests).toHaveLength(2));
    await rs.waitFor(() => expect(opened).toEqual([false, true]));
    return { transport, toasts, prompt, sent };
  };

  test('is sent again with its key once the user has confirmed, and one dialog serves all calls', async () => {
    const { transport, toasts, prompt, sent } = await waiting();
    transport.answer(answer(write, null));
    prompt.close(true);
    expect((await sent).map(({ success }) => success)).toEqual([true, true]);
    const [first, second, ...again] = transport.requests.map(({ headers, body }) => ({ key: headers['Idempotency-Key'], body }));
    expect(again).toHaveLength(2);
    expect(again).toEqual(expect.arrayContaining([first, second]));
    expect(toasts.shown).toEqual([]);
  });

  test('is refused without a toast when the user cancels', async () => {
    const { transport, toasts, prompt, sent } = await waiting();
    prompt.close(false);
    expect((await sent).map(({ code }) => code)).toEqual([428, 428]);
    expect(transport.requests).toHaveLength(2);
    expect(toasts.shown).toEqual([]);
  });
});
