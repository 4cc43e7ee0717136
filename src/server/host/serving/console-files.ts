import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import fileServer from '@fastify/static';
import { languageOf } from '#shared/text';
import type { Configuration } from '../../base/configuration/configuration.ts';
import { type App, type FastifyReply, type FastifyRequest, pathOf } from '../../platform/http/app.ts';
import { urlWithin } from '../../platform/http/base-path.ts';
import { errorBody } from '../../platform/http/envelope.ts';
import type { Route } from '../../platform/http/route.ts';
import { framedPageHeaders } from '../../platform/http/security-headers.ts';
import { consolePage, type PageSettings } from './console-page.ts';
import { unknownPathError } from './mount.ts';

const immutable = 'public, max-age=31536000, immutable';
const revalidate = 'no-cache';
const oneWeek = 'public, max-age=604800';

/** Serves the console from one folder, or only the API without one. Call it after every route is mounted, because it handles all remaining paths. */
export async function serveConsole(
  app: App,
  routes: readonly Route[],
  {
    consoleDirectory,
    consoleSettings,
    basePath,
  }: Pick<Configuration, 'consoleDirectory' | 'basePath'> & { readonly consoleSettings: PageSettings | undefined },
): Promise<void> {
  const folder = consoleDirectory === undefined ? undefined : resolve(consoleDirectory);
  const hasConsole = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (folder !== undefined && !hasConsole) app.log.warn({ folder }, 'CONSOLE_DIR contains no console; serving only the API');
  const page = hasConsole ? consolePage(folder, consoleSettings, basePath) : undefined;
  const sendPage = (reply: FastifyReply) => {
    reply.header('cache-control', revalidate);
    return page === undefined ? reply.sendFile('index.html') : reply.type('text/html; charset=utf-8').send(page);
  };
  if (hasConsole) {
    // The file server finds no index for clients that accept compressed files but do not request a page, such as monitors.
    for (const path of page === undefined ? ['/'] : ['/', '/index.html']) app.get(path, (_, reply) => sendPage(reply));
    const icon = consoleSettings?.brand?.favicon;
    redirectFavicon(app, folder, icon && (urlWithin(basePath, icon) ?? icon));
    await serveFiles(app, folder);
    serveAssets(app, folder);
  }
  app.setNotFoundHandler((request, reply) => {
    if (hasConsole && requestsPage(request)) return sendPage(reply);
    return rejectUnknownPath(routes, request, reply);
  });
}

/** Returns an id of the console build in a folder; '' without a console. */
export function buildOf(directory: string | undefined): string {
  const page = directory === undefined ? undefined : join(resolve(directory), 'index.html');
  if (page === undefined || !existsSync(page)) return '';
  return createHash('sha256').update(readFileSync(page)).digest('base64url').slice(0, 12);
}

/** Returns the folder of the console's source maps, which is beside the console's folder so that they are not served. */
export function mapsBeside(directory: string | undefined): string | undefined {
  return directory === undefined ? undefined : join(resolve(directory), '../maps');
}

/** Redirects the default favicon address, which browsers request for documents without an icon; a deployment's own icon replaces the product's there too. */
function redirectFavicon(app: App, folder: string, ownIcon: string | undefined): void {
  if (ownIcon === undefined && existsSync(join(folder, 'favicon.ico'))) return;
  const icon = ownIcon ?? iconIn(readFileSync(join(folder, 'index.html'), 'utf8'));
  if (icon) app.get('/favicon.ico', (_, reply) => reply.header('cache-control', revalidate).redirect(icon));
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
    setHeaders: (reply, path) => {
      reply.header('cache-control', cacheControlOf(path, folder));
      if (isDeploymentPage(path, folder)) for (const [name, value] of Object.entries(framedPageHeaders)) reply.header(name, value);
    },
  });
}

const assetTypes: Readonly<Record<string, string>> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };
const encodings = [
  { name: 'br', extension: '.br', accepted: /(^|,)\s*br\s*(,|$)/ },
  { name: 'gzip', extension: '.gz', accepted: /(^|,)\s*gzip\s*(,|$)/ },
] as const;

/**
 * Serves compressed scripts and style sheets from memory after their first request, several times as fast as the file server. That one serves the rest: other types,
 * clients that accept no compression or weight it, and files that a new build added since the start.
 */
function serveAssets(app: App, folder: string): void {
  const assets = join(folder, 'assets');
  const names = new Set(existsSync(assets) ? readdirSync(assets, { recursive: true, encoding: 'utf8' }) : []);
  const contents = new Map<string, Promise<Buffer | undefined>>();
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const path = request.params['*'];
    const type = assetTypes[extname(path)];
    const encoding = encodings.find(({ accepted }) => accepted.test(String(request.headers['accept-encoding'])));
    const name = `${path}${encoding?.extension}`;
    if (type !== undefined && encoding && names.has(name)) {
      if (!contents.has(name))
        contents.set(
          name,
          readFile(join(assets, name)).catch(() => undefined),
        );
      const content = await contents.get(name);
      if (content) return reply.headers({ 'cache-control': immutable, 'content-encoding': encoding.name, vary: 'accept-encoding' }).type(type).send(content);
    }
    return reply.sendFile(`assets/${path}`);
  });
}

/** Returns the cache control of a file: names of files below /assets contain a content hash, and the page requests its icon with one. */
function cacheControlOf(path: string, folder: string): string {
  if (path.startsWith(join(folder, 'assets'))) return immutable;
  return /\.(svg|png|ico|webp)(\.(br|gz))?$/.test(path) ? oneWeek : revalidate;
}

/** Recognizes the deployment's own pages, which the menu may embed; the console itself must not be framed. */
function isDeploymentPage(path: string, folder: string): boolean {
  const plain = path.replace(/\.(br|gz)$/, '');
  return /\.html?$/i.test(plain) && plain !== join(folder, 'index.html');
}

/** Recognizes a deep link or reload: a browser requests a document outside of assets and API, and not for a frame. */
function requestsPage(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const isDocument = (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html');
  const isFramed = /^i?frame$/.test(String(request.headers['sec-fetch-dest'] ?? ''));
  return isDocument && !path.startsWith('/assets/') && !isApi(path) && !isFramed;
}

const isApi = (path: string) => /^\/+(api|health)(\/|$)/i.test(path);

function rejectUnknownPath(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply) {
  const { refusal, allow } = unknownPathError(routes, pathOf(request));
  if (allow.length > 0) reply.header('allow', allow.join(', '));
  const body = errorBody(refusal, languageOf(request.headers['accept-language']), request.id);
  return reply.code(refusal.problem.status).header('cache-control', 'no-store').send(body);
}

/** Returns the address of the icon in a console page. */
const iconIn = (page: string): string | undefined => /<link rel="icon" href="([^"]*)/.exec(page)?.[1]?.replaceAll('&amp;', '&');
