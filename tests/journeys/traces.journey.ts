import { expect, test } from '@playwright/test';
import { openS3Server, type S3Server } from '../support/s3-server.ts';
import { type CollectedSpan, openTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { actOn, collectErrors, signInThroughPage } from './console.ts';
import { adminPassword, Product } from './product.ts';

let collector: TraceCollector;
let store: S3Server;
let product: Product;

test.beforeAll(async () => {
  collector = await openTraceCollector();
  store = await openS3Server();
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  product = new Product({ ...traces, EGRESS_ALLOW: '127.0.0.1', LOG_LEVEL: 'info' });
  await product.start();
});
test.afterAll(async () => {
  await product.discard();
  await store.stop();
  await collector.stop();
});

const named = (name: string, within: readonly CollectedSpan[] = collector.spans) => within.filter((span) => span.name === name);
const childrenOf = ({ traceId, spanId }: CollectedSpan) => collector.spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);

test('a click is one trace, from the browser over the server to PostgreSQL and a store; a page is one with its requests', async ({ page }) => {
  const client = await product.signIn();
  const secret = `${store.credentials.secretKey}-canary`;
  await client.post('/api/blade-resource/oss/submit', {
    category: '1',
    ossCode: 'traced',
    endpoint: store.endpoint,
    bucketName: store.bucket,
    ...store.credentials,
  });
  const errors = collectErrors(page);
  await page.goto(`${product.address}/resource/oss/index?canary=${secret}`);
  await signInThroughPage(page);
  const row = page.getByRole('row', { name: /traced/ });
  // The view of the page ends a second after its last answer.
  await expect(row).toBeVisible();
  await page.waitForTimeout(2500);
  await actOn(row, '测试连接');
  await expect(page.getByRole('dialog').getByText('连接正常，可以启用')).toBeVisible();

  const path = '/api/blade-resource/oss/test';
  await expect.poll(() => named(`POST ${path}`).length, { timeout: 20_000 }).toBe(2);
  const [browser] = named(`POST ${path}`).filter(({ service }) => service === 'marquee-console');
  const [server] = named(`POST ${path}`).filter(({ service }) => service === 'marquee');
  if (!browser || !server) throw new Error('The request has no span of the console or none of the server.');
  expect(browser).toMatchObject({ kind: 3, parentSpanId: '', status: 0, attributes: { 'marquee.page': '/resource/oss', 'http.response.status_code': 200 } });
  expect(server).toMatchObject({ kind: 2, traceId: browser.traceId, parentSpanId: browser.spanId, status: 0 });
  expect(server.attributes['user.id']).toBe(browser.attributes['user.id']);
  const statements = childrenOf(server).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  expect(statements.map(({ name }) => name)).toContain('select oss');
  const sent = childrenOf(server).filter(({ attributes }) => attributes['server.port'] === Number(new URL(store.endpoint).port));
  expect(sent.map(({ name, attributes }) => [name, attributes['http.response.status_code']])).toEqual([
    ['PUT', 200],
    ['GET', 200],
    ['DELETE', 204],
    ['HEAD', 404],
  ]);
  // All spans of the trace have the three systems in common.
  for (const span of collector.spans.filter(({ traceId }) => traceId === browser.traceId)) expect(span.end >= span.start).toBe(true);

  const views = collector.spans.filter(({ name }) => name === 'page /resource/oss');
  expect(views.length).toBeGreaterThan(0);
  const requested = views.flatMap(childrenOf).map(({ name }) => name);
  expect(requested).toContain('GET /api/blade-resource/oss/list');
  for (const view of views) expect(view).toMatchObject({ service: 'marquee-console', parentSpanId: '', kind: 1 });

  const bytes = collector.requests.map(({ body }) => body.toString('utf8')).join('\n');
  for (const value of [adminPassword, 'canary', 'bearer ', 'S3RVER', 'sryx_secret', '?current', '管理员']) expect(bytes).not.toContain(value);
  // The lines of the log name the trace of the request.
  expect(product.output).toContain(`"trace":"${browser.traceId}"`);
  expect(errors).toEqual([]);
});
