import type { FastifyRequest } from 'fastify';
import type { Manifest } from '#shared/manifest';
import { originsOf } from '#shared/remote';
import { policyNames } from '#shared/trusted-types';
import type { App } from './app.ts';

/** Sources a console page may load from; a deployment can extend these lists. */
export interface ContentSources {
  /** Origins of remote plugins, whose scripts, styles, fonts and pictures are allowed. */
  readonly plugins: readonly string[];
  readonly images: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
}

const contentSources: ContentSources = { plugins: [], images: [], connections: [], frames: [] };

/** Path for reports of content security policy violations. */
export const reportsPath = '/api/csp-report';
/** Name of that path within the policy. */
const reportsEndpoint = 'csp';

/** Builds the policy of every page: scripts and style sheets come from this server and from the deployment's remote plugins, and no site may frame it. */
export function contentSecurityPolicy({ plugins, images, connections, frames }: ContentSources = contentSources): Record<string, string[]> {
  const none = "'none'";
  const own = "'self'";
  return {
    'default-src': [none],
    'script-src': [own, ...plugins],
    'style-src': [own, ...plugins],
    // The component library positions popups with style attributes, which run no code.
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
    'report-uri': [reportsPath],
  };
}

/** Trusted Types policies: the console only writes markup and script addresses through them. */
const trustedTypes = (remotes: Manifest['remotes']) => ({ 'require-trusted-types-for': ["'script'"], 'trusted-types': policyNames(remotes) });

const httpsHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'reporting-endpoints': `${reportsEndpoint}="${reportsPath}"`,
};

/**
 * Header sent when a session ends. `cache` also clears pages behind the back button, and pictures on a shared machine. `storage` is excluded: theme and language remain
 * for the next sign-in, and the console itself removes tokens, menus and tabs. `cookies` is excluded, because it affects every site below the same registered domain.
 * Browsers only respect the header over HTTPS.
 */
export const clearSiteData = { 'clear-site-data': '"cache"' } as const;

/** Formats a policy for its header. */
const policyText = (directives: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(directives)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join(';');

/** Headers for a deployment's own page beside the console: only the console may frame it, and Trusted Types do not apply. */
export const framedPageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policyText({ ...contentSecurityPolicy(), 'frame-ancestors': ["'self'"] }),
  'x-frame-options': 'SAMEORIGIN',
};

const originPattern = /^https?:\/\/(\*\.)?[a-z0-9.-]+(:(\d+|\*))?$/i;

/** Security headers of every reply, including errors of the parser. */
export interface SecurityHeaders {
  readonly always: Readonly<Record<string, string>>;
  of(request: Pick<FastifyRequest, 'protocol'>): Readonly<Record<string, string>>;
}

/** Builds the security headers from the manifest's embedded pages, remote plugins and API address. Over plain HTTP no header demands HTTPS. */
export function securityHeadersOf({ frames = [], remotes, apiBase }: Pick<Manifest, 'frames' | 'remotes' | 'apiBase'>): SecurityHeaders {
  const wrong = frames.filter((each) => !originPattern.test(each));
  if (wrong.length > 0) throw new Error(`The manifest's "frames" contains invalid origins: ${wrong.join(', ')}. Write https://host or https://*.host.`);
  const connections = apiBase && URL.canParse(apiBase) ? [new URL(apiBase).origin] : [];
  const policy = { ...contentSecurityPolicy({ ...contentSources, frames, plugins: originsOf(remotes), connections }), ...trustedTypes(remotes) };
  const always = {
    'content-security-policy': policyText(policy),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
  // Browsers only use reporting endpoints over HTTPS, and those that support `report-to` then ignore `report-uri`.
  const secure = { ...always, ...httpsHeaders, 'content-security-policy': policyText({ ...policy, 'report-to': [reportsEndpoint] }) };
  return { always, of: ({ protocol }) => (protocol === 'https' ? secure : always) };
}

/** Adds the security headers to every reply that passes the hooks; errors before the hooks add them themselves. */
export function sendSecurityHeaders(app: App, headers: SecurityHeaders): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers.of(request));
  });
}
