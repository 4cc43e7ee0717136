import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const clientPath = '/api/blade-system/client';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const form = { clientId: 'reports', authorizedGrantTypes: ['password', 'refresh_token'], accessTokenValidity: 120, refreshTokenValidity: 600 };
const submit = (change: object = {}) => server.post(`${clientPath}/submit`, { ...form, ...change }, { headers });
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });
const token = (client: Record<string, string>, input: object = {}) =>
  server.post('/api/things-auth/oauth/token', { grant_type: 'password', username: 'admin', password, ...input }, { headers: client });

test('the secret of a new client is shown once, works at once, and is stored as a hash', async () => {
  const { data } = await submit();
  const { id, clientSecret } = data;
  expect(clientSecret).toMatch(/^[\w-]{43}$/);
  expect((await token(basic('reports', clientSecret))).body).toMatchObject({ expires_in: 120 });
  expect((await server.get(`${clientPath}/detail`, { headers, query: { id } })).data).not.toHaveProperty('clientSecret');
  expect(JSON.stringify((await server.get(`${clientPath}/list`, { headers })).data)).not.toMatch(/secret/i);
  const tables = await server.sql(`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
  for (const { name } of tables) expect(await server.sql(`select 1 from ${name} t where t::text like '%${clientSecret}%'`), String(name)).toEqual([]);

  const rotated = (await server.post(`${clientPath}/reset-secret`, { id }, { headers })).data;
  expect(rotated.clientId).toBe('reports');
  expect((await token(basic('reports', clientSecret))).body).toMatchObject({ error: 'invalid_client' });
  expect((await token(basic('reports', rotated.clientSecret))).body.access_token).toBeTruthy();
  expect((await submit({ id, accessTokenValidity: 300 })).data).not.toHaveProperty('clientSecret');
  expect((await token(basic('reports', rotated.clientSecret))).body).toMatchObject({ expires_in: 300 });
});

test('a secret that the form contains is stored as a hash, neither returned nor logged, and refused if it is weak', async () => {
  const sent = 'Lantern+Street-88';
  const { data } = await submit({ clientId: 'moved', clientSecret: sent });
  expect(data).not.toHaveProperty('clientSecret');
  expect((await token(basic('moved', sent))).body.access_token).toBeTruthy();
  const [row] = await server.sql(`select t::text as text from client t where client_id = 'moved'`);
  expect(row?.text).not.toContain(sent);
  const logged = () => server.sql("select t::text as text from api_log t where params like '%moved%'");
  await expect.poll(logged).toHaveLength(1);
  expect(JSON.stringify(await logged())).not.toContain('Lantern');

  // An edit without a secret keeps it, an edit with one replaces it.
  await submit({ id: data.id, clientId: 'moved', clientSecret: '' });
  expect((await token(basic('moved', sent))).body.access_token).toBeTruthy();
  await submit({ id: data.id, clientId: 'moved', clientSecret: 'Harbour+Street-99' });
  expect((await token(basic('moved', sent))).body).toMatchObject({ error: 'invalid_client' });
  expect((await token(basic('moved', 'Harbour+Street-99'))).body.access_token).toBeTruthy();
  for (const clientSecret of ['short-one', '111111111111111', 'password1234', '密钥密钥密钥密钥密钥密钥密钥', 'has a space inside'])
    expect(await submit({ clientId: 'weak', clientSecret }), clientSecret).toMatchObject({ status: 400, body: { field: 'clientSecret' } });
  expect(await server.post(`${clientPath}/bulk-submit`, { ids: [data.id], values: { clientSecret: sent } }, { headers })).toMatchObject({ status: 400 });
});

test('an empty flag is stored as false', async () => {
  expect((await submit({ clientId: 'plain', autoapprove: '', isPublic: '' })).data).toMatchObject({ autoapprove: false, isPublic: false });
});

test('a removed grant type is refused from then on, and comma-separated text is accepted as a list', async () => {
  const { data } = await submit({ clientId: 'narrow', authorizedGrantTypes: 'password,refresh_token' });
  const credentials = basic('narrow', data.clientSecret);
  expect(data.authorizedGrantTypes).toBe('password,refresh_token');
  const { body } = await token(credentials);
  await submit({ id: data.id, clientId: 'narrow', authorizedGrantTypes: ['password'] });
  expect((await token(credentials, { grant_type: 'refresh_token', refresh_token: body.refresh_token })).body).toMatchObject({ error: 'invalid_grant' });
  expect(await submit({ clientId: 'odd', authorizedGrantTypes: ['client_credentials'] })).toMatchObject({ status: 400 });
  expect(await submit({ clientId: 'narrow' })).toMatchObject({ status: 409, msg: '应用标识已存在' });
});

test('automatic approval is accepted as text, of which empty text means false', async () => {
  for (const [sent, stored] of [
    ['true', true],
    ['false', false],
    ['', false],
  ] as const) {
    const { data, status } = await submit({ clientId: `approve-${sent || 'empty'}`, autoapprove: sent });
    expect({ sent, status, stored: data?.autoapprove }).toEqual({ sent, status: 200, stored });
    if (stored) expect((await submit({ id: data.id, clientId: data.clientId, autoapprove: '' })).data.autoapprove).toBe(false);
  }
  expect((await submit({ clientId: 'approve-odd', autoapprove: 'perhaps' })).status).toBe(400);
});

test('the sessions of a deleted client end on the next request', async () => {
  const { data } = await submit({ clientId: 'leaving' });
  const { body } = await token(basic('leaving', data.clientSecret));
  const ownHeaders = { 'things-auth': `bearer ${body.access_token}` };
  expect(await server.get('/api/things-system/menu/routes', { headers: ownHeaders })).toMatchObject({ code: 200 });
  expect(await server.post(`${clientPath}/remove`, { ids: [data.id] }, { headers })).toMatchObject({ code: 200 });
  expect(await server.get('/api/things-system/menu/routes', { headers: ownHeaders })).toMatchObject({ status: 401 });
  expect(await server.get('/api/things-system/menu/routes', { headers })).toMatchObject({ code: 200 });
});

test('a redirect address must be complete, and is compared exactly', async () => {
  for (const webServerRedirectUri of [
    'reports.test/back',
    'javascript:alert(1)',
    'https://*.test/back',
    'https://reports.test/back#here',
    'https://ok.test/a,nonsense',
  ])
    expect(await submit({ clientId: 'wide', webServerRedirectUri })).toMatchObject({ status: 400, body: { field: 'webServerRedirectUri' } });
  const both = 'https://reports.test/back,http://localhost:8080/back';
  expect((await submit({ clientId: 'wide', authorizedGrantTypes: ['authorization_code'], webServerRedirectUri: both })).data.webServerRedirectUri).toBe(both);
  const requestConsent = (redirect_uri: string) =>
    server.get('/api/blade-auth/oauth/consent', { headers, query: { client_id: 'wide', response_type: 'code', redirect_uri } });
  expect(await requestConsent('https://reports.test/back')).toMatchObject({ code: 200 });
  for (const other of ['https://reports.test/back/', 'https://reports.test/back?x=1', 'https://REPORTS.test/back'])
    expect(await requestConsent(other)).toMatchObject({ status: 400, msg: '回调地址未登记' });
});

test('a change that would make the console’s own client unusable is refused', async () => {
  const [own] = (await server.get(`${clientPath}/list`, { headers, query: { clientId_equal: 'sryx' } })).data.records;
  const refused = { status: 409, msg: '这会使控制台无法登录' };
  expect(await server.post(`${clientPath}/remove`, { ids: [own.id] }, { headers })).toMatchObject(refused);
  expect(await server.post(`${clientPath}/bulk-submit`, { ids: [own.id], values: { isPublic: false } }, { headers })).toMatchObject(refused);
  const { authorizedGrantTypes } = own;
  for (const change of [{ clientId: 'other' }, { isPublic: false }, { authorizedGrantTypes: ['password'] }])
    expect(await submit({ id: own.id, clientId: 'sryx', isPublic: true, authorizedGrantTypes, ...change })).toMatchObject(refused);
  expect(await submit({ id: own.id, clientId: 'sryx', isPublic: true, authorizedGrantTypes, accessTokenValidity: 1800 })).toMatchObject({ code: 200 });
  expect((await token(clientHeaders)).body).toMatchObject({ expires_in: 1800 });
});
