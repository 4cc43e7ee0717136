import { connect } from 'node:net';
import { expect, test } from '@rstest/core';
import { openStartingServer } from '../../../../src/server/host/serving/starting-server.ts';
import { securityHeadersOf } from '../../../../src/server/platform/http/security-headers.ts';
import { testManifest } from '../../../support/test-manifest.ts';

const { always } = securityHeadersOf(testManifest);

test('a server that starts lives and is not ready; its port can be listened on afterwards, and one in use is refused', async () => {
  const door = await openStartingServer('127.0.0.1', 0, { headers: always });
  const statusOf = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${door.port}${path}`);
    return [reply.status, await reply.json(), reply.headers.get('retry-after')];
  };
  expect(await statusOf('/health/live')).toEqual([200, { status: 'live' }, null]);
  expect(await statusOf('/health/ready')).toEqual([503, { status: 'starting' }, '2']);
  expect(await statusOf('/api/anything')).toEqual([503, { status: 'starting' }, '2']);
  await expect(openStartingServer('127.0.0.1', door.port, { headers: always })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
  await door.close();
  await (await openStartingServer('127.0.0.1', door.port, { headers: always })).close();
});

test('answers during a start have the security headers, also to invalid HTTP', async () => {
  const door = await openStartingServer('127.0.0.1', 0, { headers: always });
  for (const path of ['/health/live', '/']) {
    const { headers } = await fetch(`http://127.0.0.1:${door.port}${path}`);
    expect(Object.fromEntries(headers), path).toMatchObject(always);
  }
  const refused = await new Promise<string>((done) => {
    const socket = connect(door.port, '127.0.0.1', () => socket.write('no HTTP\r\n\r\n'));
    let text = '';
    socket.on('data', (bytes) => (text += bytes)).on('close', () => done(text));
  });
  expect(refused).toMatch(/^HTTP\/1.1 400 /);
  for (const [name, value] of Object.entries(always)) expect(refused).toContain(`\r\n${name}: ${value}\r\n`);
  await door.close();
});
