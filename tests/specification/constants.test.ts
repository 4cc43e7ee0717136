import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { manifest, plugins } from '#deployment/server';
import { JobInfo } from '#plugins/job/contract';
import { wireFormats } from '#shared/formats';
import { isEmpty, isHttpUrl } from '#shared/text';
import { pageSizes } from '../../src/kernel/crud/model/list-query.ts';
import { AxiosTransport } from '../../src/kernel/platform/http/axios-transport.ts';
import { themes } from '../../src/kernel/platform/theme/themes.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../support/test-server.ts';

/** Replays the constants and limits that the product's specification states. */
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins });
  headers = await server.signIn();
});
afterAll(() => server.stop());

test('a page has ten rows unless 10, 30, 50, 100 or 200 are chosen', async () => {
  expect(pageSizes).toEqual([10, 30, 50, 100, 200]);
  for (const size of [undefined, ...pageSizes]) {
    const { data } = await server.get('/api/blade-log/api/list', { headers, query: size ? { size: String(size) } : {} });
    expect(data.size).toBe(size ?? 10);
  }
});

test('a call times out after 10,000 ms, accepts statuses from 200 to 500 as answers and sends credentials', async () => {
  const transport = new AxiosTransport() as unknown as { loadedClient(): Promise<{ defaults: Record<string, unknown> }> };
  const { defaults } = await transport.loadedClient();
  expect(defaults).toMatchObject({ timeout: 10_000, withCredentials: true });
  const isAnswer = defaults.validateStatus as (status: number) => boolean;
  expect([199, 200, 404, 500, 501].filter(isAnswer)).toEqual([200, 404, 500]);
});

test('requests carry the client’s basic authorization and a bearer token', async () => {
  expect(clientHeaders.authorization).toMatch(/^Basic /);
  expect(await server.get('/api/blade-system/user/info', { headers: { ...clientHeaders, ...headers } })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/user/info', { headers: clientHeaders })).toMatchObject({ code: 401 });
});

test('the deployment starts in Chinese on the default theme, with its token time, its home page and its modes', () => {
  expect(manifest).toMatchObject({
    language: 'zh',
    theme: 'theme-default',
    tokenTime: 3000,
    homePath: '/wel/index',
    modes: { tenant: false, switch: false, debug: false },
  });
  expect(manifest.clientId ?? 'sryx').toBe('sryx');
  expect(manifest.storagePrefix).not.toBe('');
  expect(themes[manifest.theme as keyof typeof themes].accent).toBe('#409EFF');
  expect(Object.keys(themes).map((name) => name.replace('theme-', ''))).toEqual('default white dark star bule iview vip cool d2 hey lte'.split(' '));
});

test('without a tenant a user signs in to 000000', async () => {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    headers: clientHeaders,
    query: { grant_type: 'password', username: 'admin', password },
  });
  expect(reply.json()).toMatchObject({ tenant_id: '000000' });
});

test('a phone number has eleven digits and is no landline', () => {
  const numbers = ['13800000000', '1380000000', '138000000000', '01012345678', ''];
  expect(numbers.filter((number) => wireFormats.phone?.(number))).toEqual(['13800000000']);
});

test('an address is absolute where it begins with http or https; null, the words for it and empty lists and objects are empty, booleans and numbers never', () => {
  expect(['http://a.example', 'https://a.example', '/a', 'ftp://a.example'].map(isHttpUrl)).toEqual([true, true, false, false]);
  expect([null, '', 'null', 'undefined', [], {}].map(isEmpty)).toEqual([true, true, true, true, true, true]);
  expect([0, 1, false, true, 'x', [0], { a: 1 }].map(isEmpty)).toEqual([false, false, false, false, false, false, false]);
});

test('rows are filtered by createTime_dategt and createTime_datelt', async () => {
  const total = async (query: Record<string, string>) => (await server.get('/api/blade-system/post/list', { headers, query })).data.total;
  await server.post('/api/blade-system/post/submit', { category: 1, postCode: 'sample', postName: '样例岗位', sort: 1 }, { headers });
  expect(await total({ createTime_dategt: '2999-01-01 00:00:00' })).toBe(0);
  expect(await total({ createTime_datelt: '1999-01-01 00:00:00' })).toBe(0);
  expect(await total({ createTime_dategt: '1999-01-01 00:00:00', createTime_datelt: '2999-01-01 00:00:00' })).toBeGreaterThan(0);
});

describe('jobs', () => {
  const field = (name: keyof typeof JobInfo.fields) => JobInfo.fields[name] as unknown as { enum?: number[]; default?: number };

  test('have these enumerations with these defaults', () => {
    const enumerations = {
      timeExpressionType: [[1, 2, 3, 4, 5], 2],
      executeType: [[1, 2, 3], 1],
      processorType: [[1, 4], 1],
      dispatchStrategy: [[1, 2], 1],
      logType: [[1, 2, 3, 4, 999], 1],
      logLevel: [[1, 2, 3, 4, 99], 2],
      enable: [[0, 1], 1],
    } as const;
    for (const [name, [values, preset]] of Object.entries(enumerations))
      expect({ name, ...field(name as keyof typeof JobInfo.fields) }).toMatchObject({ name, enum: values, default: preset });
  });

  test('have these defaults', () => {
    const presets = {
      maxInstanceNum: 0,
      concurrency: 5,
      instanceTimeLimit: 0,
      instanceRetryNum: 0,
      taskRetryNum: 0,
      minCpuCores: 0,
      minMemorySpace: 0,
      minDiskSpace: 0,
      maxWorkerCount: 0,
      alertThreshold: 0,
      statisticWindowLen: 0,
      silenceWindowLen: 0,
    } as const;
    expect(Object.fromEntries(Object.keys(presets).map((name) => [name, field(name as keyof typeof presets).default]))).toEqual(presets);
  });

  test('take those defaults where a form leaves them out', async () => {
    const application = await server.post('/api/blade-job/job-server/submit', { jobServerName: '样例', jobAppName: 'constants' }, { headers });
    const form = { jobServerId: application.data.id, jobName: '样例', timeExpressionType: 1, processorInfo: 'job:clean-runs', enable: 0 };
    const { data } = await server.post('/api/blade-job/job-info/submit', form, { headers });
    expect(data).toMatchObject({ executeType: 1, processorType: 1, dispatchStrategy: 1, logType: 1, logLevel: 2, concurrency: 5, maxInstanceNum: 0 });
  });
});
