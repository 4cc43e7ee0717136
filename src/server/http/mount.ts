import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { problems, Refusal } from '#shared/errors';
import { languageOf } from '#shared/text';
import type { Principal } from '../auth/principal.ts';
import type { RecordLinks } from '../files/record-links.ts';
import type { Upload } from '../plugin.ts';
import { admit, admitInput, anonymous } from './admission.ts';
import type { Answer } from './admitted.ts';
import type { App } from './app.ts';
import { refusalBody, refusalOf, replySchema, successBody } from './envelope.ts';
import type { Handling } from './handling.ts';
import { enteredBy, type Validate, validInput } from './input.ts';
import { maskedReply } from './masked-reply.ts';
import type { RateLimits } from './rate-limits.ts';
import { addressesOf, checkRoutes, type Origin, type Route, type SentFile } from './route.ts';
import { acceptUploads, sendFile, uploadOf } from './uploads.ts';

/** What the rooms of a request are lent by the rest of the kernel. */
export interface Rooms {
  /** Who makes the request; nothing for a missing, expired, foreign or revoked token. */
  readonly identify: (origin: Origin) => Promise<Principal | undefined>;
  readonly handling: Handling;
  readonly links: RecordLinks;
  readonly limits: RateLimits;
  /** The route as it is where somebody is, with what other plugins have added to its rows. */
  readonly routeFor?: (route: Route, principal: Principal) => Route;
}

const principalKey = 'principal';

/** Serves every route through the same rooms: identify, admit, narrow, validate, handle, record, reply. Refuses undeclared and doubled calls. */
export function mountRoutes(app: App, routes: readonly Route[], rooms: Rooms): void {
  checkRoutes(routes);
  app.decorateRequest(principalKey, undefined);
  answerFailures(app, rooms);
  for (const route of routes.filter(({ call }) => !call.upload)) mountRoute(app, route, rooms);
  app.register(async (uploads) => {
    await acceptUploads(uploads as unknown as App);
    for (const route of routes.filter(({ call }) => call.upload)) mountRoute(uploads as unknown as App, route, rooms);
  });
}

function mountRoute(app: App, route: Route, rooms: Rooms): void {
  for (const url of addressesOf(route)) {
    app.route({
      method: route.call.method,
      url,
      config: { route } as object,
      onRequest: identifying(route, rooms),
      handler: async (request, reply) => {
        if (!route.call.upload) return answer(route, rooms, { request, reply });
        const { upload, fields } = await uploadOf(request);
        try {
          return await answer(route, rooms, { request, reply, upload, fields });
        } finally {
          // Whatever was not read is let pass, or the caller would wait for ever.
          upload.content.resume();
        }
      },
    });
  }
}

/** The rooms *identify* and *admit*, before anything is read. */
export function identifying(
  route: Pick<Route, 'call' | 'aliases' | 'refuseOff' | 'despiteExpiredPassword' | 'limit'>,
  { identify, limits }: Pick<Rooms, 'identify' | 'limits'>,
) {
  return async (request: FastifyRequest) => {
    if (route.limit) limits.spend(route.limit, request.ip);
    const principal = await identify(originOf(request));
    request.setDecorator(principalKey, principal);
    if (principal && principal.userId !== '') limits.spend('calls', principal.userId);
    admit(route, principal);
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly upload?: Upload;
  readonly fields?: Record<string, string>;
}

async function answer(plain: Route, { handling, links, routeFor }: Rooms, { request, reply, upload, fields }: Exchange): Promise<unknown> {
  const principal = principalOf(request) ?? anonymous;
  const route = routeFor?.(plain, principal) ?? plain;
  const schema = schemaOf(route.call);
  const language = languageOf(request.headers['accept-language']);
  const entered = enteredBy(route.call, request.query, fields ?? request.body);
  admitInput(route.call, principal, entered);
  const input = validInput(route.call, entered, request.compileValidationSchema(route.call.input as object) as unknown as Validate);
  const write = (value: unknown, by: TSchema) => reply.serializeInput(value as Record<string, unknown>, by as Record<string, unknown>) as string;
  const origin = originOf(request);
  const result: Answer = await handling.handle({
    route,
    request: {
      input,
      principal,
      language,
      origin,
      upload,
      header: route.call.raw ? origin.header : undefined,
      setCookie: (cookie) => reply.header('set-cookie', cookie),
    },
    milliseconds: () => reply.elapsedTime,
    body: (data) =>
      isBare(route.call)
        ? (data as SentFile | string)
        : maskedReply(successBody(route.call, links.fresh(route.call.reply, data), language, write, schema), schema, principal),
  });
  if (typeof result.body !== 'string') return sendFile(reply, result.body);
  if (route.call.redirect) return reply.header('cache-control', 'no-store').redirect(result.body, 302);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(result.body);
}

const replySchemas = new WeakMap<Route['call'], TSchema>();

/** One for each call: writers are compiled for it. */
function schemaOf(call: Route['call']): TSchema {
  const schema = replySchemas.get(call) ?? replySchema(call);
  replySchemas.set(call, schema);
  return schema;
}

/** What leaves as the handler gave it: a file, or the address the browser is sent on to. */
const isBare = ({ download, redirect }: Route['call']) => download === true || redirect === true;

/** Everything thrown anywhere becomes a refusal in the words of the caller, and the log keeps what they do not need to know. */
function answerFailures(app: App, { handling }: Rooms): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    const { status } = refusal.problem;
    const route = (request.routeOptions.config as { route?: Route }).route;
    const language = languageOf(request.headers['accept-language']);
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    else if (refusal.cause) request.log.warn({ err: refusal.cause }, 'request refused');
    if (route) {
      const principal = principalOf(request) ?? anonymous;
      handling.refused({ route, principal, origin: originOf(request), entered: enteredQuietly(request), milliseconds: reply.elapsedTime, refusal });
    }
    const body = route?.refused?.(refusal, language) ?? refusalBody(refusal, language, request.id);
    if (status === 429 || status === 503) reply.header('retry-after', String(refusal.values.seconds ?? 5));
    return reply.code(status).type('application/json; charset=utf-8').header('cache-control', 'no-store').send(JSON.stringify(body));
  });
}

/** The words for an address nobody serves: 405 where another method is served, 404 otherwise. */
export function unservedRefusal(routes: readonly Route[], path: string): { refusal: Refusal; allow: readonly string[] } {
  const allow = routes.filter((route) => addressesOf(route).includes(path)).map(({ call }) => call.method);
  return { refusal: new Refusal(allow.length > 0 ? problems.methodNotAllowed : problems.unknownPath), allow };
}

/** Who makes a request that has been identified. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return request.getDecorator<Principal | undefined>(principalKey);
}

function enteredQuietly({ query, body }: FastifyRequest): unknown {
  return { ...(query as object), ...(typeof body === 'object' ? body : {}) };
}

/** What a request says about where it comes from. */
export function originOf(request: FastifyRequest): Origin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    host: request.host,
    header: (name) => String(request.headers[name] ?? ''),
  };
}
