import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { files } from '#shared/files';
import { contentTypeOf, matchesDeclaredType } from '../../../../src/server/platform/files/content-type.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const directory = mkdtempSync(join(tmpdir(), 'marquee-direct-'));
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

const sign = async (input: Record<string, string>) => (await server.get(files.signature.path, { headers, query: input })).data;
const send = (fields: Record<string, string>, content: string | Uint8Array, name = 'x') => server.upload(files.direct.path, { name, content, fields });

test('a signed address accepts one file without a token', async () => {
  const signed = await sign({ fileName: '../../图.png', contentType: 'image/png', size: String(png.length) });
  expect(signed).toMatchObject({ uploadUrl: files.direct.path, method: 'POST', key: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await server.get(signed.link)).toMatchObject({ status: 404 });
  const { code, data } = await send(signed.fields, png, '../../../etc/passwd');
  expect({ code, ...data }).toMatchObject({ code: 200, id: signed.id, name: signed.key, originalName: '图.png', type: 'image/png', size: png.length });
  expect(Buffer.compare((await server.get(signed.link)).body.bytes, png)).toBe(0);
  expect(await send(signed.fields, png)).toMatchObject({ code: 403 });
});

test('a signed address has its own key and expiry time', async () => {
  const [first, second] = [await sign({ fileName: 'a.txt' }), await sign({ fileName: 'b.txt' })];
  expect(await send({ ...first.fields, key: second.key }, 'text')).toMatchObject({ code: 403 });
  expect(await send({ ...first.fields, key: '../../../../etc/passwd' }, 'text')).toMatchObject({ code: 400 });
  expect(await send({ ...first.fields, expires: String(Number(first.fields.expires) + 3600) }, 'text')).toMatchObject({ code: 403 });
  expect(await send({ ...first.fields, signature: second.fields.signature }, 'text')).toMatchObject({ code: 403 });
  const link = Object.fromEntries(new URLSearchParams(first.link.split('?')[1]));
  expect(await send(link, 'text')).toMatchObject({ code: 403 });
  expect(await send(first.fields, 'text')).toMatchObject({ code: 200 });
});

test('a file that is too large, of another type or empty is refused, and a valid one can be sent until the address expires', async () => {
  const signed = await sign({ fileName: 'a.png', contentType: 'image/png', size: String(png.length) });
  expect(await send(signed.fields, '<html><script>alert(1)</script>')).toMatchObject({ code: 400, msg: '文件内容是 text/plain，与声明的 image/png 不符' });
  expect(await send(signed.fields, Buffer.concat([png, png]))).toMatchObject({ code: 413 });
  expect(await send(signed.fields, '')).toMatchObject({ code: 400 });
  expect(await send(signed.fields, png)).toMatchObject({ code: 200 });
  expect(await server.get(files.signature.path, { headers, query: { fileName: 'a', size: String(50 * 1024 * 1024) } })).toMatchObject({ code: 413 });
  expect(await server.get(files.signature.path, { headers, query: { fileName: 'a', contentType: 'text/html"; x' } })).toMatchObject({ code: 400 });
});

test('a public address takes images alone', async () => {
  const signed = await sign({ fileName: 'a.png', isPublic: 'true' });
  expect(await send(signed.fields, 'text')).toMatchObject({ code: 400, msg: '公开文件只能是图片' });
  expect(await send(signed.fields, png)).toMatchObject({ code: 200 });
  expect(await server.get(signed.link)).toMatchObject({ status: 200 });
});

test('SVG and HTML leave as attachments that run nothing', async () => {
  for (const [name, content] of [
    ['a.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a.html', '<!doctype html><script>alert(1)</script>'],
  ] as const) {
    const { data } = await server.upload(files.upload.path, { name, content }, { headers });
    const reply = await server.get(data.link);
    expect(reply.headers['content-disposition']).toMatch(/^attachment/);
    expect(reply.headers).toMatchObject({ 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' });
    expect(String(reply.headers['content-type'])).not.toMatch(/svg|html/);
  }
});

test('the thumbnail of a large picture is rendered once and stored; other files are sent in full', async () => {
  const { default: sharp } = await import('sharp');
  const noise = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer();
  const { data } = await server.upload(files.upload.path, { name: 'large.png', content: noise }, { headers });
  const small = `${data.link}&view=small`;
  const [reply, again] = await Promise.all([server.get(small), server.get(small)]);
  expect(reply.headers['content-type']).toBe('image/webp');
  expect(await sharp(reply.body.bytes as Buffer).metadata()).toMatchObject({ width: 320, height: 213, format: 'webp' });
  expect(Buffer.compare(reply.body.bytes, again.body.bytes)).toBe(0);
  const broken = Buffer.concat([noise.subarray(0, 2000), Buffer.alloc(80_000, 1)]);
  const odd = (await server.upload(files.upload.path, { name: 'broken.png', content: broken }, { headers })).data;
  const sent = await server.get(`${odd.link}&view=small`);
  expect({ status: sent.status, length: sent.body.bytes.length }).toEqual({ status: 200, length: broken.length });
  await server.post(files.remove.path, { id: data.id }, { headers });
  expect(await server.get(small)).toMatchObject({ status: 404 });
});

test('the declared type is checked against the content', async () => {
  expect(await contentTypeOf(png)).toMatchObject({ type: 'image/png' });
  const pairs = [
    ['', 'image/png', true],
    ['image/png', 'image/png', true],
    ['image/png', 'text/plain', false],
    ['image/jpeg', 'image/png', false],
    ['text/csv; charset=utf-8', 'text/plain', true],
    ['image/svg+xml', 'application/xml', true],
    ['application/msword', 'application/x-cfb', true],
    ['video/mp4', 'video/quicktime', true],
    ['application/pdf', 'application/zip', false],
  ] as const;
  for (const [said, found, holds] of pairs) expect(matchesDeclaredType(said, found), `${said} ${found}`).toBe(holds);
});
