import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { addressCertificates, certificateItem } from '../../../../src/server/platform/health/certificates.ts';
import { serverHealth } from '../../../../src/server/platform/health/server-health.ts';
import type { RunningServer } from '../../../../src/server/platform/replicas/running-servers.ts';
import { ServerState } from '../../../../src/server/platform/replicas/server-report.ts';

const gigabyte = 1024 ** 3;
const openssl = spawnSync('openssl', ['version']).status === 0;

/** Observes a server whose disk has so much space. */
async function reportWith(readSpace: ConstructorParameters<typeof ServerState>[0]['readSpace']) {
  const state = new ServerState({
    db: { connections: () => ({ primary: { open: 3, busy: 3, waiting: 2 } }) },
    configuration: { secretKey: undefined, dataDirectory: '/data', backupDirectory: '/backups', databaseConnections: 3 },
    plugins: () => ({ running: [{ id: 'log' }], skipped: [] }),
    ...(readSpace ? { readSpace } : {}),
  });
  onTestFinished(() => state.stop());
  await state.readDisks();
  return state.latest;
}

const serverOf = (host: string, change: Partial<RunningServer>): RunningServer => ({
  id: host,
  host,
  keyFingerprint: 'f00d',
  startTime: '2026-11-29 08:00:00',
  seenTime: '2026-11-29 12:00:00',
  uptimeSeconds: 60,
  isAlive: true,
  ...change,
});

async function factsOf(section: string, ...servers: RunningServer[]) {
  const sources = serverHealth({ list: async () => servers }).filter((source) => source.section === section);
  return (await Promise.all(sources.map(({ read }) => read()))).flat();
}

test.each([
  ['much space', { freeBytes: 500 * gigabyte, totalBytes: 1000 * gigabyte }, undefined],
  ['less than a tenth', { freeBytes: 4 * gigabyte, totalBytes: 50 * gigabyte }, false],
  ['less than ten gigabytes of a large disk', { freeBytes: 9 * gigabyte, totalBytes: 4000 * gigabyte }, false],
  ['less than a gigabyte', { freeBytes: gigabyte / 2, totalBytes: 50 * gigabyte }, true],
])('a disk with %s', async (_, space, isUrgent) => {
  const report = await reportWith(async () => space);
  const facts = await factsOf('disk', serverOf('alpha', { report }));
  expect(facts.map(({ id, value, problem }) => [id, value, problem?.isUrgent])).toEqual([
    ['alpha:DATA_DIR', space.freeBytes, isUrgent],
    ['alpha:BACKUP_DIR', space.freeBytes, isUrgent],
  ]);
});

test('a disk that cannot be read is urgent, and one that never answers delays no report', async () => {
  const failing = await reportWith(async () => {
    throw new Error('EIO: i/o error');
  });
  expect((await factsOf('disk', serverOf('alpha', { report: failing })))[0]).toMatchObject({
    problem: { isUrgent: true, text: [expect.anything(), expect.stringContaining('EIO: i/o error')] },
  });
  const state = new ServerState({
    db: { connections: () => undefined },
    configuration: { secretKey: 'set', dataDirectory: '/data', backupDirectory: undefined, databaseConnections: 3 },
    plugins: () => ({ running: [], skipped: [] }),
    readSpace: () => new Promise(() => undefined),
  });
  onTestFinished(() => state.stop());
  expect(state.report()).toMatchObject({ keySource: 'environment', disks: [] });
});

test('other keys, other versions, waiting and blocked servers are named with the remedy', async () => {
  const report = await reportWith(undefined);
  const long = Date.now() - 600_000;
  const servers = [
    serverOf('alpha', {
      report: { ...report, loopBlockedSince: long, loopDelayMs: 400, connectionsWaitedForSince: long, memoryLimitBytes: 1000, memoryBytes: 950 },
    }),
    serverOf('beta', { report: { ...report, version: '9.9.9', memoryLimitBytes: gigabyte * 99 }, keyFingerprint: 'beef' }),
  ];
  const texts = (await factsOf('servers', ...servers)).map(({ problem }) => problem?.text[1]);
  expect(texts).toEqual([
    expect.stringContaining('The event loop of alpha stays blocked (400 ms)'),
    expect.stringContaining('raise DATABASE_CONNECTIONS'),
    expect.stringContaining('alpha has nearly used up its memory'),
    expect.stringMatching(/run different versions \(.+, 9\.9\.9\)/),
  ]);
  expect((await factsOf('keys', ...servers)).at(-1)).toMatchObject({ text: ['否', 'No'], problem: { isUrgent: true } });
  const recent = serverOf('alpha', {
    report: { ...report, loopBlockedSince: Date.now(), connectionsWaitedForSince: Date.now(), memoryLimitBytes: gigabyte * 99 },
  });
  expect(await factsOf('servers', recent)).toEqual([]);
});

/** Makes a self-signed certificate of so many days. */
function certificateOf(days: number) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-days',
    String(days),
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  expect(made.status).toBe(0);
  return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
}

// Without openssl the run reports that it skips these tests.
test.runIf(openssl).each([
  [90, undefined],
  [20, false],
  [5, true],
])('a certificate of %i days', (days, isUrgent) => {
  const item = certificateItem({ id: 'one', title: ['某证书', 'one'], page: 'email' }, certificateOf(days).certificate);
  expect(item?.text?.[1]).toMatch(new RegExp(`^Expires \\d{4}-\\d\\d-\\d\\d, (${days}|${days - 1}) days left$`));
  expect(item?.problem?.isUrgent).toBe(isUrgent);
  expect(certificateItem({ id: 'key', title: ['公钥', 'key'] }, '-----BEGIN PUBLIC KEY-----')).toBeUndefined();
});

test.runIf(openssl)('the certificate of PUBLIC_URL is read from its server, and an address without one is no problem', async () => {
  const { key, certificate: cert } = certificateOf(20);
  const server = createServer({ key, cert }, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const itemsOf = (address: string) => addressCertificates({ publicUrl: new URL(address), sso: undefined }).read();
  expect(await itemsOf(`https://localhost:${port}/`)).toMatchObject([
    { id: 'public', problem: { isUrgent: false, text: [expect.anything(), expect.stringMatching(/PUBLIC_URL localhost expires on/)] } },
  ]);
  expect(await itemsOf('http://localhost/')).toEqual([]);
  server.close();
  server.closeAllConnections();
  const [unreachable] = await itemsOf(`https://localhost:${port}/`);
  expect(unreachable).toMatchObject({ text: [expect.anything(), expect.stringContaining('Not reachable from this server')] });
  expect(unreachable).not.toHaveProperty('problem');
});
