import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { secretKeysOf } from '../../../src/server/base/configuration/secret-key.ts';
import { Encryption } from '../../../src/server/base/encryption.ts';
import { repositoryOf, tableOf } from '../../../src/server/data/index.ts';
import { openTestServer, type TestServer, testSecret } from '../../support/test-server.ts';
import { evil, safe, Vault, vault, vaultPlugin, writeVault } from '../../support/vault-plugin.ts';

let server: TestServer;
let headers: Record<string, string>;
const scope = { tenantId: '000000' };

beforeAll(async () => {
  server = await openTestServer({ plugins: [vaultPlugin, 'transfers'] });
  headers = await server.signIn();
});
beforeEach(async () => void (await server.sql('truncate vault')));
afterAll(() => server.stop());

const submit = (form: object) => server.post(vault.submit.path, form, { headers });
const raw = () => server.sql('select id::text as id, name, content, api_key, pin from vault order by id');
const vaults = () => repositoryOf(server.db, Vault);
const reveal = (id: string, field: 'apiKey' | 'pin' = 'apiKey', tenantId = '000000') => server.db.read({ tenantId }, () => vaults().decrypt(id, field));

async function imported(content: string) {
  const preview = await server.upload(vault.importPreview.path, { name: 'vaults.csv', content }, { headers });
  const { fileId, mapping } = preview.data;
  const { data } = await server.post(vault.import.path, { fileId, mapping, mode: 'good' }, { headers });
  const ended = async () => (await server.get(transfers.detail.path, { headers, query: { id: data.id } })).data;
  await expect.poll(async () => (await ended()).state, { timeout: 10_000 }).toBe('done');
  return { preview, ended: await ended() };
}

test.each([
  ['submit', () => submit({ name: 'a', content: evil, apiKey: 'plain-a' })],
  ['an edit', async () => submit({ id: (await submit({ name: 'a', apiKey: 'plain-a' })).data.id, name: 'a', content: evil })],
  [
    'bulkSubmit',
    async () => server.post(vault.bulkSubmit.path, { ids: [(await submit({ name: 'a', apiKey: 'plain-a' })).data.id], values: { content: evil } }, { headers }),
  ],
  ['an import', () => imported(`名称,正文,接口密钥\r\na,"${evil.replaceAll('"', '""')}",plain-a\r\n`)],
  ['a plugin', () => server.post(writeVault.path, { name: 'a' }, { headers })],
])('formatted text written by %s is stored without scripts', async (_way, write) => {
  await write();
  const rows = await raw();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ content }) => content)).toEqual(rows.map(() => safe));
});

test('a table contains no secret in plain text after any kind of write', async () => {
  await submit({ name: 'one', apiKey: 'plain-one', pin: 'plain-pin' });
  await imported('名称,接口密钥\r\ntwo,plain-two\r\n');
  await server.post(writeVault.path, { name: 'three' }, { headers });
  const rows = await raw();
  expect(rows).toHaveLength(5);
  expect(JSON.stringify(rows)).not.toContain('plain-');
  const keys = await Promise.all(rows.map(({ id }) => reveal(String(id))));
  expect(keys.sort()).toEqual(['plain-added', 'plain-inserted', 'plain-one', 'plain-saved', 'plain-two']);
  expect(await reveal(String(rows[0]?.id), 'pin')).toBe('plain-pin');
  expect(await reveal(String(rows[1]?.id), 'pin')).toBeUndefined();
});

test('an insert past the repository does not put a secret into a table', async () => {
  const insert = server.db.write(scope, async () => {
    await server.db.sql.insert(tableOf(Vault)).values({ name: 'x', apiKey: 'plain', mode: 1 } as never);
  });
  await expect(insert).rejects.toThrow();
  expect(await raw()).toEqual([]);
});

test('an edit that leaves a secret out keeps it, one that names it changes it, and one that may be empty is cleared', async () => {
  const { data } = await submit({ name: 'one', apiKey: 'first', pin: '1234' });
  const [before] = await raw();
  await submit({ id: data.id, name: 'other' });
  await submit({ id: data.id, name: 'other', apiKey: '' });
  await submit({ id: data.id, name: 'other', apiKey: '***' });
  await server.post(vault.bulkSubmit.path, { ids: [data.id], values: { mode: 2 } }, { headers });
  const [after] = await raw();
  expect(after).toMatchObject({ name: 'other', api_key: before?.api_key, pin: before?.pin });
  await submit({ id: data.id, name: 'other', apiKey: 'second', pin: null });
  expect(await reveal(data.id)).toBe('second');
  expect(await reveal(data.id, 'pin')).toBeUndefined();
});

test('a secret is decrypted in its tenant only, and other fields are not', async () => {
  const { data } = await submit({ name: 'one', apiKey: 'first' });
  await expect(reveal(data.id, 'apiKey', 'elsewhere')).rejects.toMatchObject({ problem: { status: 404 } });
  await expect(server.db.read(scope, () => vaults().decrypt(data.id, 'name'))).rejects.toThrow('vault.name is not a secret');
  await server.post(vault.remove.path, { ids: [data.id] }, { headers });
  await expect(reveal(data.id)).rejects.toMatchObject({ problem: { status: 404 } });
});

test('no reply, row, export or log carries a secret, plain or sealed', async () => {
  const { data, body } = await submit({ name: 'one', apiKey: 'hush-one', pin: 'hush-pin' });
  await server.post(vault.bulkSubmit.path, { ids: [data.id], values: { apiKey: 'hush-two' } }, { headers });
  await server.post(vault.bulkSubmit.path, { ids: ['1'], values: { apiKey: 'hush-three' } }, { headers });
  await server.get(vault.list.path, { headers, query: { apiKey_equal: 'hush-four' } });
  const { preview } = await imported('名称,接口密钥\r\ntwo,hush-five\r\n,hush-six\r\n');
  expect(preview.data.rows[0].cells).toEqual(['two', '***']);
  const told = [
    body,
    (await server.get(vault.detail.path, { headers, query: { id: data.id } })).body,
    (await server.get(vault.list.path, { headers })).body,
    preview.body,
    await server.db.read(scope, () => vaults().list()),
  ];
  const { data: run } = await server.post(vault.export.path, { format: 'csv' }, { headers });
  const { data: file } = await server.get(transfers.link.path, { headers, query: { id: run.id } });
  told.push((await server.get(file.link)).body.text);
  expect(JSON.stringify(told)).not.toMatch(/hush|sealed:/);
  const logged = async () => JSON.stringify(await server.sql('select params, changes from api_log'));
  await expect.poll(logged, { timeout: 5000 }).toMatch(/apiKey_equal/);
  expect(await logged()).not.toMatch(/hush|sealed:/);
  expect(await logged()).toMatch(/\\"apiKey\\":\\"\*\*\*\\"/);
});

test('encrypted values open only with their key, and not after any bit has changed', () => {
  const seals = new Encryption();
  expect(() => seals.encrypt('x')).toThrow('before the key is available');
  seals.setKey(...secretKeysOf(testSecret).encryption);
  const sealed = seals.encrypt('密钥 x');
  expect(seals.encrypt('密钥 x')).not.toBe(sealed);
  seals.setKey(new Uint8Array(32).fill(7));
  expect(seals.decrypt(sealed)).toBe('密钥 x');
  expect(seals.encrypt('x').slice(0, 15)).not.toBe(sealed.slice(0, 15));
  const place = sealed.length - 4;
  const changed = `${sealed.slice(0, place)}${sealed[place] === 'A' ? 'B' : 'A'}${sealed.slice(place + 1)}`;
  expect(() => seals.decrypt(changed)).toThrow();
  expect(() => seals.decrypt('plain')).toThrow('not encrypted');
  const others = new Encryption();
  others.setKey(new Uint8Array(32).fill(8));
  expect(() => others.decrypt(sealed)).toThrow('which is not available');
});
