import swagger from '@fastify/swagger';
import swaggerPage from '@fastify/swagger-ui';
import type { TSchema } from 'typebox';
import type { Call, Who } from '#shared/contract';
import { type Problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { Manifest } from '#shared/manifest';
import { snakeCase } from '#shared/text';
import type { App } from './app.ts';
import { done, envelopeSchema, replySchema } from './envelope.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** The specification file and the page that reads it. */
export const apiDescription = { file: '/api/openapi.json', page: '/api/docs' } as const;

const pagePolicy = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'script-src': ["'self'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Describes every call in OpenAPI 3.1 from its contract. Must be there before the routes are. */
export async function describeApi(app: App, { product }: Manifest): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${product.name} · ${product.title[0]}`, description: introduction, version: '1' },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Things-Auth', description: '`bearer ` and the access token; `Blade-Auth` is taken as well.' },
          client: { type: 'http', scheme: 'basic', description: 'The client that signs somebody in.' },
        },
      },
    },
    transform: ({ url, route }) => {
      const mounted = (route.config as { route?: Route } | undefined)?.route;
      return { url, schema: mounted ? (operation(mounted, url) as Json) : { hide: true } };
    },
  });
  app.get(apiDescription.file, { logLevel: 'warn' }, async () => app.swagger());
  await app.register(swaggerPage, { routePrefix: apiDescription.page, staticCSP: pagePolicy, logLevel: 'warn' });
}

const introduction = [
  '每个答复都是 `{code, success, data, msg}`,HTTP 状态与 `code` 相同。Every reply is `{code, success, data, msg}`; the HTTP status equals `code`.',
  'Parameters are taken from query, JSON or form body alike. A POST with an `Idempotency-Key` is done once; the answer is kept for 24 hours.',
].join('\n\n');

function operation({ call, plugin }: Route, url: string): Json {
  const parameters = inputSchema(call);
  const described =
    call.method === 'GET' ? { querystring: parameters } : { body: parameters, consumes: ['application/json', 'application/x-www-form-urlencoded'] };
  return {
    summary: call.title[0],
    description: `${call.title[1]}. ${saidOf(call.who)}`,
    tags: [plugin],
    operationId: `${call.method.toLowerCase()}${url.replace(/[^a-z0-9]+(.)?/gi, (_match, next: string | undefined) => (next ?? '').toUpperCase())}`,
    security: call.who === 'open' ? [] : [{ token: [] }],
    ...described,
    response: { ...granted(call), ...refusals(call) },
  };
}

function granted(call: Call): Json {
  return call.redirect ? { 302: { description: done[0], type: 'null' } } : { 200: { description: done[0], ...replySchema(call) } };
}

function saidOf(who: Who): string {
  if (who === 'open') return 'Open to everyone.';
  if (who === 'signedIn') return 'For any signed-in user.';
  return 'code' in who ? `Needs the permission \`${who.code}\`.` : `Needs the permission \`${who.add}\` to add, \`${who.edit}\` with an id.`;
}

function refusals(call: Call): Json {
  const refusal = ({ words }: Problem) => ({ description: words[0], ...(call.refusal ?? envelopeSchema({ type: 'null' } as TSchema)) });
  const common = { 400: refusal(problems.badRequest) };
  return call.who === 'open' ? common : { ...common, 401: refusal(problems.unauthorized), 403: refusal(problems.forbidden) };
}

/** A list also says which columns sort and which filters it takes. */
function inputSchema({ input, rows }: Call): Json {
  if (!rows) return input as unknown as Json;
  const { properties = {}, ...rest } = input as unknown as { properties?: Json };
  const fields = Object.entries(rows.fields);
  const sortable = fields.filter(([, schema]) => traitsOf(schema)?.sort).map(([name]) => snakeCase(name));
  const sorts = `Comma text of: ${sortable.join(', ') || 'none'}.`;
  const filters = fields
    .filter(([, schema]) => traitsOf(schema)?.search)
    .map(([name, schema]) => [name, { type: 'string', description: filterSaid(name, schema) }]);
  return {
    ...rest,
    type: 'object',
    properties: { ...properties, ascs: { type: 'string', description: sorts }, descs: { type: 'string', description: sorts }, ...Object.fromEntries(filters) },
  };
}

function filterSaid(name: string, schema: TSchema): string {
  return `${traitsOf(schema)?.title[0] ?? name}. Contains; \`${name}_equal\`, \`_notequal\`, \`_likeleft\`, \`_likeright\`, \`_ge\`, \`_le\`, \`_null\`, \`_datege\`, \`_datelt\` and the other suffixes of the family.`;
}
