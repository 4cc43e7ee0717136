import helmet from '@fastify/helmet';
import type { App } from './app.ts';

/** What a page of ours may load, lists a deployment may lengthen. */
export interface ContentSources {
  readonly images: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
}

const contentSources: ContentSources = { images: [], connections: [], frames: [] };

/** The policy of every page: scripts and style sheets from here alone, and nobody frames us. */
export function contentSecurityPolicy({ images, connections, frames }: ContentSources = contentSources): Record<string, string[]> {
  const none = "'none'";
  const own = "'self'";
  return {
    'default-src': [none],
    'script-src': [own],
    'style-src': [own],
    // The component library places popups with style attributes; a style attribute runs no code.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': [own, 'data:', 'blob:', ...images],
    'font-src': [own, 'data:'],
    'connect-src': [own, ...connections],
    'frame-src': frames.length > 0 ? [...frames] : [none],
    'worker-src': [own, 'blob:'],
    'manifest-src': [own],
    'media-src': [own, 'blob:', ...images],
    'object-src': [none],
    'base-uri': [own],
    'form-action': [own],
    'frame-ancestors': [none],
  };
}

const overHttps = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};

/** Puts the security headers on every reply. Over plain HTTP nothing asks the browser for HTTPS. */
export async function securityHeaders(app: App): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy() },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.headers(overHttps);
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  });
}
