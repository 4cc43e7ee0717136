import { randomBytes } from 'node:crypto';
import { constants } from 'node:zlib';
import { AjvCompiler } from '@fastify/ajv-compiler';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import formBody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { problems, Refusal } from '#shared/errors';
import type { Manifest } from '#shared/manifest';
import { languageOf } from '#shared/text';
import type { Configuration } from '../configuration.ts';
import { acceptEncryptedBodies } from './encrypted-bodies.ts';
import { refusalBody } from './envelope.ts';
import { addWireFormats } from './formats.ts';
import { loggerOptions } from './log.ts';
import { securityHeaders } from './security-headers.ts';

/** The HTTP server. Known by this folder alone; the rest of the kernel speaks of routes and requests. */
export type App = FastifyInstance;
/** Where the kernel writes what an operator of the deployment should know. */
export type Log = FastifyInstance['log'];

const megabyte = 1024 * 1024;

/** One for all servers of a process: a schema of the contract is compiled once. */
const buildValidator = AjvCompiler();

/** A server that answers nothing yet: parsers, limits, headers and logs are in place. The manifest says whose pages may be embedded and whose plugins run. */
export async function createApp(
  configuration: Pick<Configuration, 'mode' | 'logLevel' | 'trustProxy' | 'bodyCryptoKey'>,
  manifest: Pick<Manifest, 'frames' | 'remotes' | 'apiBase'>,
): Promise<App> {
  const app = Fastify({
    logger: await loggerOptions(configuration),
    bodyLimit: megabyte,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    trustProxy: trusting(configuration.trustProxy),
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    ajv: { customOptions: { coerceTypes: true, removeAdditional: true, useDefaults: true, allErrors: false, strict: false }, onCreate: addWireFormats },
    schemaController: { compilersFactory: { buildValidator } },
    frameworkErrors: (_error, request, reply) => {
      const refusal = new Refusal(problems.badRequest);
      const body = refusalBody(refusal, languageOf(request.headers['accept-language']), request.id);
      (reply as FastifyReply).code(400).send(body);
    },
  }) as unknown as App;
  acceptBodies(app);
  if (configuration.bodyCryptoKey !== undefined) acceptEncryptedBodies(app, configuration.bodyCryptoKey);
  await app.register(formBody, { bodyLimit: megabyte });
  await app.register(compress, compressed);
  await securityHeaders(app, manifest);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  logRequests(app);
  return app;
}

/** Answers in JSON from a kilobyte up, quickly rather than best. Streams of events, files and the console's assets are not touched; nobody sends compressed. */
const compressed = {
  threshold: 1024,
  encodings: ['br', 'gzip'],
  customTypes: /^application\/json/,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  globalDecompression: false,
} satisfies FastifyCompressOptions;

/** JSON that may be empty, and forms; nothing else is read. */
function acceptBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isRaw(request)) done(null, { raw: body.toString() });
    else if (body.toString().trim() === '') done(null, undefined);
    else parseJson(request, body.toString(), done);
  });
}

/** Whether a call takes its body as it came. */
const isRaw = ({ routeOptions }: FastifyRequest): boolean => (routeOptions.config as { route?: { call: { raw?: boolean } } }).route?.call.raw === true;

/** So many proxies in front are believed, or those at the addresses given. */
function trusting(proxies: Configuration['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

/** Ids that are unique among replicas; a proxy's own is kept where it is a plain word. */
function requestIds(): (request: { headers: Record<string, string | string[] | undefined> }) => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && /^[\w-]{8,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** One line for each request, with its address but never its parameters; probes are not worth one. */
function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = pathOf(request);
    if (path.startsWith('/health/')) return;
    request.log.info(
      { method: request.method, path, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime * 10) / 10, address: request.ip },
      'request answered',
    );
  });
}

/** The path of a request without its query, which may hold secrets. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
