import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import { ApiError, problems } from '#shared/errors';
import { languageOf } from '#shared/text';
import { memoize } from '../../base/memoize.ts';
import { RowConflict } from '../../data/repository/row-conflict.ts';
import type { BladexAdapter } from '../../platform/bladex/adapter.ts';
import type { RecordFileLinks } from '../../platform/files/record-links.ts';
import type { App, FastifyReply, FastifyRequest } from '../../platform/http/app.ts';
import { anonymous, authorize, authorizeInput } from '../../platform/http/authorize-call.ts';
import type { HandledResponse } from '../../platform/http/authorized-request.ts';
import { limitAnonymousBody } from '../../platform/http/body-limits.ts';
import { errorBody, replySchema, successBody, toApiError } from '../../platform/http/envelope.ts';
import { queryTokenFor } from '../../platform/http/query-token.ts';
import { checkRoutes, type Origin, type Route, routePaths, type SentFile, type Upload } from '../../platform/http/route.ts';
import { clearSiteData } from '../../platform/http/security-headers.ts';
import { acceptUploads, sendFile, uploadOf } from '../../platform/http/uploads.ts';
import { bearsToken } from '../../platform/identity/sessions/tokens.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import type { SharedRateLimits } from '../../platform/rate-limits/shared-rate-limits.ts';
import { collectParams, type Validate, validInput, withRequestedShape } from './input.ts';
import { type Viewer, withMaskedPersonal } from './masked-personal.ts';
import { maskedReply } from './masked-reply.ts';
import type { RequestPipeline } from './request-pipeline.ts';
import { attachUser, inWorkOf } from './request-work.ts';

/** Dependencies of the request stages. */
export interface RequestStages {
  /** Identifies the request; undefined for a missing, expired, foreign or revoked token. */
  readonly identify: (origin: Origin, queryToken?: string) => Promise<Principal | undefined>;
  readonly pipeline: RequestPipeline;
  readonly links: RecordFileLinks;
  readonly limits: Pick<SharedRateLimits, 'spend'>;
  /** Returns the route with the fields that other plugins add in the principal's tenant. */
  readonly routeFor?: (route: Route, principal: Principal) => Route;
  /** Translates for BladeX-compatible clients. */
  readonly bladex?: BladexAdapter;
}

const principalKey = 'principal';

/** Serves every route through the same stages: identify, authorize, narrow, validate, handle, record, reply. Throws for undeclared and duplicate calls. */
export function mountRoutes(app: App, routes: readonly Route[], stages: RequestStages): void {
  checkRoutes(routes);
  app.decorateRequest(principalKey, undefined);
  handleErrors(app, stages);
  for (const route of routes.filter(({ call }) => !call.upload)) mountRoute(app, route, stages);
  app.register(async (uploads) => {
    await acceptUploads(uploads as App);
    for (const route of routes.filter(({ call }) => call.upload)) mountRoute(uploads as App, route, stages);
  });
}

function mountRoute(app: App, route: Route, stages: RequestStages): void {
  for (const url of routePaths(route)) {
    app.route({
      method: route.call.method,
      url,
      config: { route } as object,
      onRequest: identifying(route, stages),
      preParsing: async (request, _reply, body) => (route.call.upload || principalOf(request) ? body : limitAnonymousBody(request, body as Readable)),
      handler: async (request, reply) => {
        if (!route.call.upload) return inWorkOf(request, () => answer(route, stages, { request, reply }));
        const { upload, fields } = await uploadOf(request);
        try {
          return await inWorkOf(request, () => answer(route, stages, { request, reply, upload, fields }));
        } finally {
          drainUpload(request, upload);
        }
      },
    });
  }
}

/** Discards the unread rest of an upload: otherwise neither the caller nor the next request on the connection would ever be answered. */
function drainUpload({ raw }: FastifyRequest, { content }: Upload): void {
  if (content.readableEnded) return;
  content.destroy();
  raw.unpipe();
  raw.resume();
}

/** Runs the stages *identify* and *authorize* before anything is read. */
export function identifying(
  route: Pick<Route, 'call' | 'aliases' | 'assertPluginEnabled' | 'allowExpiredPassword' | 'limit'>,
  { identify, limits }: Pick<RequestStages, 'identify' | 'limits'>,
) {
  return async (request: FastifyRequest) => {
    const limit = route.limit ?? (route.call.access === 'open' ? 'open' : undefined);
    if (limit) await limits.spend(limit, request.ip);
    const queryToken = queryTokenFor(route.call, request.raw);
    const principal = await identify(originOf(request), queryToken);
    request.setDecorator(principalKey, principal);
    if (principal) attachUser(request, principal);
    if (principal && principal.userId !== '') await limits.spend('calls', principal.userId);
    if (!principal && route.call.access !== 'open' && queryToken === '' && !bearsToken(originOf(request))) throw new ApiError(problems.missingToken);
    authorize(route, principal);
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly upload?: Upload;
  readonly fields?: Record<string, string>;
}

async function answer(
  declaredRoute: Route,
  { pipeline, links, routeFor, bladex }: RequestStages,
  { request, reply, upload, fields }: Exchange,
): Promise<unknown> {
  const principal = principalOf(request) ?? anonymous;
  const adapter = bladex?.for(principal, request.headers.authorization);
  const sentParams = collectParams(declaredRoute.call, request.query, fields ?? request.body);
  const { route: shapedRoute, params: shapedParams } = withRequestedShape(declaredRoute, sentParams, adapter !== undefined);
  const extended = routeFor?.(shapedRoute, principal) ?? shapedRoute;
  const route = adapter?.route(extended) ?? extended;
  const params = adapter?.read(route.call, shapedParams) ?? shapedParams;
  const schema = schemaOf(route.call);
  const language = languageOf(request.headers['accept-language']);
  authorizeInput(route.call, principal, params);
  const input = validInput(route.call, params, (schema) => request.compileValidationSchema(schema) as Validate);
  const viewer = viewerOf(principal, adapter !== undefined);
  const write = (value: unknown, by: TSchema) => reply.serializeInput(value as Record<string, unknown>, by as Record<string, unknown>) as string;
  const json = (data: unknown) => {
    const shown = withMaskedPersonal(route.call.reply, links.withSignedLinks(route.call.reply, data), viewer);
    const text = maskedReply(successBody(route.call, input, shown, language, write, schema), schema, principal);
    return adapter?.write(text, schema) ?? text;
  };
  const origin = originOf(request);
  const handled = pipeline.handle({
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
    body: (data) => (isBare(route.call) ? (data as SentFile | string) : json(data)),
  });
  const result: HandledResponse = await handled.catch((error) => {
    throw error instanceof RowConflict
      ? visibleConflict(error, principal, (row) => write(withMaskedPersonal(error.schema, links.withSignedLinks(error.schema, row), viewer), error.schema))
      : error;
  });
  if (request.protocol === 'https' && route.signsOut?.(input)) reply.headers(clearSiteData);
  if (typeof result.body !== 'string') return sendFile(reply, result.body);
  if (route.call.redirect) return reply.header('cache-control', 'no-store').redirect(result.body, 302);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(result.body);
}

/** BladeX-compatible clients cannot ask for a masked value: they get it with the permission that the console needs to show it. */
const viewerOf = ({ userId, codes }: Principal, isCompatible: boolean): Viewer => ({
  userId,
  mayRead: (code) => isCompatible && code !== undefined && codes.has(code),
});

/** Returns the error with the row as a reply contains it, without the fields that are hidden from the caller. */
function visibleConflict({ schema, data }: RowConflict, principal: Principal, write: (row: unknown) => string): RowConflict {
  return new RowConflict(schema, { ...data, current: JSON.parse(maskedReply(write(data.current), schema, principal)) });
}

/** Returns the reply schema, created once because serializers are compiled per call. */
const schemaOf = memoize(replySchema);

/** Tests for replies without a body schema: a file, or a redirect. */
const isBare = ({ download, redirect }: Route['call']) => download === true || redirect === true;

/** Converts every thrown error to a reply in the caller's language and logs the details. */
function handleErrors(app: App, { pipeline }: RequestStages): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error);
    const { status } = refusal.problem;
    const route = (request.routeOptions.config as { route?: Route }).route;
    const language = languageOf(request.headers['accept-language']);
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    else if (refusal.cause) request.log.warn({ err: refusal.cause }, 'request refused');
    if (route) {
      const principal = principalOf(request) ?? anonymous;
      pipeline.refused({ route, principal, origin: originOf(request), input: loggedInput(request), milliseconds: reply.elapsedTime, error: refusal });
    }
    const body = route?.errorBody?.(refusal, language) ?? errorBody(refusal, language, request.id);
    if (status === 429 || status === 503) reply.header('retry-after', String(refusal.values.seconds ?? 5));
    return reply.code(status).type('application/json; charset=utf-8').header('cache-control', 'no-store').send(JSON.stringify(body));
  });
}

/** Returns the error for an unknown path: 405 if another method is served there, 404 otherwise. */
export function unknownPathError(routes: readonly Route[], path: string): { refusal: ApiError; allow: readonly string[] } {
  const allow = routes.filter((route) => routePaths(route).includes(path)).map(({ call }) => call.method);
  return { refusal: new ApiError(allow.length > 0 ? problems.methodNotAllowed : problems.unknownPath), allow };
}

/** Returns the principal of an identified request. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return request.getDecorator<Principal | undefined>(principalKey);
}

function loggedInput({ query, body }: FastifyRequest): unknown {
  return { ...(query as object), ...(typeof body === 'object' ? body : {}) };
}

/** Collects the facts about the origin of a request. */
export function originOf(request: FastifyRequest): Origin {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    host: request.host,
    header: (name) => String(request.headers[name] ?? ''),
  };
}
