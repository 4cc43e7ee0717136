import { createHash, timingSafeEqual } from 'node:crypto';
import type { App, FastifyRequest } from '../../platform/http/app.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** Counts answered calls, and serves `/metrics` to requests that bear the token. Without a token the path does not exist. */
export function serveMetrics(app: App, metrics: Metrics, token: string | undefined): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    if (!route) return;
    const { method, path } = route.call;
    metrics.answered({ method, path, status: reply.statusCode, seconds: reply.elapsedTime / 1000, plugin: route.plugin });
    if (reply.statusCode >= 500 && route.plugin !== undefined) metrics.failed(route.plugin, 'request');
  });
  if (token === undefined) return;
  const expected = digestOf(`Bearer ${token}`);
  app.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digestOf(request.headers.authorization ?? ''), expected)) {
      return reply
        .code(401)
        .headers({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' })
        .type('text/plain')
        .send('The token of METRICS_TOKEN is required.\n');
    }
    const { type, text } = await metrics.scrape();
    return reply.type(type).header('cache-control', 'no-store').send(text);
  });
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

const routeOf = (request: FastifyRequest) => (request.routeOptions.config as { route?: Route }).route;
