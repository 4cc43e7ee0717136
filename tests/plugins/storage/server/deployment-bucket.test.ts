import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { oss } from '#plugins/storage/contract';
import { files } from '#shared/files';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { partBytes } from '../../../../src/server/platform/files/object-store.ts';
import { openS3Server, type S3Server } from '../../../support/s3-server.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let store: S3Server;
let server: TestServer;
let headers: Record<string, string>;
const directory = mkdtempSync(join(tmpdir(), 'marquee-bucket-'));

const environment = () => ({
  FILES_BUCKET: store.bucket,
  FILES_ENDPOINT: store.endpoint,
  FILES_ACCESS_KEY: store.credentials.accessKey,
  FILES_SECRET_KEY: store.credentials.secretKey,
});

beforeAll(async () => {
  store = await openS3Server();
  server = await openTestServer({ plugins: ['dictionary', 'storage'], environment: { ...environment(), DATA_DIR: directory } });
  headers = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  await store.stop();
  rmSync(directory, { recursive: true, force: true });
});

const upload = (name: string, content: string | Uint8Array, as = headers) => server.upload(files.upload.path, { name, content }, { headers: as });
const onDisk = () => (existsSync(join(directory, 'files')) ? readdirSync(join(directory, 'files'), { recursive: true }) : []);
const keyOf = (name: string, tenant = '000000') => `${tenant}/${name.slice(0, 2)}/${name}`;

test('files of every tenant go to the bucket of the deployment, each below its tenant, and none to the disk', async () => {
  await server.createTenant('aside');
  await server.createUser({ account: 'aside', tenantId: 'aside' });
  const { data } = await upload('report.txt', 'of the platform');
  const other = (await upload('other.txt', 'of a tenant', await server.signIn('aside', 'aside'))).data;
  expect(store.keys()).toEqual(expect.arrayContaining([keyOf(data.name), keyOf(other.name, 'aside')]));
  expect(String((await server.get(data.link)).body.bytes)).toBe('of the platform');
  expect(String((await server.get(other.link, { headers: { range: 'bytes=3-' } })).body.bytes)).toBe('a tenant');
  expect(onDisk()).toEqual([]);
  await server.post(files.remove.path, { id: data.id }, { headers });
  expect(store.keys()).not.toContain(keyOf(data.name));
});

test('parts of an upload that any server received are put together in the bucket', async () => {
  const content = randomBytes(partBytes + 77);
  const { data } = await server.post(files.beginParts.path, { fileName: 'parted.bin', size: content.length, lastModified: 5 }, { headers });
  for (const number of [2, 1]) {
    const part = content.subarray((number - 1) * partBytes, number * partBytes);
    await server.upload(files.sendPart.path, { name: 'blob', content: part, fields: { id: data.id, number: String(number) } }, { headers });
  }
  const done = (await server.post(files.completeParts.path, { id: data.id }, { headers })).data;
  expect(Buffer.compare((await server.get(done.link)).body.bytes, content)).toBe(0);
  expect(onDisk()).toEqual([]);
});

test('a store that a tenant has enabled comes first, and its local storage is the bucket', async () => {
  const own = await openS3Server();
  const allowed = await openTestServer({
    plugins: ['dictionary', 'storage'],
    environment: { ...environment(), DATA_DIR: directory, EGRESS_ALLOW: '127.0.0.1' },
  });
  try {
    const as = await allowed.signIn();
    const enable = async (form: object) => {
      const { data } = await allowed.post(oss.submit.path, { ossCode: randomBytes(4).toString('hex'), ...form }, { headers: as });
      expect(await allowed.post(oss.enable.path, { id: data.id }, { headers: as })).toMatchObject({ code: 200 });
    };
    const uploaded = async () => (await allowed.upload(files.upload.path, { name: 'a.txt', content: 'a' }, { headers: as })).data.name as string;
    await enable({ category: '1', endpoint: own.endpoint, bucketName: own.bucket, ...own.credentials });
    const inOwn = await uploaded();
    expect(own.keys()).toContain(keyOf(inOwn));
    await enable({ category: '7' });
    const inBucket = await uploaded();
    expect(store.keys()).toContain(keyOf(inBucket));
    expect(own.keys()).not.toContain(keyOf(inBucket));
    expect(onDisk()).toEqual([]);
  } finally {
    await allowed.stop();
    await own.stop();
  }
});

test('a bucket that refuses files is reported when the server starts, which serves everything else', async () => {
  const without = { ...environment(), FILES_BUCKET: 'missing-bucket', DATA_DIR: directory };
  const started = await openTestServer({ plugins: ['dictionary', 'storage'], environment: without });
  try {
    const as = await started.signIn();
    expect(await started.upload(files.upload.path, { name: 'a.txt', content: 'a' }, { headers: as })).toMatchObject({ code: 503 });
    const events = () => started.sql(`select log_level as level, log_data as data from usual_log where log_id = 'storage:bucket-unavailable'`);
    await expect.poll(events, { timeout: 20_000 }).toEqual([{ level: 'error', data: JSON.stringify({ reason: 'Bucket not found' }) }]);
  } finally {
    await started.stop();
  }
});

test('incomplete or impossible settings are refused, each with a sentence', () => {
  const problems = (settings: Record<string, string>) => {
    try {
      readConfiguration({ NODE_ENV: 'development', ...settings });
      return [];
    } catch (error) {
      return (error as { problems: readonly string[] }).problems;
    }
  };
  expect(problems(environment())).toEqual([]);
  expect(problems({ FILES_BUCKET: 'files' })).toEqual([
    'FILES_ENDPOINT is missing. FILES_BUCKET requires it.',
    'FILES_ACCESS_KEY is missing. FILES_BUCKET requires it.',
    'FILES_SECRET_KEY is missing. FILES_BUCKET requires it.',
  ]);
  expect(problems({ FILES_ENDPOINT: 'https://s3.example' })).toEqual([expect.stringMatching(/^FILES_BUCKET is missing/)]);
  expect(problems({ ...environment(), FILES_BUCKET: 'A b' })).toEqual(['FILES_BUCKET is "A b", which is not the name of a bucket.']);
  expect(problems({ ...environment(), FILES_ENDPOINT: 'https://s3.example/files' })).toEqual([expect.stringMatching(/^FILES_ENDPOINT has more than scheme/)]);
});
