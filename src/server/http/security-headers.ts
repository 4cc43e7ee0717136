import helmet from '@fastify/helmet';
import type { Manifest } from '#shared/manifest';
import { originsOf } from '#shared/remote';
import type { App } from './app.ts';

/** What a page of ours may load, lists a deployment may lengthen. */
export interface ContentSources {
  /** Origins whose scripts run as ours do, and whose styles, fonts and pictures come with them. */
  readonly plugins: readonly string[];
  readonly images: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
}

const contentSources: ContentSources = { plugins: [], images: [], connections: [], frames: [] };

/** The policy of every page: scripts and style sheets from here and from where the deployment lists plugins, and nobody frames us. */
export function contentSecurityPolicy({ plugins, images, connections, frames }: ContentSources = contentSources): Record<string, string[]> {
  const none = "'none'";
  const own = "'self'";
  return {
    'default-src': [none],
    'script-src': [own, ...plugins],
    'style-src': [own, ...plugins],
    // The component library places popups with style attributes; a style attribute runs no code.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': [own, 'data:', 'blob:', ...plugins, ...images],
    'font-src': [own, 'data:', ...plugins],
    'connect-src': [own, ...plugins, ...connections],
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

/** Puts the security headers on every reply; the manifest says whose pages are embedded, whose plugins run, and where the API is when it is elsewhere. Over plain HTTP nothing asks the browser for HTTPS. */
export async function securityHeaders(app: App, { frames = [], remotes, apiBase }: Pick<Manifest, 'frames' | 'remotes' | 'apiBase'>): Promise<void> {
  const wrong = frames.filter((each) => !origin.test(each));
  if (wrong.length > 0) throw new Error(`The manifest's "frames" lists what is no origin: ${wrong.join(', ')}. Write https://host or https://*.host.`);
  const connections = apiBase && URL.canParse(apiBase) ? [new URL(apiBase).origin] : [];
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy({ ...contentSources, frames, plugins: originsOf(remotes), connections }) },
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
