import { extname } from 'node:path';
import type { RemoteListing } from '#shared/remote';
import type { App } from '../../platform/http/app.ts';
import type { DeliveredConsole } from '../../platform/packages/plugin-packages.ts';

const folder = '/plugins';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Addresses contain the digest of the package, so that browsers keep the files. */
const addressOf = ({ id, digest }: DeliveredConsole) => `${folder}/${id}/${digest.slice(0, 16)}`;

/** Lists console halves as the manifest of a deployment lists remote plugins. */
export const remoteListings = (consoles: readonly DeliveredConsole[], basePath: string): RemoteListing[] =>
  consoles.map((delivered) => ({ id: delivered.id, manifest: `${basePath}${addressOf(delivered)}/manifest.json`, integrity: delivered.integrity }));

/** Serves the files of the console halves of packages. */
export function serveDeliveredConsoles(app: App, consoles: readonly DeliveredConsole[]): void {
  for (const delivered of consoles)
    app.get<{ Params: { '*': string } }>(`${addressOf(delivered)}/*`, async (request, reply) => {
      const name = request.params['*'];
      const content = delivered.files.get(name);
      const type = types[extname(name)];
      if (!content || type === undefined) return reply.callNotFound();
      return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(content);
    });
}
