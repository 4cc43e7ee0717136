import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { Secret, TOTP } from 'otpauth';
import { groups, LdapServer, people, reader, slapd } from '../../../support/ldap-server.ts';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';
import { addProvider, addRole, isAlive, mapGroup, providerPath, recheckSessions, roleIdsOf, sessionOf, signInWithDirectory } from '../provider-fixtures.ts';

if (!slapd) process.stdout.write('slapd was not found: tests of directories are skipped. Install slapd and ldap-utils.\n');

describe.skipIf(!slapd)('on a real directory', () => {
  let ldap: LdapServer;
  let server: TestServer;
  let admin: Record<string, string>;
  let source: string;
  let id: string;
  let roles: { readonly staff: string; readonly editors: string };

  const settings = () => ({
    name: 'Company',
    kind: 'ldap',
    address: ldap.secureAddress,
    caCertificate: ldap.certificate,
    bindDn: reader.dn,
    bindPassword: reader.password,
    baseDn: people,
    createsAccounts: true,
    matchesEmail: true,
  });
  const enter = (username: string, password = `${username}-2026`) => signInWithDirectory(server, { source, username, password });

  beforeAll(async () => {
    ldap = await LdapServer.open();
    for (const uid of ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus']) ldap.add({ uid, name: uid.toUpperCase(), mail: `${uid}@company.test` });
    ldap.addGroup('staff', 'ada', 'cleo', 'dan', 'eve', 'fay', 'gus');
    ldap.addGroup('editors', 'ada');
    server = await openTestServer({
      plugins: ['organization', 'social-sign-in', 'registration'],
      environment: { EGRESS_ALLOW: 'localhost,127.0.0.1' },
      timeScale: 50,
    });
    admin = await server.signIn();
    id = await addProvider(server, admin, settings());
    source = `idp${id}`;
    roles = { staff: await addRole(server, 'staff'), editors: await addRole(server, 'editors') };
    await mapGroup(server, admin, { providerId: id, groupName: 'staff', roleId: roles.staff });
    await mapGroup(server, admin, { providerId: id, groupName: `CN=editors,${groups}`, roleId: roles.editors });
  });
  afterAll(async () => {
    await server.stop();
    await ldap.stop();
  });

  test('the sign-in page offers it by its name', async () => {
    const { data } = await server.get('/api/things-auth/oauth/ways', { query: { tenantId: '000000' } });
    expect(data.providers).toEqual([{ source, name: 'Company', kind: 'password' }]);
  });

  test('the first sign-in creates the account with the roles of its groups, by cn or full name, and records the roles', async () => {
    const reply = await enter('ada');
    expect(reply).toMatchObject({ status: 200, body: { account: 'ada', real_name: 'ADA' } });
    expect(await roleIdsOf(server, 'ada')).toEqual([roles.staff, roles.editors].sort());
    const history = await server.sql("select count(*)::integer as count from record_change where entity = 'user_account'");
    expect(history[0]?.count).toBeGreaterThan(0);
    expect((await enter('ada')).body.user_id).toBe(reply.body.user_id);
  });

  test('a wrong, an empty and a digested password are refused, and an unknown account with the same words', async () => {
    const refused = { status: 400, body: { error: 'invalid_grant', error_description: (await enter('nobody', 'wrong')).body.error_description } };
    expect(await enter('bob', 'wrong')).toMatchObject(refused);
    expect(await enter('bob', 'd41d8cd98f00b204e9800998ecf8427e')).toMatchObject(refused);
    expect((await enter('bob', '')).status).toBe(400);
    const outcomes = () => server.sql("select distinct outcome from login_log where way = 'ldap' and account = 'bob' and outcome = 'wrong-credentials'");
    await expect.poll(outcomes, { timeout: 5000 }).toHaveLength(1);
  });

  test('text of a filter in the account matches no user', async () => {
    for (const account of ['*', 'a*', '*)(uid=*', 'ada)(objectClass=*', '*)(|(uid=ada', 'ada\\', '\\61da', 'ada\0'])
      expect({ account, status: (await enter(account, 'ada-2026')).status }).toEqual({ account, status: 400 });
  });

  test('five wrong passwords lock the account for this source', async () => {
    for (let tries = 0; tries < 8; tries += 1) {
      await enter('gus', 'wrong');
      await server.sql("update login_failure set failed_at = failed_at - interval '2 minutes'");
    }
    expect((await enter('gus')).body.error_description).toContain('次数过多');
  });

  test('an account with the same e-mail is linked and keeps the roles that were given by hand', async () => {
    const { userId, roleId } = await server.createUser({ account: 'local-cleo' });
    await server.sql(`update user_account set email = 'CLEO@company.test' where id = ${userId}`);
    expect((await enter('cleo')).body).toMatchObject({ account: 'local-cleo', user_id: userId });
    expect(await roleIdsOf(server, 'local-cleo')).toEqual([roleId, roles.staff].sort());
    ldap.leave('staff', 'cleo');
    await recheckSessions(server);
    expect(await roleIdsOf(server, 'local-cleo')).toEqual([roleId]);
  });

  test('an account with a password of its own goes on without a group, but not after its user has left', async () => {
    const session = await server.signIn('local-cleo');
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(true);
    ldap.remove('cleo');
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(false);
    const again = await server.signIn('local-cleo');
    await recheckSessions(server);
    expect(await isAlive(server, again)).toBe(false);
  });

  test('a session after a second factor ends with the others', async () => {
    ldap.add({ uid: 'hal', name: 'HAL', mail: 'hal@company.test' });
    ldap.join('staff', 'hal');
    const { body } = await enter('hal');
    await server.sql(
      `insert into second_factor (tenant_id, user_id, secret, confirmed_at) values ('000000', ${body.user_id}, '${server.db.encryption.encrypt('JBSWY3DPEHPK3PXP')}', now())`,
    );
    const asked = await enter('hal');
    expect(asked).toMatchObject({ status: 400, body: { error: 'mfa_required' } });
    const steps = await server.sql(`select sign_in_id from sign_in_step where user_id = ${body.user_id}`);
    expect(steps).toEqual([{ sign_in_id: expect.anything() }]);
    const totp = { grant_type: 'totp', mfa_token: asked.body.mfa_token, code: new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXP') }).generate() };
    const reply = await server.post('/api/things-auth/oauth/token', undefined, { headers: clientHeaders, query: totp });
    expect(reply.status).toBe(200);
    ldap.remove('hal');
    await recheckSessions(server);
    expect(await isAlive(server, sessionOf(reply))).toBe(false);
  });

  test('a user in no mapped group gets no account', async () => {
    const reply = await enter('bob');
    expect(reply).toMatchObject({ status: 200, body: { user_id: '' } });
    expect(await server.sql("select 1 from user_account where account = 'bob'")).toEqual([]);
  });

  test('a user who has left the directory is signed out, loses the roles and is locked out, and the logs say so', async () => {
    const session = sessionOf(await enter('dan'));
    await server.sql("update user_account set password_hash = (select password_hash from user_account where account = 'admin') where account = 'dan'");
    expect(await isAlive(server, await server.signIn('dan'))).toBe(true);
    expect(await isAlive(server, session)).toBe(true);
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(true);
    ldap.remove('dan');
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(false);
    expect(await roleIdsOf(server, 'dan')).toEqual([]);
    expect(await server.sql("select outcome, way from login_log where account = 'dan' and outcome = 'ended-by-provider'")).toHaveLength(2);
    expect((await enter('dan')).status).toBe(400);
    await expect(server.signIn('dan')).rejects.toThrow('用户名或密码');
  });

  test('a renamed user stays signed in, and one who no longer matches the filter does not', async () => {
    expect(await server.post(`${providerPath}/submit`, { id, userFilter: '(&(uid={account})(!(title=suspended)))' }, { headers: admin })).toMatchObject({
      code: 200,
    });
    const session = sessionOf(await enter('eve'));
    ldap.rename('eve', 'eva');
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(true);
    ldap.set('eva', 'title', 'suspended');
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(false);
  });

  test('a directory that does not answer ends no session and is reported once', async () => {
    const session = sessionOf(await enter('fay'));
    await ldap.kill();
    await recheckSessions(server);
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(true);
    expect((await enter('fay')).status).toBe(503);
    const reported = () => server.sql("select log_id as event from usual_log where log_id like 'social-sign-in:provider-%' order by id");
    expect(await server.sql(`select 1 from identity_provider where id = ${id} and unreachable_since is not null`)).toHaveLength(1);
    await ldap.start();
    await recheckSessions(server);
    expect(await server.sql(`select 1 from identity_provider where id = ${id} and unreachable_since is null`)).toHaveLength(1);
    const events = ['social-sign-in:provider-unreachable', 'social-sign-in:provider-answers'].map((event) => ({ event }));
    await expect.poll(reported, { timeout: 5000 }).toEqual(events);
    expect(await isAlive(server, session)).toBe(true);
  });

  test('a check names the problem, and finds users over StartTLS', async () => {
    const checked = async (form: object) => {
      const { data, code, msg } = await server.post(`${providerPath}/submit`, { id, bindPassword: reader.password, ...form }, { headers: admin });
      expect({ code, msg }).toMatchObject({ code: 200 });
      return (await server.post(`${providerPath}/check`, { id: data.id }, { headers: admin })).data;
    };
    expect(await checked({ bindPassword: 'wrong' })).toEqual({ isReady: false, message: '目录不接受绑定账号或密码' });
    expect(await checked({ baseDn: 'ou=elsewhere,dc=company,dc=test' })).toMatchObject({ isReady: false });
    expect(await checked({ baseDn: people, caCertificate: null })).toMatchObject({ isReady: false, message: expect.stringContaining('证书') });
    expect(await checked({ address: ldap.address, startTls: true, caCertificate: ldap.certificate })).toEqual({
      isReady: true,
      message: '已连接目录并找到用户',
    });
    expect((await enter('fay')).status).toBe(200);
  });

  test('a disabled provider signs no user in and ends its sessions', async () => {
    const session = sessionOf(await enter('fay'));
    await server.post(`${providerPath}/submit`, { id, isEnabled: false }, { headers: admin });
    expect((await enter('fay')).status).toBe(400);
    await recheckSessions(server);
    expect(await isAlive(server, session)).toBe(false);
    await server.post(`${providerPath}/submit`, { id, isEnabled: true }, { headers: admin });
  });

  test('another tenant cannot use it, and only a client with the grant may', async () => {
    expect((await signInWithDirectory(server, { source, username: 'fay', password: 'fay-2026', tenantId: 'other' })).status).toBe(400);
    expect((await signInWithDirectory(server, { source: 'idp1', username: 'fay', password: 'fay-2026' })).status).toBe(400);
    await server.sql("update client set authorized_grant_types = authorized_grant_types - 'ldap' where client_id = 'sryx'");
    expect((await enter('fay')).body.error_description).toBe('不支持的授权类型');
    expect(clientHeaders.authorization).toContain('Basic');
  });
});
