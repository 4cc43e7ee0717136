import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { Evidence } from '../../../../src/server/platform/evidence/evidence.ts';
import { SealKeys, sealHash } from '../../../../src/server/platform/evidence/seal.ts';
import { destinationsOf, EvidenceStream } from '../../../../src/server/platform/evidence/stream.ts';
import { sendToSyslog } from '../../../../src/server/platform/evidence/syslog.ts';
import { rsyslog, SyslogServer } from '../../../support/syslog-server.ts';
import { testDatabase } from '../../../support/test-database.ts';

const keys = secretKeysOf('a key of the tests of evidence, long enough').evidence;
const coins = "create table coin (like base_row including all, amount bigint not null, note text); call own_by_tenant('coin')";
const never = new AbortController().signal;
type Line = Record<string, unknown> & { log: string; seal: number; number: number; row: Record<string, string | null> };

async function mint() {
  const db = await testDatabase({ kernelMigrations, migrations: coins });
  const evidence = new Evidence({ db, keys, tables: () => [{ table: 'coin' }], marginMs: 0 });
  const add = (notes: readonly string[]) =>
    db.asPlatform('a test', () =>
      db.sql.execute(
        sql`insert into coin (tenant_id, amount, note) select 'alpha', 7, note from json_array_elements_text(${JSON.stringify(notes)}::json) note`,
      ),
    );
  const seal = async (count: number) => {
    for (let sealed = await evidence.seal(), attempt = 0; sealed < count && attempt < 400; attempt += 1) {
      await pause(50);
      sealed += await evidence.seal();
    }
  };
  return { db, evidence, add, seal };
}

/** Recomputes from received lines alone what a seal says about its rows. */
function digestOf(rows: readonly Line[]): string {
  const digest = createHash('sha256');
  for (const { row } of rows) {
    const body = JSON.stringify(Object.values(row));
    digest.update(`${row.id}\n`).update(createHash('sha256').update(`coin\n${body}`).digest());
  }
  return digest.digest('hex');
}

test('lines and seals reach an HTTP receiver at least once and in order, and prove each other without the database', async () => {
  const { db, evidence, add, seal } = await mint();
  let isAway = true;
  const lines: Line[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      if (!isAway) for (const line of body.split('\n').filter(Boolean)) lines.push(JSON.parse(line));
      response.writeHead(isAway ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const http = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/{log}`, authorization: 'Bearer sesame' };
  const stream = () => new EvidenceStream(db, evidence.store, destinationsOf({ http, syslog: undefined }));
  const [one, other] = [stream(), stream()];
  await add(['第一枚 "\\\t\n', 'plain', '\u{1f600}\u2028']);
  await seal(3);
  await expect(one.run(never)).rejects.toThrow('replied 503');
  expect((await one.waiting({ name: 'http', send: async () => {} })).seals).toBeGreaterThan(0);
  isAway = false;
  // While one server sends, another one does not.
  await other.run(never);
  expect(lines).toEqual([]);
  await one.run(never);
  await add(['later']);
  await seal(1);
  await one.run(never);
  const seals = lines.filter(({ log, table }) => log === 'evidence_seal' && table === 'coin');
  expect(seals.map(({ number }) => number)).toEqual([1, 2]);
  for (const line of seals) {
    const { log: _log, table, position: _position, hash, keyId, mac, ...content } = line as never as Record<string, string>;
    const rows = lines.filter(({ log, seal: number }) => log === 'coin' && number === line.number);
    expect(digestOf(rows)).toBe(content.digest);
    expect(sealHash({ ...content, source: table } as never)).toBe(hash);
    expect(new SealKeys(keys).verify(hash as string, { keyId: keyId as string, mac: mac as string })).toBe(true);
  }
  expect(seals[1]?.previous).toBe(seals[0]?.hash);
  expect((await one.waiting({ name: 'http', send: async () => {} })).seals).toBe(0);
});

test.skipIf(rsyslog === undefined)('rsyslog receives each line and seal as an RFC 5424 message, also those from the time that it was away', async () => {
  const { db, evidence, add, seal } = await mint();
  const server = await SyslogServer.start();
  onTestFinished(() => server.discard());
  const syslog = { host: '127.0.0.1', port: server.port, isEncrypted: false };
  const stream = new EvidenceStream(db, evidence.store, destinationsOf({ http: undefined, syslog }));
  await add(['第一枚', 'x'.repeat(20_000)]);
  await seal(2);
  await stream.run(never);
  await server.kill();
  await add(['while away']);
  await seal(1);
  await expect(stream.run(never)).rejects.toThrow();
  await server.resume();
  await stream.run(never);
  for (let attempt = 0; attempt < 100 && server.messages().length < 5; attempt += 1) await pause(50);
  const received = server.messages();
  expect(received.every(({ priority, app }) => priority === 110 && app === 'marquee')).toBe(true);
  const lines = received.map(({ text }) => JSON.parse(text) as Line);
  expect(received.map(({ id }) => id)).toEqual(lines.map(({ log }) => log));
  expect(lines.filter(({ log }) => log === 'coin').map(({ row }) => row.note)).toEqual(['第一枚', 'x'.repeat(20_000), 'while away']);
  for (const line of lines.filter(({ log, tenant }) => log === 'evidence_seal' && tenant === 'alpha'))
    expect(digestOf(lines.filter(({ log, seal: number }) => log === 'coin' && number === line.number))).toBe(line.digest);
});

test.skipIf(rsyslog === undefined)('messages are encrypted with TLS, and a server whose certificate is not trusted gets none', async () => {
  const server = await SyslogServer.start();
  onTestFinished(() => server.discard());
  const syslog = { host: 'localhost', port: server.tlsPort, isEncrypted: true };
  await expect(sendToSyslog(syslog, [{ log: 'coin', note: 'secret' }], never)).rejects.toThrow(/self.signed/);
  expect(server.messages()).toEqual([]);
  await sendToSyslog({ ...syslog, ca: server.certificate }, [{ log: 'coin', note: 'trusted' }], never);
  for (let attempt = 0; attempt < 100 && server.messages().length < 1; attempt += 1) await pause(50);
  expect(server.messages().map(({ text }) => text)).toEqual(['{"log":"coin","note":"trusted"}']);
});
