import { BlockList, isIP } from 'node:net';
import { runWork, type Span, type WorkContext } from '../../base/work.ts';
import type { App, FastifyRequest } from '../../platform/http/app.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import type { RemoteParent, Traces } from '../../platform/traces/traces.ts';

const workOfRequest = new WeakMap<FastifyRequest, WorkContext>();

/**
 * Gives each request its work, with the fields of its log lines and, for a declared call in a sampled trace, its span. A trace of the caller (`traceparent`) is
 * continued; whether it is sampled is decided here, unless the caller is trusted. A reply to a request with `traceparent` names the trace in `traceresponse` if
 * it is sampled.
 */
export function traceRequests(app: App, traces: Traces | undefined, trustedCallers = ''): void {
  const isTrusted = addressTest(trustedCallers);
  app.addHook('onRequest', (request, reply, done) => {
    const parent = parentOf(request, isTrusted);
    const span = traces && beginSpan(traces, request, parent);
    const trace = span?.traceId ?? parent?.traceId;
    if (trace !== undefined) request.log = request.log.child(span ? { trace, span: span.spanId } : { trace });
    if (span && parent) reply.header('traceresponse', `00-${span.traceId}-${span.spanId}-01`);
    const work = { fields: { reqId: request.id, ...(trace === undefined ? {} : { trace }) }, span };
    workOfRequest.set(request, work);
    runWork(work, done);
  });
  if (!traces) return;
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = workOfRequest.get(request)?.span;
    span?.set({ 'http.response.status_code': statusCode });
    span?.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
  });
  app.addHook('onRequestAbort', async (request) => workOfRequest.get(request)?.span?.end({ code: 'ABORTED' }));
}

/** Adds the user of a request to its log lines and its span. */
export function attachUser(request: FastifyRequest, { tenantId, userId }: Principal): void {
  request.log = request.log.child({ tenant: tenantId, user: userId });
  const work = workOfRequest.get(request);
  if (!work) return;
  Object.assign(work.fields, { tenant: tenantId, user: userId });
  work.span?.set({ 'user.id': userId, 'marquee.tenant.id': tenantId });
}

/** Restores the async context of a request for its handler; Fastify loses it while it reads the body. */
export function inWorkOf<Result>(request: FastifyRequest, run: () => Result): Result {
  const work = workOfRequest.get(request);
  return work ? runWork(work, run) : run();
}

function beginSpan(traces: Traces, request: FastifyRequest, parent: RemoteParent | undefined): Span | undefined {
  const { route } = request.routeOptions.config as { route?: Route };
  if (!route || route.isUntraced) return undefined;
  const { method, path } = route.call;
  const attributes = { 'http.request.method': method, 'http.route': path, 'marquee.plugin': route.plugin, 'marquee.request.id': request.id };
  return traces.begin(`${method} ${path}`, 'server', attributes, parent);
}

/** Reads `traceparent` as W3C's Trace Context has it; an invalid one counts as none. */
function parentOf({ headers, socket }: FastifyRequest, isTrusted: (address: string) => boolean): RemoteParent | undefined {
  const [, traceId, spanId, flags] = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(String(headers.traceparent)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 && isTrusted(socket.remoteAddress ?? '') };
}

/** Returns a function that tells whether an address is in a list of addresses and networks, separated by commas. */
function addressTest(list: string): (address: string) => boolean {
  const addresses = new BlockList();
  for (const entry of list.split(',').map((one) => one.trim())) {
    const [net = '', prefix] = entry.split('/');
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(net) !== 0) addresses.addSubnet(net, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return isIP(plain) !== 0 && addresses.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}
