import { socialSources } from '#shared/social';
import type { Configuration, EnvironmentReader } from '../configuration.ts';

/** The addresses of a provider that a deployment has put in place of the public ones. */
export type SocialEndpoints = Readonly<Record<string, Readonly<Partial<Record<'authorize' | 'token' | 'openid' | 'user', string>>>>>;

/** The issuer of single sign-on, and what we are there. */
export interface SsoConfiguration {
  readonly issuer: URL;
  readonly clientId: string;
  /** Absent: a client without a secret, proved by PKCE alone. */
  readonly clientSecret: string | undefined;
  /** Whose users sign in this way. */
  readonly tenantId: string;
  /** `email`: a confirmed e-mail address that is exactly one account's is linked to it. */
  readonly matchesEmail: boolean;
  /** Hosts of the issuer beside its own. */
  readonly hosts: readonly string[];
}

/** What the environment says about the ways to sign in. */
export interface SignInWaysConfiguration {
  /** Where browsers find the console, without a path. Absent: providers cannot send anybody back, so none is offered. */
  readonly publicUrl: URL | undefined;
  /** Text messages are kept for administrators to read instead of being sent. */
  readonly smsOutbox: boolean;
  readonly socialEndpoints: SocialEndpoints;
  readonly sso: SsoConfiguration | undefined;
}

/** Reads and checks what concerns the ways to sign in. */
export function readSignInWays(read: EnvironmentReader, mode: Configuration['mode']): SignInWaysConfiguration {
  const publicUrl = webAddress(read, 'PUBLIC_URL');
  if (publicUrl && publicUrl.pathname !== '/') read.complaints.push('PUBLIC_URL has a path; write scheme and host alone: https://console.company.cn.');
  const sso = ssoOf(read);
  if (sso && !publicUrl) read.complaints.push('PUBLIC_URL is missing. The issuer of SSO_ISSUER sends browsers back to it.');
  const outbox = mode === 'production' ? read.oneOf('SMS_OUTBOX', ['off', 'on']) : read.oneOf('SMS_OUTBOX', ['on', 'off']);
  return { publicUrl, smsOutbox: outbox === 'on', socialEndpoints: endpointsOf(read), sso };
}

function ssoOf(read: EnvironmentReader): SsoConfiguration | undefined {
  const issuer = webAddress(read, 'SSO_ISSUER');
  const clientId = read.text('SSO_CLIENT_ID');
  const tenantId = read.text('SSO_TENANT') ?? '000000';
  const matchesEmail = read.oneOf('SSO_MATCH', ['binding', 'email']) === 'email';
  if (!issuer) return undefined;
  if (!clientId) read.complaints.push('SSO_CLIENT_ID is missing: what the issuer of SSO_ISSUER calls this deployment.');
  if (!/^[\w-]{1,12}$/.test(tenantId)) read.complaints.push(`SSO_TENANT is "${tenantId}", which is no tenant's code.`);
  const hosts = (read.text('SSO_HOSTS') ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []);
  return { issuer, clientId: clientId ?? '', clientSecret: read.text('SSO_CLIENT_SECRET'), tenantId, matchesEmail, hosts };
}

function endpointsOf(read: EnvironmentReader): SocialEndpoints {
  const text = read.text('SOCIAL_ENDPOINTS');
  if (text === undefined) return {};
  try {
    const given = JSON.parse(text) as SocialEndpoints;
    for (const [source, addresses] of Object.entries(given)) {
      if (!Object.hasOwn(socialSources, source)) throw new Error(source);
      for (const address of Object.values(addresses)) if (!isTrustworthy(new URL(address))) throw new Error(address);
    }
    return given;
  } catch {
    read.complaints.push('SOCIAL_ENDPOINTS is no JSON of known sources with https addresses: {"github": {"authorize": "…", "token": "…", "user": "…"}}.');
    return {};
  }
}

function webAddress(read: EnvironmentReader, name: string): URL | undefined {
  const text = read.url(name, ['https:', 'http:']);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isTrustworthy(url)) read.complaints.push(`${name} is not https; plain http is taken on this machine alone.`);
  return url;
}

/** What nobody on the way can read or change. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}
