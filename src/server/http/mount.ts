import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { problems, Refusal } from '#shared/errors';
import { languageOf } from '#shared/text';
import type { Principal } from '../auth/principal.ts';
import { admit, admitInput, anonymous } from './admission.ts';
import type { App } from './app.ts';
import { refusalBody, refusalOf, replySchema, successBody } from './envelope.ts';
import type { Answer, Handling } from './handling.ts';
import { enteredBy, type Validate, validInput } from './input.ts';
import { addressesOf, checkRoutes, type Origin, type Route } from './route.ts';

/** What the rooms of a request are lent by the rest of the kernel. */
export interface Rooms {
  /** Who makes the request; nothing for a missing, expired, foreign or revoked token. */
  readonly identify: (origin: Origin) => Promise<Principal | undefined>;
  readonly handling: Handling;
}

const principalKey = 'principal';

/** Serves every route through the same rooms: identify, admit, narrow, validate, handle, record, reply. Refuses undeclared and doubled calls. */
export function mountRoutes(app: App, routes: readonly Route[], rooms: Rooms): void {
  checkRoutes(routes);
  app.decorateRequest(principalKey, undefined);
  for (const route of routes) {
    const schema = replySchema(route.call);
    for (const url of addressesOf(route)) {
      app.route({
        method: route.call.method,
        url,
        config: { route } as object,
        onRequest: async (request) => {
          const principal = await rooms.identify(originOf(request));
          request.setDecorator(principalKey, principal);
          admit(route, principal);
        },
        handler: (request, reply) => answer(route, schema, rooms, request, reply),
      });
    }
  }
  answerFailures(app, rooms);
}

async function answer(route: Route, schema: TSchema, { handling }: Rooms, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const principal = principalOf(request) ?? anonymous;
  const language = languageOf(request.headers['accept-language']);
  const entered = enteredBy(route.call, request.query, request.body);
  admitInput(route.call, principal, entered);
  const input = validInput(route.call, entered, request.compileValidationSchema(route.call.input as object) as unknown as Validate);
  const write = (value: unknown, by: TSchema) => reply.serializeInput(value as Record<string, unknown>, by as Record<string, unknown>) as string;
  const result: Answer = await handling.handle({
    route,
    request: { input, principal, language, origin: originOf(request) },
    milliseconds: () => reply.elapsedTime,
    body: (data) => successBody(route.call, data, language, write, schema),
  });
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(result.body) as unknown as string;
}

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
    return reply.code(status).type('application/json; charset=utf-8').header('cache-control', 'no-store').send(JSON.stringify(body));
  });
}

/** The words for an address nobody serves: 405 where another method is served, 404 otherwise. */
export function unservedRefusal(routes: readonly Route[], path: string): { refusal: Refusal; allow: readonly string[] } {
  const allow = routes.filter((route) => addressesOf(route).includes(path)).map(({ call }) => call.method);
  return { refusal: new Refusal(allow.length > 0 ? problems.methodNotAllowed : problems.unknownPath), allow };
}

function principalOf(request: FastifyRequest): Principal | undefined {
  return request.getDecorator<Principal | undefined>(principalKey);
}

function enteredQuietly({ query, body }: FastifyRequest): unknown {
  return { ...(query as object), ...(typeof body === 'object' ? body : {}) };
}

function originOf(request: FastifyRequest): Origin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    header: (name) => String(request.headers[name] ?? ''),
  };
}
