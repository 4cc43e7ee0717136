import { socialSources } from '#shared/social';
import type { Configuration, EnvironmentReader } from './configuration.ts';

/** Addresses of providers that a deployment uses instead of the public ones. */
export type SocialEndpoints = Readonly<Record<string, Readonly<Partial<Record<'authorize' | 'token' | 'openid' | 'user', string>>>>>;

/** Issuer of single sign-on, and this deployment's client there. */
export interface SsoConfiguration {
  readonly issuer: URL;
  readonly clientId: string;
  /** Undefined for a client without a secret, which relies on PKCE alone. */
  readonly clientSecret: string | undefined;
  /** Tenant whose users sign in with it. */
  readonly tenantId: string;
  /** True links an identity to the only account with its verified e-mail address. */
  readonly matchesEmail: boolean;
  /** Further hosts of the issuer. */
  readonly hosts: readonly string[];
}

/** Settings of sign-in methods in the environment. */
export interface SignInMethodsConfiguration {
  /** URL of the console, with its base path and a slash at its end. Undefined offers no providers, because they could not redirect browsers back. */
  readonly publicUrl: URL | undefined;
  /** True stores text messages for administrators to read instead of sending them. */
  readonly smsOutbox: boolean;
  readonly socialEndpoints: SocialEndpoints;
  readonly sso: SsoConfiguration | undefined;
}

/** Reads and checks the settings of sign-in methods. */
export function readSignInMethods(read: EnvironmentReader, mode: Configuration['mode'], basePath: string): SignInMethodsConfiguration {
  const origin = webAddress(read, 'PUBLIC_URL');
  if (origin && origin.pathname !== '/')
    read.problems.push('PUBLIC_URL has a path; write scheme and host alone: https://console.company.cn. A path is set with BASE_PATH.');
  const publicUrl = origin && new URL(`${basePath}/`, origin);
  const sso = ssoOf(read);
  if (sso && !publicUrl) read.problems.push('PUBLIC_URL is missing. The issuer of SSO_ISSUER sends browsers back to it.');
  const outbox = mode === 'production' ? read.oneOf('SMS_OUTBOX', ['off', 'on']) : read.oneOf('SMS_OUTBOX', ['on', 'off']);
  return { publicUrl, smsOutbox: outbox === 'on', socialEndpoints: endpointsOf(read), sso };
}

function ssoOf(read: EnvironmentReader): SsoConfiguration | undefined {
  const issuer = webAddress(read, 'SSO_ISSUER');
  const clientId = read.text('SSO_CLIENT_ID');
  const tenantId = read.text('SSO_TENANT') ?? '000000';
  const matchesEmail = read.oneOf('SSO_MATCH', ['binding', 'email']) === 'email';
  if (!issuer) return undefined;
  if (!clientId) read.problems.push('SSO_CLIENT_ID is missing. Set it to the client ID that SSO_ISSUER has issued to this deployment.');
  if (!/^[\w-]{1,12}$/.test(tenantId)) read.problems.push(`SSO_TENANT is "${tenantId}", which is not a valid tenant ID.`);
  const hosts = (read.text('SSO_HOSTS') ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []);
  return { issuer, clientId: clientId ?? '', clientSecret: read.text('SSO_CLIENT_SECRET'), tenantId, matchesEmail, hosts };
}

function endpointsOf(read: EnvironmentReader): SocialEndpoints {
  const text = read.text('SOCIAL_ENDPOINTS');
  if (text === undefined) return {};
  try {
    const endpoints = JSON.parse(text) as SocialEndpoints;
    for (const [source, addresses] of Object.entries(endpoints)) {
      if (!Object.hasOwn(socialSources, source)) throw new Error(source);
      for (const address of Object.values(addresses)) if (!isTrustworthy(new URL(address))) throw new Error(address);
    }
    return endpoints;
  } catch {
    read.problems.push('SOCIAL_ENDPOINTS must be JSON with known sources and https addresses: {"github": {"authorize": "…", "token": "…", "user": "…"}}.');
    return {};
  }
}

function webAddress(read: EnvironmentReader, name: string): URL | undefined {
  const text = read.url(name, ['https:', 'http:']);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isTrustworthy(url)) read.problems.push(`${name} must use https. Plain http is only allowed for localhost.`);
  return url;
}

/** Accepts only addresses whose traffic cannot be read or changed in transit. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}
