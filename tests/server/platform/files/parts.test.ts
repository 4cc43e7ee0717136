import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { fileProblems, files } from '#shared/files';
import type { Parameters } from '../../../../src/server/base/parameters.ts';
import { DiskStore } from '../../../../src/server/platform/files/disk-store.ts';
import { partBytes } from '../../../../src/server/platform/files/object-store.ts';
import { Signatures } from '../../../../src/server/platform/files/signatures.ts';
import { startFiles } from '../../../../src/server/platform/files/start-files.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'marquee-parts-'));
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ environment: { DATA_DIR: directory } });
  headers = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const unlimited: Parameters = { text: async ({ preset }) => preset, integer: async ({ preset }) => preset, flag: async ({ preset }) => preset };
const sweep = () => startFiles({ db: server.db, signatures: new Signatures(new Uint8Array(32)), parameters: unlimited, directory }).files.sweep();
const content = randomBytes(2 * partBytes + 1234);
const film = { fileName: '片.mp4', size: content.length, lastModified: 1_780_000_000_000 };
const begin = (form: object = film, as = headers) => server.post(files.beginParts.path, form, { headers: as });
const part = (number: number) => content.subarray((number - 1) * partBytes, number * partBytes);
const send = (id: string, number: number, bytes = part(number), as = headers) =>
  server.upload(files.sendPart.path, { name: 'blob', content: bytes, fields: { id, number: String(number) } }, { headers: as });
const complete = (id: string, as = headers) => server.post(files.completeParts.path, { id }, { headers: as });

test('a large file is uploaded in parts, in any order, and resumed after an interruption', async () => {
  const { data } = await begin();
  expect(data).toMatchObject({ partSize: partBytes, parts: 3, arrived: [] });
  expect((await send(data.id, 3)).data.arrived).toEqual([3]);
  expect((await send(data.id, 1)).data.arrived).toEqual([1, 3]);
  expect(await complete(data.id)).toMatchObject({ code: 409, msg: '还有分片未上传' });
  expect((await begin()).data).toMatchObject({ id: data.id, arrived: [1, 3] });
  expect((await begin({ ...film, lastModified: 1 })).data).toMatchObject({ arrived: [] });
  expect((await server.get(files.parts.path, { headers, query: { id: data.id } })).data.arrived).toEqual([1, 3]);
  await send(data.id, 2);
  const done = await complete(data.id);
  expect(done.data).toMatchObject({ id: data.id, size: content.length, originalName: '片.mp4', type: 'application/octet-stream' });
  expect((await complete(data.id)).data.name).toBe(done.data.name);
  expect(Buffer.compare((await server.get(done.data.link)).body.bytes, content)).toBe(0);
});

test('a connection that is killed in the middle of a part leaves the parts before it', async () => {
  const { data } = await begin({ ...film, fileName: 'killed.mp4' });
  await send(data.id, 1);
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const boundary = '----killed';
  socket.write(
    `POST ${files.sendPart.path} HTTP/1.1\r\nhost: localhost\r\nthings-auth: ${headers['things-auth']}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${partBytes + 500}\r\n\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="id"\r\n\r\n${data.id}\r\n--${boundary}\r\ncontent-disposition: form-data; name="number"\r\n\r\n2\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\n`,
  );
  await new Promise<void>((resolve, reject) => socket.write(part(2).subarray(0, 100_000), (error) => (error ? reject(error) : resolve())));
  socket.destroy();
  expect((await begin({ ...film, fileName: 'killed.mp4' })).data).toMatchObject({ id: data.id, arrived: [1] });
  await send(data.id, 2);
  await send(data.id, 3);
  const done = await complete(data.id);
  expect(Buffer.compare((await server.get(done.data.link)).body.bytes, content)).toBe(0);
});

test("a part fits its place, and an upload is its owner's alone", async () => {
  const { data } = await begin({ ...film, fileName: 'own.mp4' });
  expect(await send(data.id, 1, part(1).subarray(1))).toMatchObject({ code: 400, msg: '分片 1 的大小不符' });
  expect(await send(data.id, 4, part(3))).toMatchObject({ code: 400 });
  expect(await send(data.id, 1, Buffer.alloc(partBytes + 1))).toMatchObject({ code: 413 });
  await server.createUser({ account: 'stranger' });
  const stranger = await server.signIn('stranger');
  expect(await send(data.id, 1, part(1), stranger)).toMatchObject({ code: 404 });
  expect(await complete(data.id, stranger)).toMatchObject({ code: 404 });
  expect(await server.get(files.parts.path, { headers: stranger, query: { id: data.id } })).toMatchObject({ code: 404 });
  expect((await begin({ ...film, fileName: 'own.mp4' }, stranger)).data.id).not.toBe(data.id);
  expect(await begin({ ...film, size: 3 * 1024 ** 3 })).toMatchObject({ code: 413, msg: '文件不能超过 2048 MB' });
});

test('an incomplete upload is removed with its parts', async () => {
  const { data } = await begin({ ...film, fileName: 'left.mp4' });
  await send(data.id, 1);
  const [row] = await server.sql(`update stored_file set expires_at = now() - interval '1 minute' where id = ${data.id} returning key`);
  const unfinished = () => readdirSync(join(directory, 'files'), { recursive: true }).filter((path) => String(path).includes(String(row?.key)));
  expect(unfinished().some((path) => String(path).endsWith('.part'))).toBe(true);
  await sweep();
  expect(unfinished().filter((path) => String(path).endsWith('.part'))).toEqual([]);
  expect(await server.sql(`select 1 from stored_part where file_id = ${data.id}`)).toEqual([]);
});

test('a part of a file is fetched by its range', async () => {
  const { data } = await server.upload(files.upload.path, { name: 'a.txt', content: '0123456789' }, { headers });
  const ask = (range: string) => server.get(data.link, { headers: { range } });
  const middle = await ask('bytes=2-4');
  expect({ status: middle.status, text: String(middle.body.bytes), range: middle.headers['content-range'], length: middle.headers['content-length'] }).toEqual({
    status: 206,
    text: '234',
    range: 'bytes 2-4/10',
    length: '3',
  });
  expect(String((await ask('bytes=-3')).body.bytes)).toBe('789');
  expect(String((await ask('bytes=8-99')).body.bytes)).toBe('89');
  for (const odd of ['bytes=9-2', 'bytes=20-', 'bytes=0-1,3-4', 'lines=1-2']) expect((await ask(odd)).status, odd).toBe(200);
});

test('storage of a tenant is reserved when an upload starts and released when it is removed', async () => {
  await server.createTenant('small');
  await server.createUser({ account: 'saver', tenantId: 'small' });
  const saver = await server.signIn('saver', 'small');
  const bounded = await openTestServer({ db: server.db, environment: { DATA_DIR: directory }, plugins: ['settings'] });
  const admin = await bounded.signIn();
  await bounded.post('/api/blade-system/param/submit', { paramName: '额度', paramKey: 'file.tenantMegabytes.small', paramValue: '11' }, { headers: admin });
  const ask = (fileName: string) => bounded.post(files.beginParts.path, { ...film, fileName }, { headers: saver });
  const [first, ...others] = await Promise.all(['a', 'b', 'c'].map((name) => ask(`${name}.mp4`)));
  const replies = [first, ...others].map((reply) => reply?.code).sort();
  expect(replies).toEqual([200, 409, 409]);
  expect((await bounded.upload(files.upload.path, { name: 'x.bin', content: Buffer.alloc(1024 * 1024) }, { headers: saver })).msg).toBe(
    '存储空间已用完（上限 11 MB）',
  );
  await server.sql(`update stored_file set expires_at = now() - interval '1 minute' where tenant_id = 'small'`);
  await sweep();
  expect(await server.sql(`select bytes::integer as bytes from file_usage where tenant_id = 'small'`)).toEqual([{ bytes: 0 }]);
  expect(await ask('d.mp4')).toMatchObject({ code: 200 });
  expect((await bounded.post(files.beginParts.path, film, { headers: admin })).code).toBe(200);
});

test('a full disk is reported and leaves nothing behind', async () => {
  const key = 'ab'.repeat(16);
  const folder = join(directory, 'full');
  mkdirSync(join(folder, 'ab'), { recursive: true });
  const store = new DiskStore(folder);
  symlinkSync('/dev/full', join(folder, 'ab', `${key}.part`));
  await expect(store.putPart({ key, name: key }, 1, Buffer.alloc(10))).rejects.toMatchObject({ problem: fileProblems.storeFull });
  await expect(store.put(key, Readable.from([Buffer.alloc(10)]))).rejects.toMatchObject({ problem: fileProblems.storeFull });
  expect(readdirSync(join(folder, 'ab'))).toEqual([]);
});

test('an upload that meets a full disk is answered 507, whole or in parts, and leaves nothing that is counted', async () => {
  const onFullDisk = (key: string) => {
    const path = join(directory, 'files', key.slice(0, 2), `${key}.part`);
    mkdirSync(join(path, '..'), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync('/dev/full', path);
  };
  const full = { status: 507, code: 507, msg: '服务器存储空间不足，请联系管理员' };
  const used = async () => (await server.sql(`select coalesce(sum(bytes), 0)::bigint as bytes from file_usage`))[0]?.bytes;
  const { data } = await begin({ ...film, fileName: 'full.mp4' });
  const [row] = await server.sql(`select key from stored_file where id = ${data.id}`);
  onFullDisk(String(row?.key));
  expect(await send(data.id, 1)).toMatchObject(full);
  expect((await server.get(files.parts.path, { headers, query: { id: data.id } })).data.arrived).toEqual([]);

  // A whole upload generates its key when it is written; the database is made to return the key that the disk is prepared for.
  const before = await used();
  const key = 'cd'.repeat(16);
  onFullDisk(key);
  await server.sql(`create function full_key() returns trigger language plpgsql as $$ begin new.key := '${key}'; return new; end $$`);
  await server.sql('create trigger full_key before insert on stored_file for each row execute function full_key()');
  const english = { headers: { ...headers, 'accept-language': 'en' } };
  const reply = await server.upload(files.upload.path, { name: 'whole.bin', content: Buffer.alloc(100_000, 7) }, english);
  await server.sql('drop trigger full_key on stored_file');
  expect(reply).toMatchObject({ ...full, msg: 'The server is out of storage space. Contact an administrator.' });
  expect(await server.sql(`select stage from stored_file where key = '${key}' and stage <> 'removed'`)).toEqual([]);
  expect(await used()).toBe(before);
  expect((await server.upload(files.upload.path, { name: 'next.bin', content: 'next' }, { headers })).code).toBe(200);
});
