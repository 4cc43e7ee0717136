import type { App } from '../../platform/http/app.ts';
import type { SigningKeys } from '../../platform/identity/signing/signing-keys.ts';
import { cacheSeconds } from '../../platform/identity/signing/stored-keys.ts';

/** Serves the public keys of access tokens (RFC 7517), with which other programs verify tokens themselves. */
export function servePublishedKeys(app: App, keys: Pick<SigningKeys, 'published'>): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${cacheSeconds}`);
    return { keys: keys.published };
  });
}
