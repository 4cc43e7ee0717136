import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { fileProblems, files } from '#shared/files';
import { refusalOf } from '../../../../src/plugins/storage/server/s3-failures.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
let port: number;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings'] });
  headers = await server.signIn();
  await server.post('/api/blade-system/param/submit', { paramName: '上限', paramKey: 'file.maxMegabytes', paramValue: '1' }, { headers });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.stop());

/** Sends all requests through one connection at a time; returns the status and the local port of the connection. */
function connection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, body: Buffer, more: Record<string, string> = {}) =>
    new Promise<{ status: number; from: number }>((done, failed) => {
      const asked = request({ agent, port, host: '127.0.0.1', method, path, headers: { ...headers, 'content-length': body.length, ...more } }, (reply) => {
        const from = reply.socket.localPort ?? 0;
        reply.resume().on('end', () => done({ status: reply.statusCode ?? 0, from }));
      });
      asked.on('error', failed).end(body);
    });
  return { send, end: () => agent.destroy() };
}

const multipart = (bytes: number, name = 'file') => {
  const before = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\n`;
  return Buffer.concat([Buffer.from(before), Buffer.alloc(bytes, 'x'), Buffer.from('\r\n--b--\r\n')]);
};
const type = { 'content-type': 'multipart/form-data; boundary=b' };

test('a refused upload leaves its connection to the next request', async () => {
  const { send, end } = connection();
  const megabyte = 1024 * 1024;
  const sent: readonly (readonly [status: number, body: Buffer, headers?: Record<string, string>])[] = [
    [413, multipart(4 * megabyte)],
    [413, multipart(megabyte + 1)],
    [400, multipart(4 * megabyte, 'other')],
    [401, multipart(4 * megabyte), { 'things-auth': '' }],
    [200, multipart(10)],
  ];
  for (const [place, [status, body, more = {}]] of sent.entries()) {
    const refused = await send('POST', files.upload.path, body, { ...type, ...more });
    expect({ place, status: refused.status }).toEqual({ place, status });
    expect({ place, ...(await send('GET', '/health/live', Buffer.alloc(0))) }).toEqual({ place, status: 200, from: refused.from });
  }
  end();
});

test('a full store is 507 in the language of the caller', async () => {
  for (const error of [{ name: 'QuotaExceeded' }, { name: 'XMinioStorageFull' }, { name: 'Unknown', $metadata: { httpStatusCode: 507 } }])
    expect(refusalOf(error)).toMatchObject({ problem: fileProblems.storeFull });
  expect(fileProblems.storeFull.status).toBe(507);
  expect(refusalOf({ name: 'SlowDown', $metadata: { httpStatusCode: 503 } })).toMatchObject({ problem: fileProblems.storeUnavailable });
});
