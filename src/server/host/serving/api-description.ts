import swagger from '@fastify/swagger';
import swaggerPage from '@fastify/swagger-ui';
import type { TSchema } from 'typebox';
import { type Access, type Call, get, NoInput } from '#shared/contract';
import { filterNames } from '#shared/entity';
import { type Problem, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { Manifest } from '#shared/manifest';
import { snakeCase } from '#shared/text';
import type { Configuration } from '../../base/configuration/configuration.ts';
import type { App } from '../../platform/http/app.ts';
import { doneMessage, envelopeSchema, replySchema } from '../../platform/http/envelope.ts';
import type { Route } from '../../platform/http/route.ts';
import { identifying, type RequestStages } from './mount.ts';

type JsonObject = Record<string, unknown>;

/** Paths of the OpenAPI file and of the page that shows it. */
export const apiDescription = { file: '/api/openapi.json', page: '/api/docs' } as const;

const pagePolicy = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'script-src': ["'self'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Describes every call in OpenAPI 3.1 from its contract. Call it before the routes are mounted. */
export async function describeApi(app: App, { product }: Manifest, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${product.name} · ${product.title[0]}`, description: introduction, version: '1' },
      ...(basePath === '' ? {} : { servers: [{ url: basePath }] }),
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Things-Auth', description: '`bearer ` and the access token; the header `Blade-Auth` is accepted too.' },
          queryToken: {
            type: 'apiKey',
            in: 'query',
            name: 'Blade-Auth',
            description: 'Only downloads accept the access token in the query, and only from clients whose tokens live for at most an hour.',
          },
          client: { type: 'http', scheme: 'basic', description: 'The client application that signs a user in.' },
        },
      },
    },
    transform: ({ url, route }) => {
      const mounted = (route.config as { route?: Route } | undefined)?.route;
      return { url, schema: mounted ? (operation(mounted, url) as JsonObject) : { hide: true } };
    },
  });
}

/** Serves the description to signed-in users, or to everyone if the deployment opens it. Call it after the routes are mounted. */
export function serveDescription(
  app: App,
  { apiDocs, basePath }: Pick<Configuration, 'apiDocs' | 'basePath'>,
  stages: Pick<RequestStages, 'identify' | 'limits'>,
): void {
  const call = get(apiDescription.file, {
    title: ['接口描述', 'API description'],
    access: apiDocs === 'open' ? 'open' : 'signedIn',
    input: NoInput,
    reply: NoInput,
  });
  // The scope also covers copies of the file that the page serves at its own addresses.
  app.register(async (pages) => {
    pages.addHook('onRequest', identifying({ call }, stages));
    pages.get(apiDescription.file, { logLevel: 'warn' }, async () => app.swagger());
    await pages.register(swaggerPage, {
      routePrefix: apiDescription.page,
      ...(basePath === '' ? {} : { indexPrefix: basePath }),
      staticCSP: pagePolicy,
      logLevel: 'warn',
    });
  });
}

const introduction = [
  '每个响应均为 `{code, success, data, msg}`，HTTP 状态与 `code` 相同。Every response is `{code, success, data, msg}`; the HTTP status equals `code`.',
  'Parameters may be sent in the query, as JSON or as a form. A POST with an `Idempotency-Key` is executed once; its reply is stored for 24 hours.',
].join('\n\n');

function operation({ call, plugin }: Route, url: string): JsonObject {
  const parameters = inputSchema(call);
  const described =
    call.method === 'GET' ? { querystring: parameters } : { body: parameters, consumes: ['application/json', 'application/x-www-form-urlencoded'] };
  return {
    summary: call.title[0],
    description: `${call.title[1]}. ${accessText(call.access)}`,
    tags: [plugin],
    operationId: `${call.method.toLowerCase()}${url.replace(/[^a-z0-9]+(.)?/gi, (_match, next: string | undefined) => (next ?? '').toUpperCase())}`,
    security: call.access === 'open' ? [] : [{ token: [] }, ...(call.method === 'GET' && call.download ? [{ queryToken: [] }] : [])],
    ...described,
    response: { ...successResponse(call), ...errorResponses(call) },
  };
}

function successResponse(call: Call): JsonObject {
  if (call.redirect) return { 302: { description: doneMessage[0], type: 'null' } };
  const reply = call.page ? { ...call, reply: { anyOf: [call.reply, call.page] } as TSchema } : call;
  return { 200: { description: doneMessage[0], ...replySchema(reply) } };
}

function accessText(access: Access): string {
  if (access === 'open') return 'Open to everyone.';
  if (access === 'signedIn') return 'For any signed-in user.';
  return 'code' in access ? `Requires the permission \`${access.code}\`.` : `Requires the permission \`${access.add}\`, or \`${access.edit}\` with an id.`;
}

function errorResponses(call: Call): JsonObject {
  const refusal = ({ message: text }: Problem) => ({ description: text[0], ...(call.refusal ?? envelopeSchema({ type: 'null' } as TSchema)) });
  const common = { 400: refusal(problems.badRequest) };
  return call.access === 'open' ? common : { ...common, 401: refusal(problems.unauthorized), 403: refusal(problems.forbidden) };
}

/** Describes the input of a call; for a list also its sort columns and filters. */
function inputSchema({ input, filterable: rows, page }: Call): JsonObject {
  if (!rows) return { ...input };
  const { properties = {}, ...rest } = input as Call['input'] & { properties?: JsonObject };
  const fields = Object.entries(rows.fields);
  const sortable = fields.filter(([, schema]) => traitsOf(schema)?.sort).map(([name]) => snakeCase(name));
  const sorts = `Comma-separated list of: ${sortable.join(', ') || 'none'}.`;
  const filters = filterNames(rows).map((name) => [name, { type: 'string', description: filterText(name, rows.fields[name]) }]);
  return {
    ...rest,
    type: 'object',
    properties: {
      ...properties,
      ...(page ? pageParameters : {}),
      ascs: { type: 'string', description: sorts },
      descs: { type: 'string', description: sorts },
      ...Object.fromEntries(filters),
    },
  };
}

/** Parameters that turn a tree into a page of its rows. */
const pageParameters = {
  current: { type: 'integer', minimum: 1, description: 'With `current` or `size`, the reply is a page of rows instead of the tree.' },
  size: { type: 'integer', minimum: 0, description: 'Rows per page; 10 by default, at most 200.' },
};

function filterText(name: string, schema: TSchema | undefined): string {
  return `${(schema && traitsOf(schema)?.title[0]) ?? name}. Matches text that contains the value; also \`${name}_match\` (contains it or its pinyin), \`${name}_equal\`, \`_notequal\`, \`_likeleft\`, \`_likeright\`, \`_ge\`, \`_le\`, \`_null\`, \`_datege\`, \`_datelt\` and the other suffixes of the BladeX-compatible API.`;
}
