import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import { readConfiguration } from '../../../src/server/base/configuration/configuration.ts';
import { secretKeysOf, storedSecret } from '../../../src/server/base/configuration/secret-key.ts';
import { packageKey } from '../../support/package-archive.ts';

const DATABASE_URL = 'postgres://marquee@db/marquee';
const SECRET_KEY = 'rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=';
const CLIENT_SECRET = 'hT3vK9pLx2Wq7Zr';

function complaints(environment: Record<string, string>): string {
  try {
    readConfiguration(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('an empty environment describes the embedded product', () => {
  expect(readConfiguration({ PORT: '' })).toMatchObject({
    mode: 'production',
    port: 8080,
    databaseUrl: undefined,
    secretKey: undefined,
    captcha: true,
    timeZone: 'Asia/Shanghai',
    logLevel: 'info',
    trustProxy: false,
    apiDocs: 'on',
  });
});

test('all errors are reported at once in clear sentences', () => {
  const said = complaints({
    PORT: 'eighty',
    CAPTCHA_MODE: 'maybe',
    TIME_ZONE: 'Mars/Olympus',
    DATABASE_URL: 'mysql://x',
    SECRET_KEY: 'short',
    CAPTCHA_TEST_ANSWER: 'abcde',
  });
  for (const word of [
    'PORT is "eighty"',
    'CAPTCHA_MODE',
    'Mars/Olympus',
    'DATABASE_URL',
    'SECRET_KEY is too short',
    'CLIENT_SECRET is missing',
    'CAPTCHA_TEST_ANSWER',
  ]) {
    expect(said).toContain(word);
  }
});

test('with DATABASE_URL the secrets are required, must be long, and must not be published samples', () => {
  expect(complaints({ DATABASE_URL, SECRET_KEY, CLIENT_SECRET })).toBe('');
  expect(complaints({ DATABASE_URL })).toMatch(/SECRET_KEY is missing[\s\S]*CLIENT_SECRET is missing/);
  expect(complaints({ DATABASE_URL, NODE_ENV: 'test' })).toContain('SECRET_KEY is missing');
  expect(complaints({ DATABASE_URL, SECRET_KEY, CLIENT_SECRET: 'sryx_secret' })).toContain('CLIENT_SECRET');
  const samples = [
    'bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject',
    'a'.repeat(40),
    'change-me-change-me-change-me-change-me',
  ];
  for (const sample of samples) expect(complaints({ DATABASE_URL, CLIENT_SECRET, SECRET_KEY: sample })).toContain('published sample or a pattern');
});

test('development asks for no secrets, and the captcha seam exists in tests alone', () => {
  expect(complaints({ DATABASE_URL, NODE_ENV: 'development' })).toBe('');
  expect(complaints({ CAPTCHA_TEST_ANSWER: 'abcde', NODE_ENV: 'test' })).toBe('');
  for (const mode of ['production', 'development']) expect(complaints({ CAPTCHA_TEST_ANSWER: 'abcde', NODE_ENV: mode })).toContain('CAPTCHA_TEST_ANSWER');
});

const folder = mkdtempSync(join(tmpdir(), 'marquee-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the generated key is its owner’s alone and stays the same', () => {
  const directory = join(folder, 'data');
  const secret = storedSecret(directory);
  expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
  expect(statSync(join(directory, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(storedSecret(directory)).toBe(secret);
  expect(readFileSync(join(directory, 'secret.key'), 'utf8')).toBe(secret);
});

test('a key file that was emptied is refused, not replaced', () => {
  writeFileSync(join(folder, 'secret.key'), '');
  expect(() => storedSecret(folder)).toThrow('contains no valid key');
});

test('each purpose has its own key', () => {
  const {
    token: [token],
    encryption: [encryption],
  } = secretKeysOf('a'.repeat(32));
  expect(token).toHaveLength(32);
  expect(Buffer.from(token).equals(Buffer.from(encryption))).toBe(false);
  expect(secretKeysOf('a'.repeat(32)).token).toEqual([token]);
});

test('the settings of external sign-in are checked: encryption in transit and the return address', () => {
  const sso = { SSO_ISSUER: 'https://issuer.test', SSO_CLIENT_ID: 'marquee', PUBLIC_URL: 'https://console.test' };
  expect(complaints(sso)).toBe('');
  expect(complaints({ ...sso, PUBLIC_URL: '' })).toContain('PUBLIC_URL is missing');
  expect(complaints({ ...sso, SSO_CLIENT_ID: '' })).toContain('SSO_CLIENT_ID is missing');
  expect(complaints({ ...sso, SSO_ISSUER: 'http://issuer.test' })).toContain('SSO_ISSUER must use https');
  expect(complaints({ ...sso, SSO_ISSUER: 'http://127.0.0.1:9000' })).toBe('');
  expect(complaints({ ...sso, SSO_TENANT: 'not a tenant' })).toContain('SSO_TENANT');
  expect(complaints({ ...sso, SSO_MATCH: 'name' })).toContain('SSO_MATCH');
  expect(complaints({ PUBLIC_URL: 'http://console.test' })).toContain('PUBLIC_URL must use https');
  expect(complaints({ PUBLIC_URL: 'https://console.test/app' })).toContain('PUBLIC_URL has a path');
  const github = (address: string) => complaints({ SOCIAL_ENDPOINTS: JSON.stringify({ github: { token: address } }) });
  expect(github('https://github.company.test/token')).toBe('');
  for (const wrong of ['http://github.company.test/token', 'no address']) expect(github(wrong)).toContain('SOCIAL_ENDPOINTS');
  for (const wrong of ['{', '{"facebook": {}}']) expect(complaints({ SOCIAL_ENDPOINTS: wrong })).toContain('SOCIAL_ENDPOINTS');
});

test('text messages are stored for administrators by default only where no real accounts depend on them', () => {
  expect(readConfiguration({}).smsOutbox).toBe(false);
  expect(readConfiguration({ NODE_ENV: 'development' }).smsOutbox).toBe(true);
  expect(readConfiguration({ SMS_OUTBOX: 'on' }).smsOutbox).toBe(true);
});

test('keys of packages are named Ed25519 keys; anything else is refused with an example', () => {
  const { setting } = packageKey('acme');
  expect([...readConfiguration({ PLUGIN_KEYS: `${setting}, ${packageKey('other').setting}` }).pluginKeys.keys()]).toEqual(['acme', 'other']);
  for (const wrong of ['acme', 'acme:AAAA', `:${setting.split(':')[1]}`])
    expect(() => readConfiguration({ PLUGIN_KEYS: wrong })).toThrow(`PLUGIN_KEYS contains "${wrong}", but must list keys like acme:MCowBQYDK2VwAyEA…`);
});
