import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { defineServerPlugin, queryRows, route, type ServerContext } from '#server';
import { get, NoContent, post } from '#shared/contract';
import { reportSpans } from '#shared/traces';
import { sparePort } from '../../../../scripts/port.mjs';
import { type TestServer, testServer } from '../../../support/test-server.ts';
import { type CollectedSpan, type TraceCollector, traceCollector } from '../../../support/trace-collector.ts';

const canary = 'canary-4711';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = (flags = '00', trace = traceId) => ({ traceparent: `00-${trace}-${callerSpan}-${flags}` });
const metricsToken = 'a-token-of-the-scraper';

const input = Type.Object({ peer: Type.String(), secret: Type.String() });
const beacon = {
  look: get('/api/beacon/look', { title: ['查看', 'Look'], access: 'signedIn', input, reply: NoContent }),
  light: post('/api/beacon/light', { title: ['点亮', 'Light'], access: 'signedIn', input, reply: NoContent }),
};

/** Plugin whose calls run statements and send requests with a secret to a peer. */
const beaconPlugin = (seen: (context: ServerContext) => void = () => undefined, during: () => void = () => undefined) =>
  defineServerPlugin({
    id: 'beacon',
    title: ['灯塔', 'Beacon'],
    setup: (context) => {
      seen(context);
      const { db } = context;
      const count = (secret: string) => queryRows(db, sql`select account from user_account where account = ${secret} and real_name <> 'canary-4711 literal'`);
      return {
        routes: [
          route(beacon.look, async ({ input: { secret, peer } }) => {
            await count(secret);
            await (await fetch(`${peer}/hook/${secret}?key=${secret}`, { method: 'POST', body: secret, headers: { authorization: secret } })).text();
          }),
          route(beacon.light, async ({ input: { secret, peer } }) => {
            during();
            await count(secret);
            await new Promise<void>((resolve, reject) => {
              const sent = httpRequest(`${peer}/hook/${secret}`, { method: 'PUT', agent: context.egress.agents.httpAgent }, (response) => {
                response.resume().on('end', () => resolve());
              });
              sent.on('error', reject).end(secret);
            });
          }),
        ],
      };
    },
  });

async function openPeer(status = 200) {
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, reply) => {
    headers.push(request.headers);
    request.resume().on('end', () => reply.writeHead(status).end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers };
}

interface TracedOptions {
  readonly collector: Pick<TraceCollector, 'endpoint'>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly seen?: (context: ServerContext) => void;
  /** Runs within the call that writes. */
  readonly during?: () => void;
}

const tracedServer = ({ collector, environment = {}, seen, during }: TracedOptions): Promise<TestServer> =>
  testServer({
    plugins: [beaconPlugin(seen, during)],
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      EGRESS_ALLOW: '127.0.0.1',
      METRICS_TOKEN: metricsToken,
      ...environment,
    },
  });

const named = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name);

async function dropped(server: TestServer): Promise<number> {
  const { body } = await server.get('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number(/^marquee_trace_spans_dropped_total (\d+)$/m.exec(body.text)?.[1]);
}

/** Collects the lines that a server logs. */
function linesOf({ app }: TestServer): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const [stream] = Object.getOwnPropertySymbols(app.log).filter((symbol) => symbol.description === 'pino.stream') as [symbol];
  Object.assign(app.log, { [stream]: { write: (line: string) => lines.push(JSON.parse(line)) } });
  return lines;
}

test('a request is one trace: its caller, its span, its statements and its requests to other systems, without any value', async () => {
  const collector = await traceCollector();
  const peer = await openPeer();
  const failing = await openPeer(500);
  const server = await tracedServer({ collector, environment: { OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open%20sesame' } });
  const session = await server.signIn();
  const headers = { ...session, ...traceparent() };
  const answered = await server.get(beacon.look.path, { headers, query: { peer: peer.address, secret: canary } });
  expect(answered).toMatchObject({ status: 200, headers: { traceresponse: expect.stringMatching(`^00-${traceId}-[\\da-f]{16}-01$`) } });
  expect((await server.post(beacon.light.path, { peer: failing.address, secret: canary }, { headers })).status).toBe(200);
  const unreachable = await server.get(beacon.look.path, { headers: { ...session }, query: { peer: `http://127.0.0.1:${await sparePort()}`, secret: canary } });
  expect(unreachable.status).toBe(503);
  expect(unreachable.headers.traceresponse).toBeUndefined();
  await server.stop();

  const { spans, requests } = collector;
  const look = named(spans, `GET ${beacon.look.path}`);
  expect(look).toMatchObject({ service: 'marquee', traceId, parentSpanId: callerSpan, kind: 2, status: 0 });
  expect(look?.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': beacon.look.path,
    'http.response.status_code': 200,
    'user.id': expect.stringMatching(/^\d+$/),
    'marquee.tenant.id': '000000',
    'marquee.plugin': 'beacon',
    'marquee.request.id': answered.headers['x-request-id'],
  });
  const within = (parent: CollectedSpan | undefined) =>
    spans.filter(({ parentSpanId, traceId: id }) => parentSpanId === parent?.spanId && id === parent.traceId);
  const statement = within(look).find(({ name }) => name === 'select user_account');
  expect(statement).toMatchObject({ kind: 3, attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'select', 'db.response.returned_rows': 0 } });
  expect(statement?.attributes['db.query.text']).toBe("select account from user_account where account = $1 and real_name <> '?'");
  const port = Number(new URL(peer.address).port);
  expect(named(within(look), 'POST')).toMatchObject({
    kind: 3,
    status: 0,
    attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'server.port': port, 'http.response.status_code': 200 },
  });
  for (const span of within(look)) expect(span.start >= (look?.start ?? 0n) && span.end <= (look?.end ?? 0n)).toBe(true);

  const light = named(spans, `POST ${beacon.light.path}`);
  const transaction = named(within(light), 'transaction');
  expect(within(transaction).map(({ name }) => name)).toContain('select user_account');
  expect(named(within(transaction), 'PUT')).toMatchObject({ status: 2, attributes: { 'http.response.status_code': 500, 'error.type': '500' } });

  const failed = spans.find(({ name, status }) => name === `GET ${beacon.look.path}` && status === 2);
  expect(failed).toMatchObject({ parentSpanId: '', attributes: { 'http.response.status_code': 503 } });
  expect(named(within(failed), 'POST')).toMatchObject({ status: 2, attributes: { 'error.type': 'ECONNREFUSED' } });

  const bytes = requests.map(({ body }) => body.toString('latin1')).join('\n');
  const token = String(session['things-auth']).slice('bearer '.length);
  for (const secret of [canary, token, 'sryx_secret', 'Evening-Lights', 'argon2']) expect(bytes).not.toContain(secret);
  expect(requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'open sesame' } });
  expect(peer.headers[0]).toBeDefined();
  for (const received of [...peer.headers, ...failing.headers]) expect(received.traceparent).toBeUndefined();
  // The collector's own requests are no spans.
  expect(spans.filter(({ attributes }) => attributes['server.port'] === Number(new URL(collector.endpoint).port))).toEqual([]);
});

test('spans are sent as protobuf unless the setting says otherwise', async () => {
  const collector = await traceCollector();
  const server = await tracedServer({ collector, environment: { OTEL_EXPORTER_OTLP_PROTOCOL: '', OTEL_SERVICE_NAME: 'back-office' } });
  await server.signIn();
  await server.stop();
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } });
  const bytes = collector.requests[0]?.body.toString('latin1');
  for (const text of ['service.name', 'back-office', 'POST /api/things-auth/oauth/token']) expect(bytes).toContain(text);
});

test('a ratio of 0 records only what a trusted caller has sampled, whatever others ask for', async () => {
  const collector = await traceCollector();
  const trusting = await tracedServer({ collector, environment: { OTEL_TRACES_SAMPLER_ARG: '0', TRACE_CALLERS: '10.0.0.0/8,127.0.0.1' } });
  const outside = await tracedServer({ collector, environment: { OTEL_TRACES_SAMPLER_ARG: '0', TRACE_CALLERS: '10.0.0.0/8' } });
  for (const server of [trusting, outside]) {
    for (const flags of ['01', '00']) {
      const reply = await server.get(beacon.look.path, { headers: traceparent(flags) });
      expect(reply.headers.traceresponse !== undefined).toBe(server === trusting && flags === '01');
    }
    await server.get(beacon.look.path);
    await server.stop();
  }
  expect(collector.spans.map(({ traceId: id, parentSpanId, name }) => ({ id, parentSpanId, name }))).toEqual([
    { id: traceId, parentSpanId: callerSpan, name: `GET ${beacon.look.path}` },
  ]);
});

test('servers sample the same fraction of traces by a key, and a sampled id serves for a hundred requests', async () => {
  const collector = await traceCollector();
  const environment = { OTEL_TRACES_SAMPLER_ARG: '0.25' };
  const [one, other] = [await tracedServer({ collector, environment }), await tracedServer({ collector, environment })];
  const elsewhere = await tracedServer({ collector, environment: { ...environment, SECRET_KEY: 'another key of another deployment, as long' } });
  const ids = Array.from({ length: 200 }, (_, index) => (index + 1).toString(16).padStart(32, '0'));
  const sampledBy = async (server: TestServer) => {
    const sampled: string[] = [];
    for (const id of ids) if ((await server.get(beacon.look.path, { headers: traceparent('01', id) })).headers.traceresponse) sampled.push(id);
    return sampled;
  };
  const sampled = await sampledBy(one);
  expect(sampled.length).toBeGreaterThan(20);
  expect(sampled.length).toBeLessThan(90);
  expect(await sampledBy(other)).toEqual(sampled);
  expect(await sampledBy(elsewhere)).not.toEqual(sampled);
  let repeated = 1;
  while (repeated < 200 && (await one.get(beacon.look.path, { headers: traceparent('01', sampled[0]) })).headers.traceresponse) repeated += 1;
  expect(repeated).toBe(100);
});

test('a collector that is down fails no request, and what is lost is counted and logged once', async () => {
  const server = await tracedServer({ collector: { endpoint: 'http://127.0.0.1:1' }, environment: { LOG_LEVEL: 'info' } });
  const lines = linesOf(server);
  const headers = await server.signIn();
  const peer = await openPeer();
  expect((await server.get(beacon.look.path, { headers, query: { peer: peer.address, secret: canary } })).status).toBe(200);
  expect(await dropped(server)).toBe(0);
  await expect.poll(() => dropped(server), { timeout: 20_000 }).toBeGreaterThan(3);
  const logged = () => lines.filter(({ msg }) => String(msg).startsWith('spans were dropped'));
  expect(logged()).toMatchObject([{ level: 40, spans: expect.any(Number), reason: expect.any(String) }]);
  expect((await server.get(beacon.look.path, { headers, query: { peer: peer.address, secret: canary } })).status).toBe(200);
  const lost = await dropped(server);
  await expect.poll(() => dropped(server), { timeout: 20_000 }).toBeGreaterThan(lost);
  expect(logged()).toHaveLength(1);
});

test('a stopping server sends what waits, and does not wait for a collector that hangs', async () => {
  const hanging = await traceCollector(() => new Promise(() => undefined));
  const server = await tracedServer({ collector: hanging });
  await server.signIn();
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(hanging.spans.map(({ name }) => name)).toContain('POST /api/things-auth/oauth/token');
});

test('spans of consoles have declared names and belong to sampled traces of signed-in users', async () => {
  const collector = await traceCollector();
  const server = await tracedServer({ collector });
  const headers = await server.signIn();
  const start = Date.now() - 2000;
  const own = { traceId, spanId: 'a'.repeat(16), start, milliseconds: 120, page: '/nowhere/secret-token' };
  const request = { ...own, spanId: 'b'.repeat(16), parentId: own.spanId, path: beacon.look.path, status: 200 };
  const spans = [
    own,
    request,
    { ...request, spanId: 'c'.repeat(16), path: `/api/${canary}` },
    { ...request, spanId: 'd'.repeat(16), start: start - 3_600_000 },
  ];
  expect((await server.post(reportSpans.path, { spans }, { headers })).status).toBe(200);
  expect((await server.post(reportSpans.path, { spans })).status).toBe(401);
  expect((await server.post(reportSpans.path, { spans: [{ ...own, traceId: 'x' }] }, { headers })).status).toBe(400);
  expect((await server.post(reportSpans.path, { spans: Array.from({ length: 65 }, () => own) }, { headers })).status).toBe(400);
  await server.stop();
  const consoles = collector.spans.filter(({ service }) => service === 'marquee-console');
  expect(consoles.map(({ name, spanId, parentSpanId, kind }) => ({ name, spanId, parentSpanId, kind }))).toEqual([
    { name: 'page other', spanId: own.spanId, parentSpanId: '', kind: 1 },
    { name: `GET ${beacon.look.path}`, spanId: request.spanId, parentSpanId: own.spanId, kind: 3 },
  ]);
  expect(consoles[1]?.attributes).toMatchObject({ 'user.id': expect.stringMatching(/^\d+$/), 'http.response.status_code': 200 });
  expect(collector.requests.map(({ body }) => body.toString('utf8')).join()).not.toMatch(/secret-token|canary/);
  expect(named(collector.spans, `POST ${reportSpans.path}`)).toBeUndefined();
  const untraced = await testServer();
  expect((await untraced.post(reportSpans.path, { spans: [] }, { headers: await untraced.signIn() })).status).toBe(404);
});

test('each line that is logged on behalf of a request or a background run has its ids, traced or not', async () => {
  const collector = await traceCollector();
  let context: ServerContext | undefined;
  const seen = (given: ServerContext) => {
    context = given;
  };
  const ids = { user: expect.stringMatching(/^\d+$/), tenant: '000000', reqId: expect.any(String) };
  const trace = expect.stringMatching(/^[\da-f]{32}$/);
  for (const environment of [{ LOG_LEVEL: 'info' }, { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: '' }]) {
    const server = await tracedServer({ collector, environment, seen, during: () => server.app.log.info('looking') });
    const lines = linesOf(server);
    const of = (text: string) => lines.find(({ msg }) => msg === text);
    const headers = await server.signIn();
    await server.post(beacon.light.path, { secret: canary, peer: (await openPeer()).address }, { headers: { ...headers, 'x-request-id': 'request-0001' } });
    await context?.inBackground('count the lamps', { tenant: '000000', run: '7' }, () =>
      server.db.read({ tenantId: '000000' }, async () => {
        await queryRows(server.db, sql`select account from user_account`);
        server.app.log.info('counting');
      }),
    );
    const traced = 'OTEL_EXPORTER_OTLP_ENDPOINT' in environment ? {} : { trace, span: expect.any(String) };
    expect(of('looking')).toMatchObject({ ...ids, reqId: 'request-0001', ...traced });
    expect(of('request answered')).toMatchObject({ reqId: expect.any(String), ...traced });
    expect(of('counting')).toMatchObject({ plugin: 'beacon', run: '7', tenant: '000000', ...traced });
    server.app.log.info('idle');
    expect(Object.keys(of('idle') ?? {})).not.toContain('reqId');
    await server.stop();
  }
  const run = named(collector.spans, 'count the lamps');
  expect(run).toMatchObject({ kind: 5, parentSpanId: '', attributes: { 'marquee.plugin': 'beacon', 'marquee.run': '7' } });
  expect(collector.spans.find(({ parentSpanId }) => parentSpanId === run?.spanId)).toMatchObject({ name: 'select user_account', traceId: run?.traceId });
});
