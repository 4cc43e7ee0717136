import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { exportJWK, SignJWT } from 'jose';
import { type GroupsIssuer, groupsIssuer } from '../../../support/real-issuer.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { addProvider, addRole, isAlive, mapGroup, providerPath, recheckSessions, redeem, roleIdsOf, sessionOf } from '../provider-fixtures.ts';

const web = 'https://console.test';
const secret = 'a secret between the issuer and the console';
const logoutPath = '/api/blade-auth/oauth/backchannel-logout';
const tenants = ['000000', 'north'] as const;
type Tenant = (typeof tenants)[number];

interface TenantProvider {
  readonly id: string;
  readonly source: string;
  readonly issuer: GroupsIssuer;
  /** Ids of the roles to which the groups of these names are mapped. */
  readonly staff: string;
  readonly editors: string;
}

let server: TestServer;
const providers = new Map<Tenant, TenantProvider>();
const providerOf = (tenant: Tenant) => providers.get(tenant) as TenantProvider;

/** Posts a logout token to the server, as an issuer does. */
const postLogoutToken = (provider: string, token: string) =>
  server.app.inject({
    method: 'POST',
    url: `${logoutPath}?provider=${provider}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'console.test' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  });
const sentTokens: string[] = [];

beforeAll(async () => {
  server = await openTestServer({
    plugins: ['organization', 'session', 'social-sign-in', 'registration', 'webhooks'],
    environment: { PUBLIC_URL: web, EGRESS_ALLOW: '127.0.0.1' },
    timeScale: 50,
  });
  await server.createTenant('north');
  await server.createUser({
    account: 'admin',
    tenantId: 'north',
    roleAlias: 'admin',
    codes: ['identity_provider', 'identity_provider_add', 'identity_provider_edit', 'identity_provider_group', 'identity_provider_group_add'],
  });
  for (const tenant of tenants) {
    const admin = await server.signIn('admin', tenant);
    // The issuer needs the id of its provider before that is added, so the provider gets a chosen id afterwards.
    const id = String(1_000_000_000 + tenants.indexOf(tenant));
    const source = `idp${id}`;
    const issuer = await groupsIssuer(
      { id: 'console', secret, redirectUri: `${web}/oauth/redirect/${source}` },
      {
        logoutUri: `${web}${logoutPath}?provider=${id}`,
        inUserInfo: tenant === 'north',
        deliver: async (_url, body) => {
          const token = new URLSearchParams(body).get('logout_token') ?? '';
          sentTokens.push(token);
          return (await postLogoutToken(id, token)).statusCode;
        },
      },
    );
    for (const person of ['ada', 'bob', 'cleo', 'dan', 'fay', 'gus', 'hal', 'ida'])
      issuer.people.set(person, {
        name: person.toUpperCase(),
        preferred_username: person,
        email: `${person}@company.test`,
        email_verified: true,
        groups: ['staff'],
      });
    const required = { name: `Login of ${tenant}`, kind: 'oidc', issuer: issuer.issuer, clientId: 'console', clientSecret: secret };
    const optional = { scopes: 'openid profile email offline_access', createsAccounts: true };
    const added = await addProvider(server, admin, { ...required, ...optional });
    await server.sql(`update identity_provider set id = ${id} where id = ${added}`);
    const roles = { staff: await addRole(server, 'staff', tenant), editors: await addRole(server, 'editors', tenant) };
    for (const name of ['staff', 'editors'] as const) await mapGroup(server, admin, { providerId: id, groupName: name, roleId: roles[name] });
    providers.set(tenant, { id, source, issuer, ...roles });
  }
});
afterAll(async () => {
  await server.stop();
  for (const { issuer } of providers.values()) await issuer.stop();
});

/** Signs in at the issuer of a tenant and returns the cookie and the query with which the browser comes back. */
async function signInAtIssuer(tenant: Tenant, person: string) {
  const { source, issuer } = providerOf(tenant);
  const reply = await server.get('/api/blade-auth/oauth/render/provider', { query: { source, tenantId: tenant } });
  expect(reply.status).toBe(302);
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const back = await issuer.signIn(String(reply.headers.location), person);
  expect(back.origin + back.pathname).toBe(`${web}/oauth/redirect/${source}`);
  return { cookie, query: { tenantId: tenant, source, ...Object.fromEntries(back.searchParams) } };
}
const signInThroughIssuer = async (tenant: Tenant, person: string) => redeem(server, await signInAtIssuer(tenant, person));

test('each tenant offers its own issuer by name, and only to its own users', async () => {
  for (const tenant of tenants) {
    const { data } = await server.get('/api/things-auth/oauth/ways', { query: { tenantId: tenant } });
    expect(data.providers).toEqual([{ source: providerOf(tenant).source, name: `Login of ${tenant}`, kind: 'redirect' }]);
  }
  const crossed = await server.get('/api/blade-auth/oauth/render/provider', { query: { source: providerOf('north').source, tenantId: '000000' } });
  expect(crossed).toMatchObject({ status: 400, msg: '未开通该登录方式' });
});

test('two issuers sign their users in to their own tenants, with claims in the ID token or from the UserInfo endpoint', async () => {
  for (const tenant of tenants) {
    const reply = await signInThroughIssuer(tenant, 'ada');
    expect(reply).toMatchObject({ status: 200, body: { account: 'ada', tenant_id: tenant, real_name: 'ADA' } });
    expect(await roleIdsOf(server, 'ada', tenant)).toEqual([providerOf(tenant).staff]);
  }
});

test('a code of one issuer cannot be redeemed as a code of another', async () => {
  const { cookie, query } = await signInAtIssuer('north', 'ada');
  const stale = { status: 400, body: { error_description: '登录请求已失效，请重新发起' } };
  expect(await redeem(server, { cookie, query: { ...query, source: providerOf('000000').source } })).toMatchObject(stale);
  expect((await redeem(server, { cookie, query: { ...query, tenantId: '000000' } })).body).toMatchObject({ tenant_id: 'north' });
});

test('a user who has left a group loses its role at the next sign-in, and keeps a role that an administrator has granted', async () => {
  const { issuer, staff, editors } = providerOf('000000');
  const person = issuer.people.get('bob');
  if (!person) throw new Error('Bob is missing.');
  person.groups = ['staff', 'editors', 'unknown'];
  const { body } = await signInThroughIssuer('000000', 'bob');
  expect(await roleIdsOf(server, 'bob')).toEqual([staff, editors].sort());
  const granted = await addRole(server, 'granted');
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${body.user_id}, ${granted})`);
  person.groups = ['staff'];
  await signInThroughIssuer('000000', 'bob');
  expect(await roleIdsOf(server, 'bob')).toEqual([staff, granted].sort());
  const changes = await server.sql(`select 1 from record_change where entity = 'user_account' and record_id = ${body.user_id}`);
  expect(changes).toHaveLength(2);
});

test('a user who has left a group loses its role during a live session, and without any mapped group the session ends', async () => {
  const { issuer, staff, editors } = providerOf('000000');
  const person = issuer.people.get('dan');
  if (!person) throw new Error('Dan is missing.');
  person.groups = ['staff', 'editors'];
  const session = sessionOf(await signInThroughIssuer('000000', 'dan'));
  expect(await roleIdsOf(server, 'dan')).toEqual([staff, editors].sort());
  person.groups = ['staff'];
  await recheckSessions(server);
  expect(await roleIdsOf(server, 'dan')).toEqual([staff]);
  expect(await isAlive(server, session)).toBe(true);
  person.groups = [];
  await recheckSessions(server);
  expect(await roleIdsOf(server, 'dan')).toEqual([]);
  expect(await isAlive(server, session)).toBe(false);
});

test('a revoked refresh token ends the sessions of the account, and the login log says so', async () => {
  const session = sessionOf(await signInThroughIssuer('000000', 'cleo'));
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(true);
  const [stored] = await server.sql(
    "select refresh_token as token from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = '000000' order by p.id desc",
  );
  expect(String(stored?.token)).not.toContain('.');
  expect(await providerOf('000000').issuer.revoke(server.db.encryption.decrypt(String(stored?.token)))).toBe(200);
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(false);
  expect(await server.sql("select 1 from login_log where account = 'cleo' and outcome = 'ended-by-provider'")).toHaveLength(1);
});

test('a revoked token of an earlier sign-in ends its own sessions and not those of a later one', async () => {
  const earlier = sessionOf(await signInThroughIssuer('000000', 'cleo'));
  const later = sessionOf(await signInThroughIssuer('000000', 'cleo'));
  const [, stored] = await server.sql(
    "select refresh_token as token from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = '000000' order by p.id desc limit 2",
  );
  expect(await providerOf('000000').issuer.revoke(server.db.encryption.decrypt(String(stored?.token)))).toBe(200);
  await recheckSessions(server);
  expect([await isAlive(server, earlier), await isAlive(server, later)]).toEqual([false, true]);
});

test('a user who has left the issuer cannot sign in to the account that it created, until an administrator unlocks it or the user is back', async () => {
  const { issuer } = providerOf('000000');
  const { body } = await signInThroughIssuer('000000', 'fay');
  await server.sql(
    `update user_account set password_hash = (select password_hash from user_account where account = 'admin' and tenant_id = '000000') where id = ${body.user_id}`,
  );
  const session = await server.signIn('fay');
  const person = issuer.people.get('fay');
  if (!person) throw new Error('Fay is missing.');
  const leaveIssuer = async () => {
    issuer.people.delete('fay');
    await recheckSessions(server);
  };
  await leaveIssuer();
  expect(await isAlive(server, session)).toBe(false);
  await expect(server.signIn('fay')).rejects.toThrow('用户名或密码');
  const admin = await server.signIn();
  const accessState = async () => (await server.get('/api/blade-system/user/access', { headers: admin, query: { userId: body.user_id } })).data;
  expect(await accessState()).toMatchObject({ isProviderLocked: true });
  await server.post('/api/blade-system/user/unlock', { userIds: [body.user_id] }, { headers: admin });
  expect(await accessState()).not.toHaveProperty('isProviderLocked');
  expect(await isAlive(server, await server.signIn('fay'))).toBe(true);
  issuer.people.set('fay', person);
  await signInThroughIssuer('000000', 'fay');
  await leaveIssuer();
  await expect(server.signIn('fay')).rejects.toThrow('用户名或密码');
  issuer.people.set('fay', person);
  expect(await isAlive(server, sessionOf(await signInThroughIssuer('000000', 'fay')))).toBe(true);
  expect(await isAlive(server, await server.signIn('fay'))).toBe(true);
});

test('a user who has left the issuer is signed out, but can still sign in with the password of an account that it did not create', async () => {
  const { issuer, source } = providerOf('000000');
  const { userId } = await server.createUser({ account: 'own-gus' });
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', '${source}', 'gus', ${userId})`);
  const session = sessionOf(await signInThroughIssuer('000000', 'gus'));
  issuer.people.delete('gus');
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(false);
  expect(await isAlive(server, await server.signIn('own-gus'))).toBe(true);
});

test('the account that a first sign-in creates is a webhook event; a second sign-in sends none', async () => {
  await server.sql(
    `insert into webhook_endpoint (tenant_id, name, url, events, is_enabled) values ('000000', 'all', 'https://hooks.example.invalid/', '["user.created"]', true)`,
  );
  const { body } = await signInThroughIssuer('000000', 'hal');
  await signInThroughIssuer('000000', 'hal');
  const queued = await server.sql('select body from webhook_delivery');
  expect(queued.map((row) => JSON.parse(String(row.body)))).toMatchObject([{ type: 'user.created', data: { id: body.user_id } }]);
});

test('an issuer that does not respond does not delay the checks of another tenant', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silentIssuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (const [slow, other] of [tenants, [...tenants].reverse() as Tenant[]] as const) {
    if (!slow || !other) throw new Error('A tenant is missing.');
    await signInThroughIssuer(slow, 'ida');
    const session = sessionOf(await signInThroughIssuer(other, 'ida'));
    const [row] = await server.sql(`select issuer from identity_provider where id = ${providerOf(slow).id}`);
    await server.sql(`update identity_provider set issuer = '${silentIssuer}' where id = ${providerOf(slow).id}`);
    const person = providerOf(other).issuer.people.get('ida');
    providerOf(other).issuer.people.delete('ida');
    await server.sql("update provider_sign_in set due_at = now() - interval '1 second'");
    await expect.poll(() => isAlive(server, session), { timeout: 4000 }).toBe(false);
    const unreachable = () => server.sql(`select 1 from identity_provider where id = ${providerOf(slow).id} and unreachable_since is not null`);
    await expect.poll(unreachable, { timeout: 10_000 }).toHaveLength(1);
    await server.sql(`update identity_provider set issuer = '${row?.issuer}' where id = ${providerOf(slow).id}`);
    if (person) providerOf(other).issuer.people.set('ida', person);
  }
  silent.close();
});

test('a user who no longer exists at the issuer is signed out', async () => {
  const { issuer } = providerOf('north');
  const session = sessionOf(await signInThroughIssuer('north', 'bob'));
  issuer.people.delete('bob');
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(false);
});

test('an issuer that refuses connections ends no session', async () => {
  const { id } = providerOf('north');
  const session = sessionOf(await signInThroughIssuer('north', 'dan'));
  const [row] = await server.sql(`select issuer from identity_provider where id = ${id}`);
  await server.sql(`update identity_provider set issuer = 'http://127.0.0.1:9' where id = ${id}`);
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(true);
  expect(await server.sql(`select 1 from identity_provider where id = ${id} and unreachable_since is not null`)).toHaveLength(1);
  await server.sql(`update identity_provider set issuer = '${row?.issuer}' where id = ${id}`);
  await recheckSessions(server);
  expect(await isAlive(server, session)).toBe(true);
});

test('a logout at the issuer ends the sessions that it began and no others; its token is accepted once and only for its provider', async () => {
  const session = sessionOf(await signInThroughIssuer('000000', 'ada'));
  const elsewhere = sessionOf(await signInThroughIssuer('north', 'ada'));
  await providerOf('000000').issuer.logOut('ada');
  expect(await isAlive(server, session)).toBe(false);
  expect(await isAlive(server, elsewhere)).toBe(true);
  const again = sessionOf(await signInThroughIssuer('000000', 'ada'));
  const token = sentTokens.at(-1) ?? '';
  expect((await postLogoutToken(providerOf('000000').id, token)).statusCode).toBe(400);
  expect((await postLogoutToken(providerOf('north').id, token)).statusCode).toBe(400);
  expect(await isAlive(server, again)).toBe(true);
  expect(await isAlive(server, elsewhere)).toBe(true);
});

test('forged logout tokens are refused', async () => {
  const { id, issuer } = providerOf('000000');
  const session = sessionOf(await signInThroughIssuer('000000', 'ada'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: issuer.issuer, aud: 'console', sub: 'ada', jti: randomUUID(), events };
  const forge = (changed: object, header: object = {}) =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', ...header })
      .setIssuedAt()
      .setExpirationTime('2m');
  const forgedKey = await exportJWK(publicKey);
  const forged = [
    await forge({}).sign(privateKey),
    await forge({}, { jwk: forgedKey }).sign(privateKey),
    await forge({}, { alg: 'HS256' }).sign(new TextEncoder().encode(secret)),
    `${Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    'no token',
  ];
  for (const token of forged) expect((await postLogoutToken(id, token)).statusCode).toBe(400);
  expect((await postLogoutToken('1', forged[0] ?? '')).statusCode).toBe(400);
  expect(await isAlive(server, session)).toBe(true);
});

test('invalid logout tokens that the issuer has signed are refused, and a valid one ends the session', async () => {
  const { id, issuer } = providerOf('000000');
  const session = sessionOf(await signInThroughIssuer('000000', 'ada'));
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const valid = () => ({ aud: 'console', sub: 'ada', iat: now, exp: now + 120, jti: randomUUID(), events });
  const invalid: Readonly<Record<string, object>> = {
    nonce: { nonce: 'of a sign-in' },
    'another event': { events: { 'https://issuer.test/other': {} } },
    'no event': { events: undefined },
    'no subject': { sub: undefined },
    'no jti': { jti: undefined },
    'no iat': { iat: undefined },
    'too old': { iat: now - 3600, exp: now + 120 },
    expired: { iat: now - 250, exp: now - 200 },
    'another client': { aud: 'another' },
    'another issuer': { iss: providerOf('north').issuer.issuer },
  };
  for (const [reason, changed] of Object.entries(invalid))
    expect({ reason, status: (await postLogoutToken(id, await issuer.sign({ ...valid(), ...changed }))).statusCode }).toEqual({ reason, status: 400 });
  expect(await isAlive(server, session)).toBe(true);
  const reply = await postLogoutToken(id, await issuer.sign(valid()));
  expect({ status: reply.statusCode, cache: reply.headers['cache-control'] }).toEqual({ status: 200, cache: expect.stringContaining('no-store') });
  expect(await isAlive(server, session)).toBe(false);
});

test('a logout of one session at the issuer leaves the others', async () => {
  const { id, issuer } = providerOf('north');
  const [first, second] = [sessionOf(await signInThroughIssuer('north', 'cleo')), sessionOf(await signInThroughIssuer('north', 'cleo'))];
  const rows = await server.sql(
    "select p.issuer_session as sid from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = 'north' order by p.id",
  );
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await issuer.sign({ aud: 'console', sid: rows[0]?.sid, iat: now, exp: now + 120, jti: randomUUID(), events });
  expect((await postLogoutToken(id, token)).statusCode).toBe(200);
  expect([await isAlive(server, first), await isAlive(server, second)]).toEqual([false, true]);
});

test('a logout token whose sessions could not be ended can be sent again', async () => {
  const { id, issuer } = providerOf('north');
  const session = sessionOf(await signInThroughIssuer('north', 'cleo'));
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await issuer.sign({ aud: 'console', sub: 'cleo', iat: now, exp: now + 120, jti: randomUUID(), events });
  await server.sql('alter table login_log rename column way to removed_way');
  expect((await postLogoutToken(id, token)).statusCode).toBe(500);
  expect(await isAlive(server, session)).toBe(true);
  await server.sql('alter table login_log rename column removed_way to way');
  expect((await postLogoutToken(id, token)).statusCode).toBe(200);
  expect(await isAlive(server, session)).toBe(false);
  expect((await postLogoutToken(id, token)).statusCode).toBe(400);
});

test('an administrator sees the addresses to register but no secret, and a check of the connection names the problem', async () => {
  const admin = await server.signIn();
  const { id, source } = providerOf('000000');
  const { data } = await server.get(`${providerPath}/addresses`, { headers: admin, query: { id } });
  expect(data).toEqual({ redirect: `${web}/oauth/redirect/${source}`, backChannelLogout: `${web}${logoutPath}?provider=${id}` });
  expect(JSON.stringify((await server.get(`${providerPath}/detail`, { headers: admin, query: { id } })).data)).not.toContain(secret);
  const check = async () => (await server.post(`${providerPath}/check`, { id }, { headers: admin })).data;
  expect(await check()).toEqual({ isReady: true, message: '已读取签发者的配置' });
  const [row] = await server.sql(`select issuer from identity_provider where id = ${id}`);
  await server.sql(`update identity_provider set issuer = 'http://127.0.0.1:9' where id = ${id}`);
  expect(await check()).toMatchObject({ isReady: false, message: '连接被拒绝，请检查地址和端口' });
  await server.sql(`update identity_provider set issuer = '${row?.issuer}' where id = ${id}`);
});
