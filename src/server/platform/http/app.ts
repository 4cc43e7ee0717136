import { randomBytes } from 'node:crypto';
import { constants } from 'node:zlib';
import { AjvCompiler } from '@fastify/ajv-compiler';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import formBody from '@fastify/formbody';
import { parse } from 'fast-querystring';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { ApiError, problems } from '#shared/errors';
import { wireFormats } from '#shared/formats';
import type { Manifest } from '#shared/manifest';
import { languageOf } from '#shared/text';
import type { Configuration } from '../../base/configuration/configuration.ts';
import { rewriterFor, serveUnder } from './base-path.ts';
import { assertLightForm, assertLightJson, maxBodyBytes } from './body-limits.ts';
import { acceptEncryptedBodies } from './encrypted-bodies.ts';
import { errorBody } from './envelope.ts';
import { createRequestLog, loggerOptions } from './log.ts';
import { takeQueryTokens } from './query-token.ts';
import { securityHeadersOf, sendSecurityHeaders } from './security-headers.ts';
import { rejectUnparsed } from './unparsed.ts';

/** The HTTP server. Only this folder knows Fastify; the rest of the server uses routes and requests. */
export type App = FastifyInstance;
export type { FastifyReply, FastifyRequest };

/** Validator shared by all servers of a process, so that each schema of the contract is compiled once. */
const buildValidator = AjvCompiler();

/**
 * Creates a server with parsers, limits, headers and logs, but without routes. The manifest lists the pages that may be embedded and the remote plugins. An app that takes
 * over from another one writes the same log.
 */
export async function createApp(
  configuration: Pick<Configuration, 'mode' | 'logLevel' | 'trustProxy' | 'bodyCryptoKey' | 'basePath'>,
  manifest: Pick<Manifest, 'frames' | 'remotes' | 'apiBase'>,
  log?: App['log'],
): Promise<App> {
  const { basePath } = configuration;
  const headers = securityHeadersOf(manifest);
  const app = Fastify({
    ...(log ? { loggerInstance: log } : { logger: await loggerOptions(configuration) }),
    childLoggerFactory: createRequestLog,
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    trustProxy: trustProxyOf(configuration.trustProxy),
    ...(basePath === '' ? {} : { rewriteUrl: rewriterFor(basePath) }),
    forceCloseConnections: 'idle',
    // Requests already in transit when the server begins to stop are still answered.
    return503OnClosing: false,
    requestTimeout: 60_000,
    ajv: { customOptions: { coerceTypes: true, removeAdditional: true, useDefaults: true, allErrors: false, strict: false }, onCreate: addWireFormats },
    schemaController: { compilersFactory: { buildValidator } },
    frameworkErrors: (_error, request, reply) => {
      const refusal = new ApiError(problems.badRequest);
      const body = errorBody(refusal, languageOf(request.headers['accept-language']), request.id);
      (reply as FastifyReply)
        .code(400)
        .headers({ ...headers.of(request as FastifyRequest), 'x-request-id': request.id, 'cache-control': 'no-store' })
        .send(body);
    },
    clientErrorHandler: (error, socket) => rejectUnparsed(error, socket, headers.always),
  }) as App;
  acceptBodies(app);
  if (basePath !== '') serveUnder(app, basePath);
  if (configuration.bodyCryptoKey !== undefined) acceptEncryptedBodies(app, configuration.bodyCryptoKey);
  await app.register(formBody, { bodyLimit: maxBodyBytes, parser: parseForm });
  await app.register(compress, compression);
  sendSecurityHeaders(app, headers);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  passRawForms(app);
  takeQueryTokens(app);
  logRequests(app);
  return app;
}

/** Makes a listening app pass its requests to another one. Those that it has received already it answers itself. */
export function passRequests({ server }: App, { routing }: App): void {
  server.removeAllListeners('request').on('request', routing);
}

/**
 * Compression of JSON replies of at least a kilobyte, optimized for speed. Event streams, files and the console's assets are excluded; compressed requests are not
 * accepted.
 */
const compression = {
  threshold: 1024,
  encodings: ['br', 'gzip'],
  customTypes: /^application\/json/,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  globalDecompression: false,
} satisfies FastifyCompressOptions;

/** Accepts JSON, which may be empty, and forms; all other bodies are rejected. */
function acceptBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isRaw(request)) done(null, { raw: body.toString() });
    else if (body.toString().trim() === '') done(null, undefined);
    else {
      const text = body.toString();
      assertLightJson(text);
      parseJson(request, text, done);
    }
  });
}

/** Lets a call that takes its raw body have a form unparsed, too. */
function passRawForms(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (isRaw(request) && request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      request.headers['content-type'] = 'application/json';
  });
}

/** Parses a form of few enough fields. A value with invalid escapes stays unchanged. */
function parseForm(text: string): Record<string, unknown> {
  assertLightForm(text);
  return parse(text);
}

/** Tests whether a call takes its raw body. */
const isRaw = ({ routeOptions }: FastifyRequest): boolean => (routeOptions.config as { route?: { call: { raw?: boolean } } }).route?.call.raw === true;

/** Trusts the given number of proxies in front, or those with the given addresses. */
function trustProxyOf(proxies: Configuration['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

/** Generates request ids that are unique across replicas; accepts a proxy's id if it is a plain word. */
function requestIds(): (request: { headers: Record<string, string | string[] | undefined> }) => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const requestId = headers['x-request-id'];
    if (typeof requestId === 'string' && /^[\w-]{8,64}$/.test(requestId)) return requestId;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** Logs one line per request, with its path but never its parameters; health probes and scrapes of metrics are not logged. */
function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = pathOf(request);
    if (path.startsWith('/health/') || path === '/metrics') return;
    request.log.info(
      { method: request.method, path, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime * 10) / 10, address: request.ip },
      'request answered',
    );
  });
}

/** Returns the path of a request without its query, which may contain secrets. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Adds the wire formats that check more than a pattern to a validator: valid values can be stored. */
function addWireFormats(validator: { addFormat(name: string, format: { type: 'string'; validate: (text: string) => boolean }): unknown }): void {
  for (const [name, validate] of Object.entries(wireFormats)) validator.addFormat(name, { type: 'string', validate });
}
