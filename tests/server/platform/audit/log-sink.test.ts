import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { apiLog, errorLog, usualLog } from '#plugins/log/contract';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { LogSink } from '../../../../src/server/platform/audit/log-sink.ts';
import { ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { testServer } from '../../../support/test-server.ts';
import { hasClickHouse, startClickHouse } from './clickhouse.ts';

const silentLogger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {}, trace() {} };

/** Starts a collector that stores JSON lines while its status is 200, and refuses them with any other. */
async function startCollector() {
  const state = { status: 200, requests: [] as { url: string; headers: IncomingHttpHeaders; lines: Record<string, unknown>[] }[] };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const lines = body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      if (state.status === 200) state.requests.push({ url: request.url ?? '', headers: request.headers, lines });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines: () => state.requests.flatMap(({ lines }) => lines) };
}

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'marquee-sink-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400 && !(await isDone()); attempt += 1) await new Promise((resolve) => setTimeout(resolve, 50));
}

const gauges = async (sink: LogSink) =>
  Object.fromEntries(await Promise.all(sink.gauges.map(async ({ name, read }) => [name.replace('marquee_log_sink_', ''), (await read())[0]?.value])));

const settings = { authorization: 'Bearer sesame', isStored: false, bufferBytes: 1_000_000 };

test('lines wait in files while the sink is unavailable, survive a restart and are sent once it answers', async () => {
  const { url, state, lines } = await startCollector();
  const directory = await temporaryFolder();
  state.status = 503;
  const first = new LogSink({ ...settings, url: `${url}/{log}` }, directory, silentLogger);
  await first.add('api_log', [{ n: 1 }, { n: 2 }]);
  await first.add('usual_log', [{ n: 3 }]);
  await until(async () => ((await gauges(first)).failures ?? 0) > 0);
  expect(await gauges(first)).toMatchObject({ waiting_lines: 3, sent_lines: 0, dropped_lines: 0 });
  await first.stop();
  expect(await readdir(directory)).toHaveLength(2);
  state.status = 200;
  const second = new LogSink({ ...settings, url: `${url}/{log}` }, directory, silentLogger);
  await second.add('error_log', [{ n: 4 }]);
  await until(() => lines().length === 4);
  await until(async () => (await readdir(directory)).length === 0);
  expect(lines().map(({ log, n }) => [log, n])).toEqual([
    ['api_log', 1],
    ['api_log', 2],
    ['usual_log', 3],
    ['error_log', 4],
  ]);
  expect(new Set(lines().map(({ id }) => id)).size).toBe(4);
  expect(state.requests.map(({ url: path, headers }) => [path, headers.authorization, headers['content-type']])).toEqual([
    ['/api_log', 'Bearer sesame', 'application/x-ndjson'],
    ['/usual_log', 'Bearer sesame', 'application/x-ndjson'],
    ['/error_log', 'Bearer sesame', 'application/x-ndjson'],
  ]);
  expect(await gauges(second)).toMatchObject({ waiting_lines: 0, sent_lines: 4 });
  await second.stop();
});

test('lines that do not fit into the buffer are dropped and counted, and later ones that fit are buffered', async () => {
  const { url, state } = await startCollector();
  state.status = 503;
  const sink = new LogSink({ ...settings, url, bufferBytes: 300 }, await temporaryFolder(), silentLogger);
  await sink.add('api_log', [{ text: 'x'.repeat(100) }]);
  await sink.add('api_log', [{ text: 'y'.repeat(100) }, { text: 'z'.repeat(100) }]);
  expect(await gauges(sink)).toMatchObject({ waiting_lines: 1, dropped_lines: 2 });
  await sink.add('api_log', [{ n: 1 }]);
  expect(await gauges(sink)).toMatchObject({ waiting_lines: 2, dropped_lines: 2 });
  await sink.stop();
});

test('with LOG_STORE=sink, lines are sent without secrets and not stored in the database, and the log pages say so', async () => {
  const { url, lines } = await startCollector();
  const server = await testServer({ plugins: [ledgerPlugin, 'log'], environment: { LOG_SINK_URL: url, LOG_STORE: 'sink' } });
  const headers = await server.signIn();
  await server.post(ledger.add.path, { text: 'rent' }, { headers });
  await server.get('/api/blade-log/usual/list', { headers, query: { logId: 'none', password: 'hunter2' } });
  await until(() => lines().some(({ methodName, requestUri }) => methodName === 'list' && String(requestUri).includes('usual')));
  const add = lines().filter(({ requestUri }) => requestUri === ledger.add.path);
  expect(add).toMatchObject([{ log: 'api_log', tenantId: '000000', params: '{"text":"rent"}', statusCode: 200, createBy: 'admin' }]);
  expect(lines().some(({ log, logId }) => log === 'usual_log' && logId === 'server:started')).toBe(true);
  expect(JSON.stringify(lines())).not.toContain('hunter2');
  expect(await server.sql('select count(*)::int as count from api_log')).toEqual([{ count: 0 }]);
  for (const { destination } of [usualLog, apiLog, errorLog]) {
    const { data } = await server.get(destination.path, { headers });
    expect(data).toEqual({ host: new URL(url).host, stored: false });
  }
});

test('invalid settings are refused with a message that names them', () => {
  const problemOf = (environment: Record<string, string>) => {
    try {
      readConfiguration({ NODE_ENV: 'test', ...environment });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(problemOf({ LOG_STORE: 'sink' })).toContain('LOG_SINK_URL is missing');
  expect(problemOf({ LOG_SINK_URL: 'ftp://x' })).toContain('LOG_SINK_URL is not an address');
  expect(problemOf({ LOG_SINK_URL: 'https://ann:secret@x/' })).toContain('LOG_SINK_AUTHORIZATION');
  expect(problemOf({ LOG_SINK_URL: 'https://x/?query=INSERT%20INTO%20{log}%20FORMAT%20JSONEachRow' })).toBe('');
});

if (!hasClickHouse) console.log('Skipped the test with ClickHouse, because clickhouse-server is not installed.');

test.skipIf(!hasClickHouse)('ClickHouse stores the lines that are sent to its HTTP interface, and refused ones wait', async () => {
  const clickHouse = await startClickHouse(await temporaryFolder());
  onTestFinished(clickHouse.stop);
  const insert = encodeURIComponent('INSERT INTO api_log FORMAT JSONEachRow').replaceAll('api_log', '{log}');
  const sink = new LogSink(
    { ...settings, authorization: undefined, url: `${clickHouse.url}/?query=${insert}&date_time_input_format=best_effort&input_format_skip_unknown_fields=1` },
    await temporaryFolder(),
    silentLogger,
  );
  onTestFinished(() => sink.stop());
  const entry = { tenantId: '000000', createTime: new Date('2026-01-02T03:04:05Z'), requestUri: '/api/灯', statusCode: 200, changes: null };
  await sink.add('api_log', [entry]);
  await until(async () => ((await gauges(sink)).failures ?? 0) > 0);
  expect(await gauges(sink)).toMatchObject({ waiting_lines: 1, sent_lines: 0 });
  await clickHouse.query(
    "CREATE TABLE api_log (id String, tenantId String, createTime DateTime('UTC'), requestUri String, statusCode UInt16) ENGINE = MergeTree PARTITION BY toYYYYMM(createTime) ORDER BY (tenantId, createTime, id)",
  );
  await until(async () => (await gauges(sink)).waiting_lines === 0);
  expect(await clickHouse.query('SELECT tenantId, createTime, requestUri, statusCode FROM api_log')).toBe('000000\t2026-01-02 03:04:05\t/api/灯\t200\n');
});
