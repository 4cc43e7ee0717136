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
    'frame-src': [own, ...frames],
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

/** What a page beside the console says instead: the console may show it in a frame, nobody else. */
export const framedPageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': Object.entries({ ...contentSecurityPolicy(), 'frame-ancestors': ["'self'"] })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join(';'),
  'x-frame-options': 'SAMEORIGIN',
};

const origin = /^https?:\/\/(\*\.)?[a-z0-9.-]+(:(\d+|\*))?$/i;

/** Puts the security headers on every reply; `frames` are the origins whose pages a deployment embeds. Over plain HTTP nothing asks the browser for HTTPS. */
export async function securityHeaders(app: App, frames: readonly string[] = []): Promise<void> {
  const wrong = frames.filter((each) => !origin.test(each));
  if (wrong.length > 0) throw new Error(`The manifest's "frames" lists what is no origin: ${wrong.join(', ')}. Write https://host or https://*.host.`);
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy({ ...contentSources, frames }) },
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
