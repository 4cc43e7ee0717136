import { createPublicKey, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { secretKeysOf } from '../../../../../src/server/base/configuration/secret-key.ts';
import { sentStatements } from '../../../../support/sent-statements.ts';
import { openTestServer, type TestServer, testSecret } from '../../../../support/test-server.ts';

const jwks = '/.well-known/jwks.json';
const whoAmI = '/api/blade-auth/oauth/user-info';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await openTestServer({ environment: { BASE_PATH: '/desk' } });
  token = (await server.signIn())['things-auth']?.slice('bearer '.length) ?? '';
});
afterAll(() => server.stop());

const statusOf = async (bearer: string) => (await server.get(whoAmI, { headers: { 'things-auth': `bearer ${bearer}` } })).status;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('the keys are public, cacheable and without their private halves: one that signs and the next one', async () => {
  const { status, headers, body } = await server.get(jwks);
  expect({ status, cache: headers['cache-control'] }).toEqual({ status: 200, cache: 'public, max-age=600' });
  expect(body.keys).toHaveLength(2);
  for (const key of body.keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  }
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT', kid: body.keys[0].kid });
  expect((await server.app.inject(jwks)).statusCode).toBe(404);
});

test('the private halves are encrypted in the database', async () => {
  const rows = await server.sql('select private_key from signing_key');
  expect(rows.map(({ private_key: text }) => String(text).slice(0, 7))).toEqual(['sealed:', 'sealed:']);
});

test('another program verifies a token with the address alone', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/desk${jwks}`;
  const expected = { issuer: 'marquee', audience: 'marquee', algorithms: ['ES256'] };
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(address)), expected);
  expect(payload).toMatchObject({ token_type: 'access_token', tenant_id: '000000', client_id: 'sryx' });

  // A program without a library for tokens gets the same result.
  const { keys } = (await (await fetch(address)).json()) as { keys: { kid: string }[] };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const key = createPublicKey({ key: { ...keys.find((one) => one.kid === kid) }, format: 'jwk' });
  const isSigned = (text: string) =>
    verify('sha256', Buffer.from(`${header}.${text}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  expect([isSigned(claims), isSigned(encoded({ user_id: '1' }))]).toEqual([true, false]);
});

test('a token of a key pair is accepted for its own algorithm alone', async () => {
  const { keys } = (await server.get(jwks)).body;
  const { kid } = decodeProtectedHeader(token) as { kid: string };
  const jwk = keys.find((key: { kid: string }) => key.kid === kid);
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const [, claims = '', signature = ''] = token.split('.');
  const payload = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const signedWith = (secret: Uint8Array, header: object) => new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header }).sign(secret);
  const publicTexts = [String(pem), String(pem).trim(), JSON.stringify(jwk), jwk.x, `${jwk.x}${jwk.y}`].map((text) => new TextEncoder().encode(text));
  const der = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' });

  const forged = [
    ...(await Promise.all([...publicTexts, new Uint8Array(der)].map((secret) => signedWith(secret, { kid })))),
    `${encoded({ alg: 'none', typ: 'JWT', kid })}.${claims}.`,
    `${encoded({ alg: 'None', typ: 'JWT', kid })}.${claims}.${signature}`,
    `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${claims}.${signature}`,
    `${encoded({ alg: 'ES384', typ: 'JWT', kid })}.${claims}.${signature}`,
    `${encoded({ alg: 'ES256', typ: 'JWT' })}.${claims}.${signature}`,
    `${encoded({ alg: 'ES256', typ: 'JWT', kid: keys.find((key: { kid: string }) => key.kid !== kid).kid })}.${claims}.${signature}`,
    `${encoded({ alg: 'ES256', typ: 'JWT', kid })}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
    `${encoded({ alg: 'ES256', typ: 'JWT', kid: [kid] })}.${claims}.${signature}`,
  ];
  for (const text of forged) expect({ text, status: await statusOf(text) }).toEqual({ text, status: 401 });
  expect(await statusOf(token)).toBe(200);
  // The version before signs with the secret, and its tokens stay valid until they expire.
  expect(await statusOf(await signedWith(secretKeysOf(testSecret).token[0], {}))).toBe(200);
});

test('a flood of invented key ids reads the database at most once in five seconds', async () => {
  const [, claims = '', signature = ''] = token.split('.');
  const started = performance.now();
  const statements = await sentStatements(server.db, async () => {
    const texts = Array.from({ length: 500 }, (_, index) => `${encoded({ alg: 'ES256', typ: 'JWT', kid: `invented-${index}` })}.${claims}.${signature}`);
    const statuses = await Promise.all(texts.map(statusOf));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
  const allowed = 1 + Math.floor((performance.now() - started) / 5000);
  expect(statements.filter((text) => text.includes('signing_key')).length).toBeLessThanOrEqual(allowed);
});
