import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { exportJWK, SignJWT } from 'jose';
import { type GroupsIssuer, groupsIssuer } from '../../../support/real-issuer.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { addProvider, addRole, askedAgain, isAlive, mapGroup, providerPath, redeem, rolesOf, sessionOf } from '../provider-fixtures.ts';

const web = 'https://console.test';
const secret = 'a secret between the issuer and the console';
const logoutPath = '/api/blade-auth/oauth/backchannel-logout';
const tenants = ['000000', 'north'] as const;
type Tenant = (typeof tenants)[number];

interface Provided {
  readonly id: string;
  readonly source: string;
  readonly issuer: GroupsIssuer;
  readonly staff: string;
  readonly editors: string;
}

let server: TestServer;
const provided = new Map<Tenant, Provided>();
const of = (tenant: Tenant) => provided.get(tenant) as Provided;

/** Hands a logout token of an issuer to the server. */
const logout = (provider: string, token: string) =>
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
    // The issuer has to exist before its address can be entered, and its client needs an address with the id of the provider.
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
          return (await logout(id, token)).statusCode;
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
    const form = { name: `Login of ${tenant}`, kind: 'oidc', issuer: issuer.issuer, clientId: 'console', clientSecret: secret };
    const further = { scopes: 'openid profile email offline_access', createsAccounts: true };
    const added = await addProvider(server, admin, { ...form, ...further });
    await server.sql(`update identity_provider set id = ${id} where id = ${added}`);
    const roles = { staff: await addRole(server, 'staff', tenant), editors: await addRole(server, 'editors', tenant) };
    for (const name of ['staff', 'editors'] as const) await mapGroup(server, admin, { providerId: id, groupName: name, roleId: roles[name] });
    provided.set(tenant, { id, source, issuer, ...roles });
  }
});
afterAll(async () => {
  await server.stop();
  for (const { issuer } of provided.values()) await issuer.stop();
});

/** Goes to the issuer of a tenant, signs in there and returns what the browser brings back. */
async function brought(tenant: Tenant, person: string) {
  const { source, issuer } = of(tenant);
  const reply = await server.get('/api/blade-auth/oauth/render/provider', { query: { source, tenantId: tenant } });
  expect(reply.status).toBe(302);
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const back = await issuer.signIn(String(reply.headers.location), person);
  expect(back.origin + back.pathname).toBe(`${web}/oauth/redirect/${source}`);
  return { cookie, query: { tenantId: tenant, source, ...Object.fromEntries(back.searchParams) } };
}
const enter = async (tenant: Tenant, person: string) => redeem(server, await brought(tenant, person));

test('each tenant offers its own issuer by name, and only to its own users', async () => {
  for (const tenant of tenants) {
    const { data } = await server.get('/api/things-auth/oauth/ways', { query: { tenantId: tenant } });
    expect(data.providers).toEqual([{ source: of(tenant).source, name: `Login of ${tenant}`, kind: 'redirect' }]);
  }
  const crossed = await server.get('/api/blade-auth/oauth/render/provider', { query: { source: of('north').source, tenantId: '000000' } });
  expect(crossed).toMatchObject({ status: 400, msg: '未开通该登录方式' });
});

test('two issuers sign their users into their own tenants, with claims in the id token or in the user info', async () => {
  for (const tenant of tenants) {
    const reply = await enter(tenant, 'ada');
    expect(reply).toMatchObject({ status: 200, body: { account: 'ada', tenant_id: tenant, real_name: 'ADA' } });
    expect(await rolesOf(server, 'ada', tenant)).toEqual([of(tenant).staff]);
  }
});

test('a return to one issuer cannot be redeemed as a return to another', async () => {
  const { cookie, query } = await brought('north', 'ada');
  const stale = { status: 400, body: { error_description: '登录请求已失效，请重新发起' } };
  expect(await redeem(server, { cookie, query: { ...query, source: of('000000').source } })).toMatchObject(stale);
  expect((await redeem(server, { cookie, query: { ...query, tenantId: '000000' } })).body).toMatchObject({ tenant_id: 'north' });
});

test('a group that is withdrawn takes its role at the next sign-in, and a role that was given by hand stays', async () => {
  const { issuer, staff, editors } = of('000000');
  const person = issuer.people.get('bob');
  if (!person) throw new Error('Bob is missing.');
  person.groups = ['staff', 'editors', 'unknown'];
  const { body } = await enter('000000', 'bob');
  expect(await rolesOf(server, 'bob')).toEqual([staff, editors].sort());
  const byHand = await addRole(server, 'by-hand');
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${body.user_id}, ${byHand})`);
  person.groups = ['staff'];
  await enter('000000', 'bob');
  expect(await rolesOf(server, 'bob')).toEqual([staff, byHand].sort());
  const changes = await server.sql(`select 1 from record_change where entity = 'user_account' and record_id = ${body.user_id}`);
  expect(changes).toHaveLength(2);
});

test('a withdrawn group reaches live sessions by the refresh token, and the last one ends them', async () => {
  const { issuer, staff, editors } = of('000000');
  const person = issuer.people.get('dan');
  if (!person) throw new Error('Dan is missing.');
  person.groups = ['staff', 'editors'];
  const session = sessionOf(await enter('000000', 'dan'));
  expect(await rolesOf(server, 'dan')).toEqual([staff, editors].sort());
  person.groups = ['staff'];
  await askedAgain(server);
  expect(await rolesOf(server, 'dan')).toEqual([staff]);
  expect(await isAlive(server, session)).toBe(true);
  person.groups = [];
  await askedAgain(server);
  expect(await rolesOf(server, 'dan')).toEqual([]);
  expect(await isAlive(server, session)).toBe(false);
});

test('a revoked refresh token ends the sessions of the account, and the login log says so', async () => {
  const session = sessionOf(await enter('000000', 'cleo'));
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(true);
  const [stored] = await server.sql(
    "select refresh_token as token from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = '000000' order by p.id desc",
  );
  expect(String(stored?.token)).not.toContain('.');
  expect(await of('000000').issuer.revoke(server.db.encryption.decrypt(String(stored?.token)))).toBe(200);
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(false);
  expect(await server.sql("select 1 from login_log where account = 'cleo' and outcome = 'ended-by-provider'")).toHaveLength(1);
});

test('a revoked token of an earlier sign-in ends its own sessions and not those of a later one', async () => {
  const earlier = sessionOf(await enter('000000', 'cleo'));
  const later = sessionOf(await enter('000000', 'cleo'));
  const [, stored] = await server.sql(
    "select refresh_token as token from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = '000000' order by p.id desc limit 2",
  );
  expect(await of('000000').issuer.revoke(server.db.encryption.decrypt(String(stored?.token)))).toBe(200);
  await askedAgain(server);
  expect([await isAlive(server, earlier), await isAlive(server, later)]).toEqual([false, true]);
});

test('a user who has left the issuer cannot sign in to the account that it has created until an administrator unlocks it or the user is back', async () => {
  const { issuer } = of('000000');
  const { body } = await enter('000000', 'fay');
  await server.sql(
    `update user_account set password_hash = (select password_hash from user_account where account = 'admin' and tenant_id = '000000') where id = ${body.user_id}`,
  );
  const session = await server.signIn('fay');
  const person = issuer.people.get('fay');
  if (!person) throw new Error('Fay is missing.');
  const leaves = async () => {
    issuer.people.delete('fay');
    await askedAgain(server);
  };
  await leaves();
  expect(await isAlive(server, session)).toBe(false);
  await expect(server.signIn('fay')).rejects.toThrow('用户名或密码');
  const admin = await server.signIn();
  const stateOf = async () => (await server.get('/api/blade-system/user/access', { headers: admin, query: { userId: body.user_id } })).data;
  expect(await stateOf()).toMatchObject({ isProviderLocked: true });
  await server.post('/api/blade-system/user/unlock', { userIds: [body.user_id] }, { headers: admin });
  expect(await stateOf()).not.toHaveProperty('isProviderLocked');
  expect(await isAlive(server, await server.signIn('fay'))).toBe(true);
  issuer.people.set('fay', person);
  await enter('000000', 'fay');
  await leaves();
  await expect(server.signIn('fay')).rejects.toThrow('用户名或密码');
  issuer.people.set('fay', person);
  expect(await isAlive(server, sessionOf(await enter('000000', 'fay')))).toBe(true);
  expect(await isAlive(server, await server.signIn('fay'))).toBe(true);
});

test('an account that was not created by the issuer is signed out and can be signed in to by its password', async () => {
  const { issuer, source } = of('000000');
  const { userId } = await server.createUser({ account: 'own-gus' });
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', '${source}', 'gus', ${userId})`);
  const session = sessionOf(await enter('000000', 'gus'));
  issuer.people.delete('gus');
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(false);
  expect(await isAlive(server, await server.signIn('own-gus'))).toBe(true);
});

test('the account of a first sign-in is an event for webhooks, and a second sign-in is none', async () => {
  await server.sql(
    `insert into webhook_endpoint (tenant_id, name, url, events, is_enabled) values ('000000', 'all', 'https://hooks.example.invalid/', '["user.created"]', true)`,
  );
  const { body } = await enter('000000', 'hal');
  await enter('000000', 'hal');
  const queued = await server.sql('select body from webhook_delivery');
  expect(queued.map((row) => JSON.parse(String(row.body)))).toMatchObject([{ type: 'user.created', data: { id: body.user_id } }]);
});

test('an issuer that is slow delays the departures of no other tenant', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silentIssuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (const [slow, other] of [tenants, [...tenants].reverse() as Tenant[]] as const) {
    if (!slow || !other) throw new Error('A tenant is missing.');
    await enter(slow, 'ida');
    const session = sessionOf(await enter(other, 'ida'));
    const [row] = await server.sql(`select issuer from identity_provider where id = ${of(slow).id}`);
    await server.sql(`update identity_provider set issuer = '${silentIssuer}' where id = ${of(slow).id}`);
    const person = of(other).issuer.people.get('ida');
    of(other).issuer.people.delete('ida');
    await server.sql("update provider_sign_in set due_at = now() - interval '1 second'");
    await expect.poll(() => isAlive(server, session), { timeout: 4000 }).toBe(false);
    const hasFailed = () => server.sql(`select 1 from identity_provider where id = ${of(slow).id} and unreachable_since is not null`);
    await expect.poll(hasFailed, { timeout: 10_000 }).toHaveLength(1);
    await server.sql(`update identity_provider set issuer = '${row?.issuer}' where id = ${of(slow).id}`);
    if (person) of(other).issuer.people.set('ida', person);
  }
  silent.close();
});

test('a user who no longer exists at the issuer is signed out', async () => {
  const { issuer } = of('north');
  const session = sessionOf(await enter('north', 'bob'));
  issuer.people.delete('bob');
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(false);
});

test('an issuer that does not answer ends no session', async () => {
  const { id } = of('north');
  const session = sessionOf(await enter('north', 'dan'));
  const [row] = await server.sql(`select issuer from identity_provider where id = ${id}`);
  await server.sql(`update identity_provider set issuer = 'http://127.0.0.1:9' where id = ${id}`);
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(true);
  expect(await server.sql(`select 1 from identity_provider where id = ${id} and unreachable_since is not null`)).toHaveLength(1);
  await server.sql(`update identity_provider set issuer = '${row?.issuer}' where id = ${id}`);
  await askedAgain(server);
  expect(await isAlive(server, session)).toBe(true);
});

test('a logout at the issuer ends the sessions that it began and no other; its token counts once and for its provider only', async () => {
  const session = sessionOf(await enter('000000', 'ada'));
  const elsewhere = sessionOf(await enter('north', 'ada'));
  await of('000000').issuer.logOut('ada');
  expect(await isAlive(server, session)).toBe(false);
  expect(await isAlive(server, elsewhere)).toBe(true);
  const again = sessionOf(await enter('000000', 'ada'));
  const token = sentTokens.at(-1) ?? '';
  expect((await logout(of('000000').id, token)).statusCode).toBe(400);
  expect((await logout(of('north').id, token)).statusCode).toBe(400);
  expect(await isAlive(server, again)).toBe(true);
  expect(await isAlive(server, elsewhere)).toBe(true);
});

test('forged logout tokens are refused', async () => {
  const { id, issuer } = of('000000');
  const session = sessionOf(await enter('000000', 'ada'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: issuer.issuer, aud: 'console', sub: 'ada', jti: randomUUID(), events };
  const signed = (changed: object, header: object = {}) =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', ...header })
      .setIssuedAt()
      .setExpirationTime('2m');
  const own = await exportJWK(publicKey);
  const forged = [
    await signed({}).sign(privateKey),
    await signed({}, { jwk: own }).sign(privateKey),
    await signed({}, { alg: 'HS256' }).sign(new TextEncoder().encode(secret)),
    `${Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    'no token',
  ];
  for (const token of forged) expect((await logout(id, token)).statusCode).toBe(400);
  expect((await logout('1', forged[0] ?? '')).statusCode).toBe(400);
  expect(await isAlive(server, session)).toBe(true);
});

test('a token of the issuer that is no valid logout token is refused, and a valid one is not', async () => {
  const { id, issuer } = of('000000');
  const session = sessionOf(await enter('000000', 'ada'));
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const valid = () => ({ aud: 'console', sub: 'ada', iat: now, exp: now + 120, jti: randomUUID(), events });
  const invalid: Readonly<Record<string, object>> = {
    nonce: { nonce: 'of a sign-in' },
    'another event': { events: { 'https://issuer.test/other': {} } },
    'no event': { events: undefined },
    'no subject': { sub: undefined },
    'no id': { jti: undefined },
    'no time': { iat: undefined },
    'too old': { iat: now - 3600, exp: now + 120 },
    expired: { iat: now - 250, exp: now - 200 },
    'another client': { aud: 'another' },
    'another issuer': { iss: of('north').issuer.issuer },
  };
  for (const [reason, changed] of Object.entries(invalid))
    expect({ reason, status: (await logout(id, await issuer.sign({ ...valid(), ...changed }))).statusCode }).toEqual({ reason, status: 400 });
  expect(await isAlive(server, session)).toBe(true);
  const reply = await logout(id, await issuer.sign(valid()));
  expect({ status: reply.statusCode, cache: reply.headers['cache-control'] }).toEqual({ status: 200, cache: expect.stringContaining('no-store') });
  expect(await isAlive(server, session)).toBe(false);
});

test('a logout of one session at the issuer leaves the others', async () => {
  const { id, issuer } = of('north');
  const [first, second] = [sessionOf(await enter('north', 'cleo')), sessionOf(await enter('north', 'cleo'))];
  const rows = await server.sql(
    "select p.issuer_session as sid from provider_sign_in p join user_oauth o on o.id = p.identity_id where o.uuid = 'cleo' and p.tenant_id = 'north' order by p.id",
  );
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await issuer.sign({ aud: 'console', sid: rows[0]?.sid, iat: now, exp: now + 120, jti: randomUUID(), events });
  expect((await logout(id, token)).statusCode).toBe(200);
  expect([await isAlive(server, first), await isAlive(server, second)]).toEqual([false, true]);
});

test('a logout token whose sessions could not be ended can be sent again', async () => {
  const { id, issuer } = of('north');
  const session = sessionOf(await enter('north', 'cleo'));
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await issuer.sign({ aud: 'console', sub: 'cleo', iat: now, exp: now + 120, jti: randomUUID(), events });
  await server.sql('alter table login_log rename column way to removed_way');
  expect((await logout(id, token)).statusCode).toBe(500);
  expect(await isAlive(server, session)).toBe(true);
  await server.sql('alter table login_log rename column removed_way to way');
  expect((await logout(id, token)).statusCode).toBe(200);
  expect(await isAlive(server, session)).toBe(false);
  expect((await logout(id, token)).statusCode).toBe(400);
});

test('an administrator sees the addresses to register and no secret, and a check names the problem', async () => {
  const admin = await server.signIn();
  const { id, source } = of('000000');
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
