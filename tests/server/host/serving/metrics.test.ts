import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { defineServerPlugin } from '#server';
import { sparePort } from '../../../../scripts/port.mjs';
import { findPrometheus } from '../../../../scripts/test-services.mjs';
import { brokenLamp, failingCall } from '../../../support/broken-lamp.ts';
import { type TestServer, type TestServerOptions, testServer } from '../../../support/test-server.ts';

const token = 'c2f0a51d9be84731a6';
const bearer = { authorization: `Bearer ${token}` };
/** A plugin whose call and whose metric fail. */
const lamp = brokenLamp({
  gauges: [
    { name: 'marquee_lamps', help: 'Lamps.', labels: ['room'], read: async () => [{ labels: { room: 'hall' }, value: 3 }] },
    { name: 'marquee_broken_lamps', help: 'Broken lamps.', read: () => Promise.reject(new Error('nothing answers')) },
  ],
});

const started = (options: TestServerOptions = {}) => testServer({ environment: { METRICS_TOKEN: token }, ...options });

/** Returns the value of each line of a metric, by its labels as written. */
async function valuesOf({ get }: TestServer, name: string): Promise<Record<string, number>> {
  const { status, body } = await get('/metrics', { headers: bearer });
  expect(status).toBe(200);
  const lines = (body.text as string).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

test('metrics are for requests with the token, and do not exist without one', async () => {
  const server = await started();
  expect(await server.get('/metrics')).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  for (const authorization of ['', token, 'Bearer ', `Bearer ${token}x`, `Basic ${btoa(`x:${token}`)}`]) {
    const { status, body } = await server.get('/metrics', { headers: { authorization } });
    expect([status, body.text]).toEqual([401, 'The token of METRICS_TOKEN is required.\n']);
  }
  expect((await server.get('/metrics', { headers: bearer })).headers).toMatchObject({ 'content-type': expect.stringMatching(/^text\/plain; version=0\.0\.4/) });
  const without = await testServer();
  expect((await without.get('/metrics', { headers: bearer })).status).toBe(404);
});

test('requests are counted by path and status, failures by plugin; a metric that cannot be read is left out and counted', async () => {
  const server = await started({ plugins: [lamp] });
  const headers = await server.signIn();
  for (const as of [headers, headers, {}]) await server.get('/api/blade-system/menu/buttons', { headers: as });
  expect((await server.get(failingCall.path, { headers })).status).toBe(500);
  await server.get('/api/nowhere');
  const requests = await valuesOf(server, 'marquee_http_requests_total');
  expect(requests).toMatchObject({
    '{method="GET",path="/api/blade-system/menu/buttons",status="200"}': 2,
    '{method="GET",path="/api/blade-system/menu/buttons",status="401"}': 1,
    '{method="GET",path="/api/lamp/fail",status="500"}': 1,
  });
  // Addresses that callers invent make no series.
  expect(Object.keys(requests).filter((labels) => labels.includes('nowhere'))).toEqual([]);
  expect(await valuesOf(server, 'marquee_http_request_duration_seconds_count')).toMatchObject({ '{method="GET",path="/api/blade-system/menu/buttons"}': 3 });
  expect(await valuesOf(server, 'marquee_plugin_errors_total')).toEqual({ '{plugin="lamp",work="request"}': 1 });
  expect(await valuesOf(server, 'marquee_lamps')).toEqual({ '{room="hall"}': 3 });
  expect(await valuesOf(server, 'marquee_broken_lamps')).toEqual({});
  expect((await valuesOf(server, 'marquee_metric_errors_total'))['{metric="marquee_broken_lamps"}']).toBeGreaterThan(1);
  expect(await valuesOf(server, 'marquee_plugins')).toEqual({ '{state="running"}': 1, '{state="skipped"}': 0 });
});

test('a metric that takes long is read once for all scrapes that wait for it', async () => {
  let reads = 0;
  const slow = defineServerPlugin({
    id: 'slow',
    title: ['慢', 'Slow'],
    setup: () => ({
      gauges: [
        {
          name: 'marquee_slow',
          help: 'Slow.',
          read: async () => {
            reads += 1;
            await wait(300);
            return [{ value: 7 }];
          },
        },
      ],
    }),
  });
  const server = await started({ plugins: [slow] });
  expect(await Promise.all([1, 2, 3].map(() => valuesOf(server, 'marquee_slow')))).toEqual([{ '': 7 }, { '': 7 }, { '': 7 }]);
  expect(await valuesOf(server, 'marquee_slow')).toEqual({ '': 7 });
  expect(reads).toBe(1);
});

const prometheus = findPrometheus();
const promtool = (args: readonly string[], input = '') => spawnSync(join(dirname(prometheus ?? ''), 'promtool'), args, { input, encoding: 'utf8' });

test.runIf(prometheus !== undefined)(
  'Prometheus scrapes the server, its rules are valid, and rules and dashboard name metrics that exist',
  async () => {
    const server = await started({
      plugins,
      environment: { METRICS_TOKEN: token, BACKUP_DIR: join(tmpdir(), 'marquee-no-such-backups'), LOG_SINK_URL: 'http://127.0.0.1:9/' },
    });
    await server.signIn();
    const { text } = (await server.get('/metrics', { headers: bearer })).body;
    expect(
      promtool(['check', 'metrics'], text)
        .stderr.split('\n')
        .filter((line) => line.startsWith('marquee_')),
    ).toEqual([]);
    expect(promtool(['check', 'rules', 'deploy/prometheus/marquee.rules.yml'])).toMatchObject({ status: 0 });

    const home = mkdtempSync(join(tmpdir(), 'marquee-prometheus-'));
    const [port] = [await sparePort(), await server.app.listen({ host: '127.0.0.1', port: 0 })];
    const target = (server.app.server.address() as { port: number }).port;
    const configuration = readFileSync('deploy/prometheus/prometheus.yml', 'utf8');
    writeFileSync(join(home, 'prometheus.yml'), configuration.replace('127.0.0.1:8080', `127.0.0.1:${target}`).replaceAll('15s', '1s'));
    writeFileSync(join(home, 'marquee.rules.yml'), readFileSync('deploy/prometheus/marquee.rules.yml'));
    writeFileSync(join(home, 'metrics-token'), token);
    const options = [`--config.file=${home}/prometheus.yml`, `--storage.tsdb.path=${home}/data`, `--web.listen-address=127.0.0.1:${port}`];
    const running = spawn(prometheus as string, options, { stdio: 'ignore' });
    onTestFinished(async () => {
      running.kill('SIGKILL');
      await new Promise((resolve) => running.once('close', resolve));
      rmSync(home, { recursive: true, force: true });
    });
    const query = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json();
    const isUp = async () => (await query('query?query=up').catch(() => undefined))?.data.result[0]?.value[1] === '1';
    while (!(await isUp())) await wait(200);

    const known = new Set<string>((await query('label/__name__/values')).data);
    const sources = ['deploy/prometheus/marquee.rules.yml', 'deploy/grafana/marquee.json'].map((path) => readFileSync(path, 'utf8')).join('\n');
    const named = new Set([...sources.matchAll(/\b(?:marquee|nodejs|process)_\w+/g)].map(([name]) => name));
    // Counters and connections appear once there is something to count, and the delay of seals once a receiver is configured.
    const later = [
      'marquee_plugin_errors_total',
      'marquee_metric_errors_total',
      'marquee_database_connections',
      'marquee_database_replica_lag_seconds',
      'marquee_evidence_unsent_seconds',
    ];
    expect([...named].filter((name) => !known.has(name) && !later.includes(name))).toEqual([]);
    const { data } = await query('rules');
    await wait(1500);
    expect(data.groups[0].rules.map(({ name }: { name: string }) => name)).toContain('MarqueePayoutsStuck');
    expect((await query('rules')).data.groups[0].rules.filter(({ lastError }: { lastError?: string }) => lastError)).toEqual([]);
  },
  60_000,
);

/** Values of a metric that begin at a number of seconds and grow like a clock, for two hours. */
const growing = (series: string, seconds: number) => ({ series, values: `${seconds}+60x120` });

test.runIf(prometheus !== undefined)('a planned backup that is missing for four hours raises an alert, and one that is made does not', () => {
  const alertAt = (eval_time: string, exp_alerts: readonly object[]) => ({ eval_time, alertname: 'MarqueeBackupMissing', exp_alerts });
  const summary = 'The planned backup has been missing for 4h 6m 0s. The system log (Monitoring) has the reason.';
  const scenario = (input_series: readonly object[], alert_rule_test: readonly object[]) => ({ interval: '1m', input_series, alert_rule_test });
  const late = growing('marquee_backup_overdue_seconds{instance="a"}', 3 * 3600);
  const made = { series: 'marquee_backup_overdue_seconds{instance="a"}', values: '0x120' };
  const firing = { exp_labels: { severity: 'critical' }, exp_annotations: { summary } };
  const tests = [scenario([late], [alertAt('60m', []), alertAt('66m', [firing])]), scenario([made], [alertAt('66m', [])]), scenario([], [alertAt('66m', [])])];
  const home = mkdtempSync(join(tmpdir(), 'marquee-rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'tests.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [resolve('deploy/prometheus/marquee.rules.yml')], tests }));
  const { status, stdout, stderr } = promtool(['test', 'rules', file]);
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
});
