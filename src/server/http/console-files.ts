import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fileServer from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '#shared/text';
import { type App, pathOf } from './app.ts';
import { refusalBody } from './envelope.ts';
import { unservedRefusal } from './mount.ts';
import type { Route } from './route.ts';

const forever = 'public, max-age=31536000, immutable';
const everyTime = 'no-cache';

/** Serves the console from one folder, or only the API where there is none. Must be mounted after every route: it answers what nobody else does. */
export async function serveConsole(app: App, routes: readonly Route[], directory: string | undefined): Promise<void> {
  const folder = directory === undefined ? undefined : resolve(directory);
  const hasConsole = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (folder !== undefined && !hasConsole) app.log.warn({ folder }, 'there is no console in CONSOLE_DIR; only the API is served');
  if (hasConsole) await serveFiles(app, folder);
  app.setNotFoundHandler((request, reply) => {
    if (hasConsole && asksForPage(request)) return reply.header('cache-control', everyTime).sendFile('index.html');
    return refuseUnserved(routes, request, reply);
  });
}

async function serveFiles(app: App, folder: string): Promise<void> {
  await app.register(fileServer, {
    root: folder,
    wildcard: true,
    index: 'index.html',
    redirect: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    // Files below /assets carry a hash of their content in their names.
    setHeaders: (reply, path) => void reply.header('cache-control', path.startsWith(join(folder, 'assets')) ? forever : everyTime),
  });
}

/** A deep link or a reload: a browser asking for a document anywhere but among the assets and the API. */
function asksForPage(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const isDocument = (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html');
  return isDocument && !path.startsWith('/assets/') && !isApi(path);
}

const isApi = (path: string) => /^\/+(api|health)(\/|$)/i.test(path);

function refuseUnserved(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply) {
  const { refusal, allow } = unservedRefusal(routes, pathOf(request));
  if (allow.length > 0) reply.header('allow', allow.join(', '));
  const body = refusalBody(refusal, languageOf(request.headers['accept-language']), request.id);
  return reply.code(refusal.problem.status).header('cache-control', 'no-store').send(body);
}
