import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { files } from '#shared/files';
import { sanitizeFilename } from '../../../../src/server/platform/files/byte-limit.ts';
import { contentTypeOf, sampleOf } from '../../../../src/server/platform/files/content-type.ts';
import { FileRows } from '../../../../src/server/platform/files/file-rows.ts';
import { Files } from '../../../../src/server/platform/files/files.ts';
import { Signatures } from '../../../../src/server/platform/files/signatures.ts';
import { Stores } from '../../../../src/server/platform/files/stores.ts';
import { RecordingStore } from '../../../support/held-store.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const directory = mkdtempSync(join(tmpdir(), 'marquee-files-'));
let server: TestServer;
let headers: Record<string, string>;
let otherHeaders: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ environment: { DATA_DIR: directory } });
  headers = await server.signIn();
  await server.createUser({ account: 'other' });
  otherHeaders = await server.signIn('other');
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const upload = (name: string, content: string | Uint8Array, fields: Record<string, string> = {}, as = headers) =>
  server.upload(files.upload.path, { name, content, fields }, { headers: as });
const storedFiles = () => readdirSync(join(directory, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test('a file is stored under a generated name and served by its link as an attachment', async () => {
  const { data, code } = await upload('../../etc/合同 v2.png', png);
  expect({ code, ...data }).toMatchObject({ code: 200, originalName: '合同 v2.png', size: png.length, type: 'image/png', ext: 'png' });
  expect(data.name).toMatch(/^[0-9a-f]{32}$/);
  expect(storedFiles().map(({ name }) => name)).toContain(data.name);
  const reply = await server.get(data.link);
  expect(reply.status).toBe(200);
  expect(Buffer.compare(reply.body.bytes, png)).toBe(0);
  expect(reply.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-length': String(png.length),
  });
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="__ v2.png"; filename*=UTF-8''${encodeURIComponent('合同 v2.png')}`);
});

test('the type of a file is detected from its content', async () => {
  const page = await upload('picture.png', '<html><script>alert(1)</script></html>');
  expect(page.data).toMatchObject({ type: 'text/plain' });
  expect((await server.get(page.data.link)).headers).toMatchObject({ 'content-type': expect.stringContaining('text/plain') });
  expect(await contentTypeOf(new Uint8Array([0, 1, 2, 3]))).toEqual({ type: 'application/octet-stream', ext: '' });
  expect(await contentTypeOf(Buffer.from('汉字').subarray(0, 5))).toEqual({ type: 'text/plain', ext: 'txt' });
});

test('only images can be public, and their links do not expire', async () => {
  expect(await upload('page.html', '<p>', { isPublic: 'true' })).toMatchObject({ status: 400, msg: '公开文件只能是图片' });
  const { data } = await upload('logo.png', png, { isPublic: 'true' });
  expect(data.link).toBe(`/api/file/blob?key=${data.name}`);
  const reply = await server.get(data.link);
  expect({ status: reply.status, cache: reply.headers['cache-control'] }).toEqual({ status: 200, cache: 'public, max-age=31536000, immutable' });
});

test('a link is valid for one file until its expiry', async () => {
  const { data } = await upload('a.txt', 'first');
  const second = (await upload('b.txt', 'second')).data;
  const query = Object.fromEntries(new URLSearchParams(data.link.split('?')[1]));
  const requestBlob = (change: Record<string, string | undefined>) =>
    server.get(files.blob.path, { query: Object.fromEntries(Object.entries({ ...query, ...change }).filter(([, value]) => value)) as Record<string, string> });
  expect(await requestBlob({})).toMatchObject({ status: 200 });
  expect(await requestBlob({ key: second.name })).toMatchObject({ status: 403, msg: '链接已失效，请重新获取' });
  expect(await requestBlob({ expires: String(Number(query.expires) + 60) })).toMatchObject({ status: 403 });
  expect(await requestBlob({ signature: undefined })).toMatchObject({ status: 404 });
  expect(await requestBlob({ key: '../../secret.key' })).toMatchObject({ status: 400 });
  expect(await requestBlob({ key: 'f'.repeat(32), signature: undefined, expires: undefined })).toMatchObject({ status: 404 });
  const signatures = new Signatures(new Uint8Array(32));
  const past = Math.floor(Date.now() / 1000) - 1;
  expect(signatures.isValid('a', past, signatures.sign('a', past))).toBe(false);
});

test('other users can neither link to a file nor delete it, and other tenants do not see it', async () => {
  const { data } = await upload('mine.txt', 'mine');
  expect(await server.get(files.link.path, { headers, query: { id: data.id } })).toMatchObject({ code: 200 });
  expect(await server.get(files.link.path, { headers: otherHeaders, query: { id: data.id } })).toMatchObject({ code: 404 });
  expect(await server.post(files.remove.path, { id: data.id }, { headers: otherHeaders })).toMatchObject({ code: 404 });
  await server.createTenant('elsewhere');
  await server.createUser({ account: 'stranger', roleAlias: 'admin', tenantId: 'elsewhere' });
  const stranger = await server.signIn('stranger', 'elsewhere');
  for (const target of [{ id: data.id }, { name: data.name }, { url: data.link }])
    expect(await server.post(files.remove.path, target, { headers: stranger })).toMatchObject({ code: 404 });
});

test('a deleted file is removed from the table and from the disk', async () => {
  const { data } = await upload('gone.txt', 'gone', {}, otherHeaders);
  expect(await server.post(files.remove.path, { url: data.link }, { headers })).toMatchObject({ code: 200 });
  expect(await server.get(data.link)).toMatchObject({ status: 404 });
  expect(storedFiles().map(({ name }) => name)).not.toContain(data.name);
});

test('an upload that is too large, empty, without a file, unauthorized or to another call is refused and stores nothing', async () => {
  const before = storedFiles().length;
  expect(await upload('big.bin', Buffer.alloc(21 * 1024 * 1024, 7))).toMatchObject({ status: 413, msg: '文件不能超过 20 MB' });
  expect(await upload('empty.txt', '')).toMatchObject({ status: 400, msg: '文件为空' });
  expect(await server.post(files.upload.path, { file: 'text' }, { headers })).toMatchObject({ status: 415 });
  expect(await server.upload('/api/things-system/menu/routes', { name: 'a', content: 'a' }, { headers })).toMatchObject({ status: 405 });
  expect(await server.upload(files.remove.path, { name: 'a', content: 'a' }, { headers })).toMatchObject({ status: 415 });
  expect(await server.upload(files.upload.path, { name: 'a', content: 'a' })).toMatchObject({ status: 401 });
  expect(storedFiles().length).toBe(before);
  const rows = await server.sql('select count(*)::integer as rows from stored_file where size = 0');
  expect(rows).toEqual([{ rows: 0 }]);
});

test('expired files are removed with their content, by a later sweep if their store is unavailable', async () => {
  const { data } = await upload('short.txt', 'short');
  await server.sql(`update stored_file set expires_at = now() - interval '1 minute' where id = ${data.id}`);
  expect(await server.get(data.link)).toMatchObject({ status: 404 });
  const store = new RecordingStore();
  const stores = new Stores();
  stores.setDefault('disk', store);
  const service = new Files(new FileRows(server.db, async () => Number.POSITIVE_INFINITY), new Signatures(new Uint8Array(32)), stores);
  store.isAway = true;
  await service.sweep();
  expect(await server.sql(`select stage from stored_file where id = ${data.id}`)).toEqual([{ stage: 'removed' }]);
  store.isAway = false;
  await server.sql(`update stored_file set expires_at = now() - interval '1 minute' where id = ${data.id}`);
  await service.sweep();
  expect(store.removed).toEqual([data.name]);
  expect(await server.sql(`select stage from stored_file where id = ${data.id}`)).toEqual([]);
  expect(existsSync(join(directory, 'files'))).toBe(true);
});

test('file names lose folders and control characters and are shortened', () => {
  expect(['a/b\\c.txt', '..', '', 'x\u0000\n.csv', `${'长'.repeat(300)}.xlsx`].map(sanitizeFilename)).toEqual([
    'c.txt',
    'file',
    'file',
    'x__.csv',
    `${'长'.repeat(195)}.xlsx`,
  ]);
});

test('a stream whose beginning was sampled still has all of its content', async () => {
  const chunks = [Buffer.alloc(3000, 1), Buffer.alloc(3000, 2), Buffer.alloc(10, 3)];
  const { sample, whole } = await sampleOf(Readable.from(chunks));
  expect(sample.length).toBe(4100);
  expect(Buffer.concat(await whole.toArray())).toEqual(Buffer.concat(chunks));
});
