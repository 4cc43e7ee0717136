import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { oss } from '#plugins/storage/contract';
import { files } from '#shared/files';
import { bucketOf, openStore, regionOf } from '../../../../src/plugins/storage/server/configured-stores.ts';
import { probe } from '../../../../src/plugins/storage/server/oss-routes.ts';
import { reasonOf } from '../../../../src/plugins/storage/server/s3-failures.ts';
import { partBytes } from '../../../../src/server/platform/files/object-store.ts';
import { awsExample, policySignature } from '../../../support/post-policy.ts';
import { openS3Server, type S3Server } from '../../../support/s3-server.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
let store: S3Server;
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  store = await openS3Server();
  server = await openTestServer({ plugins: ['dictionary', 'storage'], environment: { EGRESS_ALLOW: '127.0.0.1' } });
  headers = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  await store.stop();
});

const form = (change: object = {}) => ({
  category: '1',
  ossCode: `oss-${randomBytes(4).toString('hex')}`,
  endpoint: store.endpoint,
  bucketName: store.bucket,
  ...store.credentials,
  ...change,
});
const add = async (change: object = {}, as = headers) => server.post(oss.submit.path, form(change), { headers: as });
const post = (path: string, input: object, as = headers) => server.post(path, input, { headers: as });
const upload = (name: string, content: string | Uint8Array, as = headers) => server.upload(files.upload.path, { name, content }, { headers: as });
const enabled = async (change: object = {}) => {
  const { data } = await add(change);
  expect(await post(oss.enable.path, { id: data.id })).toMatchObject({ code: 200 });
  return data.id as string;
};
const local = () => enabled({ category: '7' });

test('files of a tenant go where its enabled configuration says, and are fetched from wherever they are', async () => {
  const before = (await upload('before.txt', 'kept on disk')).data;
  const id = await enabled();
  const { data } = await upload('../合同.png', png);
  expect(store.keys()).toContain(`000000/${data.name.slice(0, 2)}/${data.name}`);
  expect(Buffer.compare((await server.get(data.link)).body.bytes, png)).toBe(0);
  expect(String((await server.get(data.link, { headers: { range: 'bytes=1-3' } })).body.bytes)).toBe('PNG');
  expect(String((await server.get(before.link)).body.bytes)).toBe('kept on disk');
  await server.createTenant('aside');
  await server.createUser({ account: 'aside', tenantId: 'aside' });
  const count = store.keys().length;
  await upload('other.txt', 'another tenant chose nothing', await server.signIn('aside', 'aside'));
  expect(store.keys().length).toBe(count);
  await local();
  expect(String((await server.get(data.link)).body.bytes.subarray(1, 4))).toBe('PNG');
  await post(files.remove.path, { id: data.id });
  expect(store.keys()).not.toContain(`000000/${data.name.slice(0, 2)}/${data.name}`);
  expect(await post(oss.remove.path, { ids: [id] })).toMatchObject({ code: 200 });
});

test('a long stream and an upload in parts are put together in the bucket', async () => {
  await enabled();
  const content = randomBytes(2 * partBytes + 77);
  const streamed = (await upload('streamed.bin', content)).data;
  expect(Buffer.compare((await server.get(streamed.link)).body.bytes, content)).toBe(0);
  const { data } = await post(files.beginParts.path, { fileName: 'parted.bin', size: content.length, lastModified: 5 });
  for (const number of [2, 1, 3]) {
    const part = content.subarray((number - 1) * partBytes, number * partBytes);
    await server.upload(files.sendPart.path, { name: 'blob', content: part, fields: { id: data.id, number: String(number) } }, { headers });
  }
  const done = (await post(files.completeParts.path, { id: data.id })).data;
  expect(Buffer.compare((await server.get(done.link)).body.bytes, content)).toBe(0);
  await local();
});

test('one configuration of a tenant is enabled, however many are enabled at a time', async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => (await add()).data.id as string));
  const replies = await Promise.all(ids.map((id) => post(oss.enable.path, { id })));
  expect(replies.map(({ code }) => code)).toEqual([200, 200, 200]);
  const { records } = (await server.get(oss.list.path, { headers, query: { size: '100' } })).data;
  expect(records.filter(({ status }: { status: number }) => status === 2)).toHaveLength(1);
  expect(records[0]).toMatchObject({ categoryName: 'minio', statusName: expect.stringMatching(/^[是否]$/) });
  const [held] = records.filter(({ status }: { status: number }) => status === 2);
  expect(await post(oss.remove.path, { ids: [held.id] })).toMatchObject({ code: 409, msg: '启用中的存储不能删除，请先启用另一个' });
  await local();
});

test('a secret is sealed, never answered, and stays when an edit leaves it out', async () => {
  const { data } = await add();
  const texts = [data, (await server.get(oss.detail.path, { headers, query: { id: data.id } })).data, (await server.get(oss.list.path, { headers })).data];
  expect(JSON.stringify(texts)).not.toMatch(/secretKey/);
  expect((await server.sql(`select secret_key from oss where id = ${data.id}`))[0]?.secret_key).toMatch(/^sealed:/);
  expect(await post(oss.submit.path, { ...form({ id: data.id }), secretKey: undefined, remark: 'edited' })).toMatchObject({ code: 200 });
  expect((await post(oss.test.path, { id: data.id })).data).toMatchObject({ works: true });
  expect(await add({ secretKey: undefined })).toMatchObject({ code: 400, body: { field: 'secretKey' } });
});

test('a test reports errors, and a configuration with errors cannot be enabled', async () => {
  const verdict = async (change: object) => {
    const { data } = await add(change);
    const tested = (await post(oss.test.path, { id: data.id })).data;
    const refused = await post(oss.enable.path, { id: data.id });
    expect(refused.code).toBe(tested.works ? 200 : 409);
    return { works: tested.works, states: tested.steps.map(({ state }: { state: string }) => state), detail: tested.steps[0].detail };
  };
  const failed = { works: false, states: ['failed', 'skipped', 'skipped'] };
  expect(await verdict({})).toEqual({ works: true, states: ['passed', 'passed', 'passed'], detail: '正常' });
  expect(await verdict({ accessKey: 'nobody' })).toEqual({ ...failed, detail: '访问密钥不存在' });
  expect(await verdict({ secretKey: 'wrong' })).toEqual({ ...failed, detail: '私密密钥不正确' });
  expect(await verdict({ bucketName: 'nowhere' })).toEqual({ ...failed, detail: '空间不存在' });
  expect(await verdict({ endpoint: 'http://127.0.0.1:1' })).toEqual({ ...failed, detail: '主机没有响应，请检查地址、端口与防火墙' });
  expect(await verdict({ endpoint: 'http://no-such-host.invalid' })).toMatchObject({ ...failed, detail: expect.stringMatching(/找不到主机/) });
  expect(await verdict({ category: '7' })).toEqual({ works: true, states: ['passed'], detail: '文件保存在服务器磁盘' });
});

test('a test whose object cannot be read leaves no object behind', async () => {
  const { endpoint, bucket: bucketName, credentials } = store;
  const row = { category: '1', endpoint, transformEndpoint: null, bucketName, appId: null, region: null, tenantId: 'tested', ...credentials } as const;
  const opened = await openStore(row, undefined);
  const unreadable = Object.assign(opened, { open: () => Promise.reject(new Error('unreadable')) });
  expect(await probe(async () => unreadable)).toMatchObject({ passed: 1 });
  expect(store.keys().filter((key) => key.startsWith('tested/'))).toEqual([]);
});

test('every answer of a store is translated into an actionable message', () => {
  const failure = (name: string, more: object = {}) => Object.assign(new Error('as the store says it'), { name, ...more });
  const pairs = [
    [failure('SignatureDoesNotMatch'), '私密密钥不正确'],
    [failure('AccessDenied', { $metadata: { httpStatusCode: 403 } }), '该密钥没有此操作的权限'],
    [failure('RequestTimeTooSkewed'), '服务器时间与存储相差过大'],
    [failure('AuthorizationHeaderMalformed'), '地域不正确'],
    [failure('Error', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), '证书不受信任'],
    [failure('Error', { cause: failure('Error', { code: 'ECONNREFUSED' }) }), '主机没有响应，请检查地址、端口与防火墙'],
    [failure('SlowDown'), '存储返回：SlowDown: as the store says it'],
  ] as const;
  for (const [error, words] of pairs) expect(reasonOf(error)[0]).toBe(words);
});

test('buckets and regions are read as each maker writes them', () => {
  const bucket = (category: string, bucketName: string, appId: string | null = null) => bucketOf({ category, bucketName, appId });
  expect([bucket('4', 'files', '125'), bucket('4', 'files-125', '125'), bucket('3', 'files', '125')]).toEqual(['files-125', 'files-125', 'files']);
  const region = (category: string, endpoint: string, given: string | null = null) => regionOf({ category, endpoint, region: given });
  expect([
    region('1', 'http://minio:9000'),
    region('2', 'https://s3.cn-east-1.qiniucs.com'),
    region('3', 'https://oss-cn-hangzhou.aliyuncs.com'),
    region('3', 'https://s3.oss-cn-hangzhou-internal.aliyuncs.com'),
    region('4', 'https://cos.ap-guangzhou.myqcloud.com'),
    region('5', 'https://obs.cn-north-4.myhuaweicloud.com'),
    region('6', 'https://s3.eu-west-1.amazonaws.com'),
    region('6', 'https://s3.amazonaws.com', 'eu-central-1'),
  ]).toEqual(['us-east-1', 'cn-east-1', 'oss-cn-hangzhou', 'oss-cn-hangzhou', 'ap-guangzhou', 'cn-north-4', 'eu-west-1', 'eu-central-1']);
});

test('no endpoint leads inside unless the deployment allows it', async () => {
  const closed = await openTestServer({ plugins: ['dictionary', 'storage'] });
  const own = await closed.signIn();
  const submit = (endpoint: string) => closed.post(oss.submit.path, form({ endpoint }), { headers: own });
  for (const inside of [
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
    'http://169.254.169.254',
    'https://10.1.2.3',
    'http://[::ffff:192.168.0.1]',
    'http://0x7f000001',
    'http://2130706433',
  ])
    expect(await submit(inside), inside).toMatchObject({ code: 400, body: { field: 'endpoint' } });
  for (const odd of ['ftp://a.cn', 'https://a.cn/path', 'https://user:word@a.cn', 'https://a.cn/?x'])
    expect(await submit(odd), odd).toMatchObject({ code: 400, body: { field: 'endpoint' } });
  const { data } = await submit('http://localhost:9000');
  const tested = (await closed.post(oss.test.path, { id: data.id }, { headers: own })).data;
  expect(tested.steps[0].detail).toBe('地址指向内网，部署未放行（EGRESS_ALLOW）');
  await closed.stop();
});

test('a bucket is made where the files of the tenant go, once or again, and nowhere while they go to the disk', async () => {
  await enabled();
  const make = (bucketName: string) => post(oss.createBucket.path, { bucketName });
  expect(await make('second-bucket')).toMatchObject({ code: 200 });
  expect(store.buckets()).toContain('second-bucket');
  expect(await make('Not_A_Bucket')).toMatchObject({ status: 400 });
  expect(await make('second-bucket')).toMatchObject({ code: 200 });
  await local();
  expect(await make('third-bucket')).toMatchObject({ status: 409, msg: '未启用对象存储，文件保存在服务器磁盘' });
  expect(store.buckets()).not.toContain('third-bucket');
});

test('a store with files is neither deleted nor moved to another bucket', async () => {
  const id = await enabled();
  await upload('kept.txt', 'kept');
  await local();
  expect(await post(oss.remove.path, { ids: [id] })).toMatchObject({ code: 409 });
  expect(await post(oss.submit.path, form({ id, bucketName: 'elsewhere' }))).toMatchObject({ code: 409 });
  expect(await post(oss.submit.path, form({ id, remark: 'the same bucket' }))).toMatchObject({ code: 200 });
});

test('a browser is sent to the store itself, with a policy that holds it to one key, one type, a size and ten minutes', async () => {
  await enabled({ transformEndpoint: store.endpoint });
  const { data } = await server.get(files.signature.path, { headers, query: { fileName: 'a.png', contentType: 'image/png', size: '1000' } });
  expect(data.uploadUrl).toMatch(store.endpoint);
  const policy = JSON.parse(Buffer.from(data.fields.Policy, 'base64').toString()) as { expiration: string; conditions: unknown[] };
  const key = `000000/${data.key.slice(0, 2)}/${data.key}`;
  for (const condition of [['content-length-range', 1, 1000], { key }, { bucket: store.bucket }, { 'Content-Type': 'image/png' }])
    expect(policy.conditions).toContainEqual(condition);
  expect(Date.parse(policy.expiration) - Date.now()).toBeLessThanOrEqual(600_000);
  const signed = { secretKey: store.credentials.secretKey, credential: data.fields['X-Amz-Credential'], policy: data.fields.Policy };
  expect(policySignature(signed)).toBe(data.fields['X-Amz-Signature']);
  expect(policySignature(awsExample)).toBe(awsExample.signature);

  const send = async (signed: { uploadUrl: string; fields: Record<string, string> }, content: Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(signed.fields)) body.append(name, value);
    body.append('file', new Blob([content]), 'x');
    return (await fetch(signed.uploadUrl, { method: 'POST', body })).status;
  };
  expect(await server.get(data.link)).toMatchObject({ status: 404 });
  expect(await send(data, png as Buffer<ArrayBuffer>)).toBe(204);
  expect(Buffer.compare((await server.get(data.link)).body.bytes, png)).toBe(0);
  expect((await server.get(data.link)).headers['content-type']).toBe('image/png');

  // This store ignores policies: the server must check accepted content before it is delivered.
  for (const content of [Buffer.alloc(2000, 7), Buffer.from('<script>alert(1)</script>')]) {
    const lying = (await server.get(files.signature.path, { headers, query: { fileName: 'a.png', contentType: 'image/png', size: '1000' } })).data;
    expect(await send(lying, content)).toBe(204);
    expect((await server.get(lying.link)).status).toBeGreaterThanOrEqual(400);
    expect(await server.get(lying.link)).toMatchObject({ status: 404 });
    expect(store.keys().filter((path) => path.endsWith(lying.key))).toEqual([]);
  }
  await local();
});

test('an unavailable store is reported, and its files are kept', async () => {
  const passing = await openS3Server();
  await enabled({ endpoint: passing.endpoint });
  const { data } = await upload('away.txt', 'away');
  await passing.stop();
  expect(await server.get(data.link)).toMatchObject({ status: 503, msg: '文件存储暂不可用，请稍后再试' });
  expect(await upload('lost.txt', 'lost')).toMatchObject({ code: 503 });
  await post(files.remove.path, { id: data.id });
  expect(await server.sql(`select stage from stored_file where id = ${data.id}`)).toEqual([{ stage: 'removed' }]);
  await local();
});

test('configurations are visible to their tenant only, with the code', async () => {
  const { data } = await add();
  await server.createTenant('foreign');
  await server.createUser({ account: 'foreign', tenantId: 'foreign', codes: ['oss', 'oss_test', 'oss_enable', 'oss_edit'] });
  const foreign = await server.signIn('foreign', 'foreign');
  expect((await server.get(oss.list.path, { headers: foreign })).data.total).toBe(0);
  for (const call of [oss.test, oss.enable]) expect(await post(call.path, { id: data.id }, foreign)).toMatchObject({ code: 404 });
  await server.createUser({ account: 'plain', codes: ['oss'] });
  const plain = await server.signIn('plain');
  for (const call of [oss.test, oss.enable, oss.remove]) expect(await post(call.path, { id: data.id, ids: [data.id] }, plain)).toMatchObject({ code: 403 });
});
