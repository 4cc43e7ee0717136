import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError, problems } from '#shared/errors';
import type { App } from './app.ts';

/** Paths that are also served at the root, because probes and scrapes reach a server without its proxy. */
const rootPaths: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Returns the URL of a request within the base path; undefined outside of it. */
export function urlWithin(basePath: string, url: string): string | undefined {
  if (!url.startsWith(basePath)) return undefined;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined;
}

/** Returns the URL rewriter of a server under a base path, so that its routes do not know about it. */
export const rewriterFor =
  (basePath: string) =>
  ({ url = '/' }: IncomingMessage): string =>
    urlWithin(basePath, url) ?? url;

/**
 * Answers 404 outside of the base path, except for probes and `/`, which redirects to it. Cookies, redirects, the address of policy reports and links to files get the
 * base path when they are sent, and links to files lose it when they arrive, so that neither routes nor stored data contain it.
 */
export function serveUnder(app: App, basePath: string): void {
  app.addHook('onRequest', async ({ originalUrl }, reply) => {
    if (urlWithin(basePath, originalUrl) !== undefined) return;
    const [path = ''] = originalUrl.split('?');
    if (path === '/') return reply.redirect(`${basePath}/`, 302);
    if (!rootPaths.has(path)) throw new ApiError(problems.unknownPath);
  });
  const sentLink = new RegExp(`${escaped(basePath)}(?=${fileLink.source})`, 'g');
  app.addHook('preValidation', async (request) => {
    for (const values of [request.query, request.body]) removeBase(values, sentLink);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (urlWithin(basePath, request.originalUrl) === undefined) return payload;
    placeHeaders(reply, basePath);
    return typeof payload === 'string' && isJson(reply) ? payload.replace(ownFileLink, `${basePath}$&`) : payload;
  });
}

/** Matches the beginning of a link to a file of this server. */
const fileLink = /\/api\/file\/blob\?key=/;
/** Matches it without a host or a path in front. */
const ownFileLink = new RegExp(`(?<![\\w.~-])${fileLink.source}`, 'g');

const escaped = (text: string) => text.replace(/[.]/g, '\\$&');
const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json');

/** Paths in headers, after the text that precedes them. */
const headerPaths = {
  location: /^(?=\/(?!\/))/,
  'set-cookie': /(?<=; Path=)(?=\/)/i,
  'content-security-policy': /(?<=report-uri )(?=\/)/,
  'reporting-endpoints': /(?<=")(?=\/)/,
} as const;

function placeHeaders(reply: FastifyReply, basePath: string): void {
  for (const [name, place] of Object.entries(headerPaths)) {
    const values = [reply.getHeader(name) ?? []].flat().map(String);
    if (values.length === 0) continue;
    // A second cookie would be added to those that the reply has.
    reply.removeHeader(name);
    reply.header(name, values.length > 1 ? values.map((value) => value.replace(place, basePath)) : values[0]?.replace(place, basePath));
  }
}

/** Removes the base path from the links to files in a query or a body. */
function removeBase(values: unknown, link: RegExp): void {
  if (typeof values !== 'object' || values === null || ArrayBuffer.isView(values)) return;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') Object.assign(values, { [name]: value.replace(link, '') });
    else removeBase(value, link);
  }
}
