import { connect } from 'node:net';
import { expect, test } from '@rstest/core';
import { openStartingServer } from '../../../../src/server/host/serving/starting-server.ts';
import { securityHeadersOf } from '../../../../src/server/platform/http/security-headers.ts';
import { testManifest } from '../../../support/test-manifest.ts';

const { always } = securityHeadersOf(testManifest);

test('a starting server is live but not ready; a port in use is refused, and its own is free afterwards', async () => {
  const server = await openStartingServer('127.0.0.1', 0, { headers: always });
  const statusOf = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return [reply.status, await reply.json(), reply.headers.get('retry-after')];
  };
  expect(await statusOf('/health/live')).toEqual([200, { status: 'live' }, null]);
  expect(await statusOf('/health/ready')).toEqual([503, { status: 'starting' }, '2']);
  expect(await statusOf('/api/anything')).toEqual([503, { status: 'starting' }, '2']);
  await expect(openStartingServer('127.0.0.1', server.port, { headers: always })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
  await server.close();
  await (await openStartingServer('127.0.0.1', server.port, { headers: always })).close();
});

test('responses during the start have the security headers, even to invalid HTTP', async () => {
  const server = await openStartingServer('127.0.0.1', 0, { headers: always });
  for (const path of ['/health/live', '/']) {
    const { headers } = await fetch(`http://127.0.0.1:${server.port}${path}`);
    expect(Object.fromEntries(headers), path).toMatchObject(always);
  }
  const refused = await new Promise<string>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write('no HTTP\r\n\r\n'));
    let text = '';
    socket.on('data', (bytes) => (text += bytes)).on('close', () => resolve(text));
  });
  expect(refused).toMatch(/^HTTP\/1.1 400 /);
  for (const [name, value] of Object.entries(always)) expect(refused).toContain(`\r\n${name}: ${value}\r\n`);
  await server.close();
});
