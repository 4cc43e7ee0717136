import { ApiError, type Profile, type SignInPort } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { type BrowserSource, browserSources, type SocialSource } from '#shared/social';
import { OAuthHttpClient } from './oauth-http-client.ts';
import { pictureAddress } from './oauth-request.ts';
import { type Provider, providers } from './providers.ts';

/** A tenant's app at a provider. */
export interface SocialApp<Source extends SocialSource = SocialSource> {
  readonly source: Source;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Authorization code with the redirect URI of its request. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
}

type ProviderReply = Readonly<Record<string, unknown>>;

/** OAuth 2 client for all social providers. */
export class SocialClient {
  private readonly http: OAuthHttpClient;

  constructor(private readonly endpoints: SignInPort['configuration']['socialEndpoints']) {
    const addresses = browserSources.flatMap((source) => {
      const { token, openid, user } = this.providerOf(source);
      return [token.url, user.url, ...(openid ? [openid.url] : [])];
    });
    this.http = new OAuthHttpClient(addresses);
  }

  /** Builds the address to which the browser is sent. */
  authorizeUrl({ source, clientId }: SocialApp<BrowserSource>, redirectUri: string, state: string): string {
    const { url, id, params, fragment } = this.providerOf(source).authorize;
    const address = withQuery(url, { [id]: clientId, redirect_uri: redirectUri, ...params, state });
    return fragment ? `${address}#${fragment}` : address.href;
  }

  /** Exchanges a code for the user's profile. Throws `providerRefused` if the provider rejects the code or names no user, and another error if it does not answer in time. */
  async profile(app: SocialApp<BrowserSource>, { code, redirectUri }: CodeExchange): Promise<Profile> {
    const provider = this.providerOf(app.source);
    const signal = this.http.totalTimeout();
    const { url, send, names, params, sendsRedirectUri, accessToken: tokenName } = provider.token;
    const values = { [names.id]: app.clientId, [names.secret]: app.clientSecret, code, ...(sendsRedirectUri ? { redirect_uri: redirectUri } : {}), ...params };
    const granted = await this.request(provider, send === 'query' ? withQuery(url, values) : url, {
      signal,
      ...(send === 'query' ? {} : postBody(send, values)),
    });
    const accessToken = textOf(granted, tokenName) || reject(provider, 'no access token');
    const { openid } = provider;
    const tokenProfile = openid
      ? { ...granted, ...(await this.request(provider, withQuery(openid.url, { access_token: accessToken, ...openid.params }), { signal })) }
      : granted;
    const userProfile = await this.user(provider, { accessToken, clientId: app.clientId, openid: textOf(tokenProfile, 'openid') }, signal);
    return profileOf(provider, { ...tokenProfile, ...userProfile });
  }

  private user(provider: Provider, values: { accessToken: string; clientId: string; openid: string }, signal: AbortSignal): Promise<ProviderReply> {
    const { user } = provider;
    const params = Object.entries(user.params).map(([name, value]) => [name, value.replace('{clientId}', values.clientId).replace('{openid}', values.openid)]);
    const headers = 'header' in user.token ? { [user.token.header]: user.token.prefix + values.accessToken } : undefined;
    const query = 'query' in user.token ? { [user.token.query]: values.accessToken } : {};
    return this.request(provider, withQuery(user.url, { ...query, ...Object.fromEntries(params) }), { signal, ...(headers ? { headers } : {}) });
  }

  private async request(provider: Provider, address: string | URL, init: RequestInit): Promise<ProviderReply> {
    const headers = { accept: 'application/json', 'user-agent': 'marquee', ...(init.headers as Record<string, string> | undefined) };
    const response = await this.http.fetch(address, { ...init, headers });
    const reply = readReply(await response.text()) ?? reject(provider, `answers ${response.status} with an unreadable body`);
    const failure = provider.failure.map((name) => reply[name]).find((value) => value !== undefined && value !== null && value !== '' && Number(value) !== 0);
    if (failure !== undefined) reject(provider, `says ${String(failure).slice(0, 100)}`);
    if (!response.ok) reject(provider, `answers ${response.status} ${textOf(reply, 'code').slice(0, 100)}`);
    return reply;
  }

  private providerOf(source: BrowserSource): Provider {
    const provider = providers[source];
    const { authorize, token, openid, user } = this.endpoints[source] ?? {};
    return {
      ...provider,
      authorize: { ...provider.authorize, ...(authorize ? { url: authorize } : {}) },
      token: { ...provider.token, ...(token ? { url: token } : {}) },
      user: { ...provider.user, ...(user ? { url: user } : {}) },
      ...(provider.openid ? { openid: { ...provider.openid, ...(openid ? { url: openid } : {}) } } : {}),
    };
  }
}

function profileOf(provider: Provider, reply: ProviderReply): Profile {
  const { id, union, name, avatar, email } = provider.fields;
  const first = (names: readonly string[]) => names.map((field) => textOf(reply, field)).find((value) => value !== '') ?? '';
  return {
    uuid: first(id) || reject(provider, 'sends no user id'),
    unionId: union ? textOf(reply, union) : '',
    name: first(name),
    avatar: pictureAddress(textOf(reply, avatar)),
    email: email ? textOf(reply, email) : '',
  };
}

function reject(provider: Provider, why: string): never {
  throw new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${new URL(provider.token.url).host}: ${why}`) });
}

function withQuery(url: string, values: Readonly<Record<string, string>>): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value);
  return address;
}

function postBody(send: 'form' | 'json', values: Readonly<Record<string, string>>): RequestInit {
  if (send === 'form') return { method: 'POST', body: new URLSearchParams(values) };
  return { method: 'POST', body: JSON.stringify(values), headers: { 'content-type': 'application/json' } };
}

/** Reads a text field; some providers send ids as numbers. */
function textOf(reply: ProviderReply, name: string): string {
  const value = reply[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Parses a response: JSON of any content type, JSON in a callback, or form encoding, all of which providers use. */
function readReply(text: string): ProviderReply | undefined {
  const body = /^\s*\w+\(\s*(\{.*\})\s*\)\s*;?\s*$/s.exec(text)?.[1] ?? text;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ProviderReply) : undefined;
  } catch {
    return /^[\w.~-]+=/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined;
  }
}
