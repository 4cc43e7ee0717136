import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { decodeProtectedHeader } from 'jose';
import { completeKeys, keysChanged, rotateKeys } from '../../../../../src/server/platform/identity/signing/stored-keys.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const jwks = '/.well-known/jwks.json';
const path = '/api/things-auth/oauth/token';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.sql('delete from earlier_server returning id');
  await server.sql(`delete from replica where facts ->> 'host' = 'earlier' returning id`);
  await rotateKeys(server.db, true);
});
afterAll(() => server.stop());

const signedIn = async () => {
  const { body } = await server.post(path, { grant_type: 'password', tenantId: '000000', username: 'admin', password }, { headers: clientHeaders });
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
};
const statusOf = async (bearer: string) => (await server.get('/api/blade-auth/oauth/user-info', { headers: { 'things-auth': `bearer ${bearer}` } })).status;
const kidOf = (text: string) => decodeProtectedHeader(text).kid;
const published = async (): Promise<string[]> => (await server.get(jwks)).body.keys.map(({ kid }: { kid: string }) => kid);
/** Waits until the server has read what was changed in the database. */
const reread = async () => {
  await server.db.asPlatform('tests change keys', () => server.db.signal(keysChanged, '{}'));
  await new Promise((resolve) => setTimeout(resolve, 200));
};
const age = (column: string, by: string) => server.sql(`update signing_key set ${column} = ${column} - interval '${by}' returning kid`);
const nextKid = async () => String((await server.sql('select kid from signing_key where signs_from is null'))[0]?.kid);

test('the next key signs at once if it has been published for an hour, and tokens of the former one stay valid', async () => {
  await reread();
  const before = await signedIn();
  await age('create_time', '1 hour');
  const next = await nextKid();
  expect(await published()).toContain(next);
  expect(await rotateKeys(server.db, false)).toMatchObject({ kid: next, hasBegun: true });
  await reread();
  const after = await signedIn();
  expect([kidOf(after.access), kidOf(before.access) === next]).toEqual([next, false]);
  expect([await statusOf(before.access), await statusOf(after.access)]).toEqual([200, 200]);
  expect(await published()).toEqual([kidOf(before.access), next, await nextKid()]);
});

test('a key that is published more recently signs an hour after its publication', async () => {
  await reread();
  const next = await nextKid();
  const rotation = await rotateKeys(server.db, false);
  expect(rotation).toMatchObject({ kid: next, hasBegun: false });
  expect(await rotateKeys(server.db, false)).toEqual(rotation);
  await reread();
  expect(kidOf((await signedIn()).access)).not.toBe(next);
  const [due] = await server.sql(`select signs_from - create_time = interval '1 hour' as is_due from signing_key where kid = '${next}'`);
  expect(due).toEqual({ is_due: true });
  await age('signs_from', '1 hour');
  await reread();
  expect(kidOf((await signedIn()).access)).toBe(next);
});

test('a key is replaced after its days and removed once its tokens have expired', async () => {
  await reread();
  const { access } = await signedIn();
  await completeKeys(server.db, 30);
  expect(await published()).toHaveLength(2);
  await age('signs_from', '30 days');
  await completeKeys(server.db, 30);
  // The next key has not been published for an hour.
  expect(await server.sql('select 1 from signing_key where signs_from > now() - interval $$1 day$$')).toEqual([]);
  await age('create_time', '1 hour');
  await completeKeys(server.db, 30);
  await reread();
  expect(kidOf((await signedIn()).access)).not.toBe(kidOf(access));
  expect(await published()).toHaveLength(3);
  expect(await statusOf(access)).toBe(200);

  await age('signs_from', '2 hours');
  await completeKeys(server.db, 30);
  await reread();
  expect(await published()).toContain(kidOf(access));
  await age('needed_until', '4 hours');
  await completeKeys(server.db, 30);
  await reread();
  expect(await published()).not.toContain(kidOf(access));
  expect(await published()).toHaveLength(2);
});

test('a key is kept as long as the longest token that it has signed', async () => {
  await reread();
  await server.sql(`update client set access_token_validity = 864000 where client_id = 'sryx' returning id`);
  await signedIn();
  await server.sql(`update client set access_token_validity = 3600 where client_id = 'sryx' returning id`);
  await signedIn();
  const [key] = await server.sql(`select needed_until > now() + interval '10 days' as is_long from signing_key where signs_from is not null`);
  expect(key).toEqual({ is_long: true });
});

test('a revocation refuses all access tokens, and users stay signed in by their refresh tokens', async () => {
  await reread();
  const { access, refresh } = await signedIn();
  expect(await statusOf(access)).toBe(200);
  await rotateKeys(server.db, true);
  await reread();
  expect(await statusOf(access)).toBe(401);
  const { body } = await server.post(path, { grant_type: 'refresh_token', refresh_token: refresh }, { headers: clientHeaders });
  expect(await statusOf(body.access_token)).toBe(200);
});

test('keys that no secret decrypts are replaced', async () => {
  const unreadable = `sealed:00000000:${Buffer.alloc(300).toString('base64url')}`;
  await server.sql(`update signing_key set private_key = '${unreadable}' returning kid`);
  await completeKeys(server.db);
  await reread();
  expect(await server.sql(`select 1 from signing_key where private_key = '${unreadable}'`)).toEqual([]);
  const { access } = await signedIn();
  expect([kidOf(access), await statusOf(access)]).toEqual([(await published())[0], 200]);
});

test('a key that another program has inserted under a foreign id is not used', async () => {
  const [row] = await server.sql('select private_key from signing_key where signs_from is null');
  await server.sql(`insert into signing_key (kid, private_key, signs_from) values ('foreign', '${row?.private_key}', now()) returning kid`);
  await reread();
  expect(await published()).not.toContain('foreign');
  await server.sql(`delete from signing_key where kid = 'foreign' returning kid`);
});

test('while a server of an earlier version runs, and for a day after, tokens are signed as it expects', async () => {
  const algorithm = async () => {
    await reread();
    const { access } = await signedIn();
    expect(await statusOf(access)).toBe(200);
    return decodeProtectedHeader(access).alg;
  };
  expect(await algorithm()).toBe('ES256');
  const pair = (await signedIn()).access;
  await server.sql(`insert into replica (id, facts, seen_time) values (gen_random_uuid(), '{"host": "earlier"}', now() + interval '1 minute') returning id`);
  expect(await algorithm()).toBe('HS256');
  expect(await statusOf(pair)).toBe(200);
  expect(await published()).toHaveLength(2);
  await server.sql(`delete from replica where facts ->> 'host' = 'earlier' returning id`);
  expect(await algorithm()).toBe('HS256');
  await server.sql(`update earlier_server set seen_time = now() - interval '24 hours' returning id`);
  expect(await algorithm()).toBe('ES256');
});
