import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const submit = (body: unknown) => server.post(ledger.submit.path, body, { headers });
const raw = (payload: string | Buffer, type: string, url = ledger.submit.path) =>
  server.app.inject({ method: 'POST', url, payload, headers: { ...headers, 'content-type': type } });

test('a valid submit is coerced to its schema and stripped of unknown fields', async () => {
  const reply = await submit({ title: 'rent', amount: '7', kind: '', note: '', isAdmin: 1, tenantId: '999999', createTime: '2020-01-01 00:00:00' });
  expect(reply).toMatchObject({ status: 200, code: 200, success: true, msg: '新增成功' });
  expect(reply.data).toEqual({ title: 'rent', amount: 7, kind: null, note: '' });
});

test('an id as text, number or empty value is accepted with its meaning', async () => {
  expect((await submit({ id: '5', title: 'a', amount: 1 })).data.id).toBe('5');
  expect((await submit({ id: 5, title: 'a', amount: 1 })).data.id).toBe('5');
  for (const id of ['', null]) expect((await submit({ id, title: 'a', amount: 1 })).data).not.toHaveProperty('id');
});

test.each([
  [{ amount: 1 }, '请输入标题', 'Title is required'],
  [{ title: '   ', amount: 1 }, '请输入标题', 'Title is required'],
  [{ title: 'a' }, '请输入金额', 'Amount is required'],
  [{ title: 'a', amount: null }, '请输入金额', 'Amount is required'],
  [{ title: 'nine chars', amount: 1 }, '标题不能超过8个字符', 'Title can have up to 8 characters'],
  [{ title: 'a', amount: 101 }, '金额须在0到100之间', 'Amount must be between 0 and 100'],
  [{ title: 'a', amount: 'many' }, '金额须为整数', 'Amount must be an integer'],
  [{ title: 'a', amount: 1.5 }, '金额须为整数', 'Amount must be an integer'],
  [{ title: 'a', amount: 1, kind: 3 }, '类别不是可选的值', 'Kind is not one of the options'],
  [{ title: 'a', amount: 1, due: 'tomorrow' }, '到期格式不正确', 'Due has an invalid format'],
])('%j is refused with the message of its first invalid field', async (body, chinese, english) => {
  expect(await submit(body)).toMatchObject({ status: 400, code: 400, success: false, data: null, msg: chinese });
  expect((await server.post(ledger.submit.path, body, { headers: { ...headers, 'accept-language': 'en' } })).msg).toBe(english);
});

test.each([
  [{ id: '9223372036854775808' }],
  [{ id: '12x' }],
  [{ id: { $ne: 1 } }],
  [{ id: 2 ** 53 }],
  [{ due: '2026-02-30 00:00:00' }],
  [{ title: ['a', 'b'] }],
  [{ title: { a: 1 } }],
  [{ note: 'a\0b' }],
  [{ amount: [] }],
])('%j is a 400', async (wrong) => {
  const { status, code, success } = await submit({ title: 'a', amount: 1, ...wrong });
  expect({ status, code, success }).toEqual({ status: 400, code: 400, success: false });
});

test('malformed, poisoned and scalar bodies are a 400', async () => {
  for (const body of ['{', '[1', '"text"', '12', 'null x', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"title":"\\ud800"', '[]']) {
    const reply = await raw(body, 'application/json');
    expect({ body, status: reply.statusCode, code: reply.json().code }).toEqual({ body, status: 400, code: 400 });
  }
  expect(({} as { a?: number }).a).toBeUndefined();
});

test('an empty JSON body with parameters in the query is fine', async () => {
  for (const body of ['', '  ']) {
    const reply = await raw(body, 'application/json', `${ledger.submit.path}?title=rent&amount=7`);
    expect(reply.json().data).toEqual({ title: 'rent', amount: 7 });
  }
});

test('a deeply nested body is refused, not a crash', async () => {
  const reply = await raw(`{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'application/json');
  expect(reply.statusCode).toBe(400);
});

test('a body of 2 MB is 413, before it is read and for any caller', async () => {
  const reply = await raw(JSON.stringify({ title: 'x'.repeat(2 * 1024 * 1024) }), 'application/json');
  expect({ status: reply.statusCode, code: reply.json().code }).toEqual({ status: 413, code: 413 });
  const form = await raw(`title=${'x'.repeat(2 * 1024 * 1024)}`, 'application/x-www-form-urlencoded');
  expect(form.statusCode).toBe(413);
});

test('unsupported media types are 415; unusual spellings of JSON are read as JSON or refused', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json\t',
    'application/json\tx',
    ' application/json a',
    'application/jsonx',
  ]) {
    const { statusCode } = await raw('{"title":"toolongtitle","amount":1}', type);
    expect({ type, refused: statusCode === 400 || statusCode === 415 }).toEqual({ type, refused: true });
  }
});

test('ids are accepted as comma-separated text, repeated, as a list, in query, form or body', async () => {
  const remove = (url: string, payload?: unknown, type = 'application/json') =>
    server.app
      .inject({ method: 'POST', url: ledger.remove.path + url, headers: { ...headers, 'content-type': type }, payload: payload as string })
      .then((reply) => reply.json().data?.ids ?? reply.statusCode);
  expect(await remove('?ids=1,2')).toEqual(['1', '2']);
  expect(await remove('?ids=1&ids=2')).toEqual(['1', '2']);
  expect(await remove('', 'ids=1%2C2', 'application/x-www-form-urlencoded')).toEqual(['1', '2']);
  expect(await remove('', { ids: ['1', 2] })).toEqual(['1', '2']);
  expect(await remove('', { ids: '7' })).toEqual(['7']);
  for (const wrong of [{ ids: '' }, { ids: [] }, { ids: ['x'] }, { ids: [null] }, {}]) expect(await remove('', wrong)).toBe(400);
});

test('a repeated single parameter, an unsafe name or NUL in a query is a 400', async () => {
  const list = (query: string) => server.app.inject({ method: 'GET', url: `${ledger.list.path}?${query}`, headers }).then(({ statusCode }) => statusCode);
  for (const query of [
    'size=1&size=2',
    'title=a&title=b',
    '__proto__=1',
    'constructor=1',
    'title=%00',
    'size=many',
    'current=0',
    'size=1e3x',
    'title[]=1&title[]=2',
  ]) {
    expect({ query, status: await list(query) }).toEqual({ query, status: 400 });
  }
  for (const query of ["title=' or 1=1 --", 'size=100000', 'a=1', '%E0%A4%A', '']) {
    expect({ query, fine: [200, 400].includes(await list(query)) }).toEqual({ query, fine: true });
  }
});

test('paths that only look like a call are not one', async () => {
  const { path } = ledger.list;
  for (const url of [
    `/${path}`,
    path.replace('/ledger', '//ledger'),
    `${path};x=1`,
    path.replaceAll('/', '%2F'),
    `${path}/`,
    path.toUpperCase(),
    `${path}%00`,
    path.replace('list', 'x/../list'),
  ]) {
    const reply = await server.app.inject({ method: 'GET', url, headers });
    expect({ url, unserved: reply.statusCode === 404 || reply.statusCode === 400 || url.includes('..') }).toEqual({ url, unserved: true });
  }
});

test('an address that cannot be decoded is a 400 in the envelope', async () => {
  const reply = await server.app.inject({ method: 'GET', url: '/api/%zz', headers });
  expect({ status: reply.statusCode, code: reply.json().code }).toEqual({ status: 400, code: 400 });
});

test('an unknown address is 404 and a wrong method 405, both in the envelope', async () => {
  expect(await server.get('/api/none/such', { headers })).toMatchObject({ status: 404, code: 404, msg: '404 没找到请求' });
  const wrong = await server.get(ledger.submit.path, { headers });
  expect(wrong).toMatchObject({ status: 405, code: 405, success: false });
  expect(wrong.headers.allow).toBe('POST');
});

test('an unexpected failure is a 500 with its request id and nothing else', async () => {
  const reply = await server.get(ledger.broken.path);
  expect(reply.body).toEqual({ code: 500, success: false, data: null, msg: '服务器异常', requestId: reply.headers['x-request-id'] });
});

test('data that is null is reported as missing, and still a success', async () => {
  expect((await server.get(ledger.empty.path)).body).toEqual({ code: 200, success: true, data: null, msg: '暂无承载数据' });
});

test('a property the reply schema does not name never leaves the server', async () => {
  const { data } = await server.post(ledger.add.path, { text: 'one' }, { headers });
  expect(Object.keys(data)).toEqual(['count']);
});
