import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import { type BrowserSource, browserSources, type SocialSource } from '#shared/social';
import type { SocialEndpoints } from '../sign-in-ways/configuration.ts';
import { Outgoing } from '../sign-in-ways/outgoing.ts';
import type { Profile } from './identities.ts';
import { type Provider, providers } from './providers.ts';

/** What a tenant is at a provider. */
export interface SocialApp<Source extends SocialSource = SocialSource> {
  readonly source: Source;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What came back with the browser, and to which address. */
export interface Arrival {
  readonly code: string;
  readonly redirectUri: string;
}

type Reply = Readonly<Record<string, unknown>>;

/** OAuth 2 as each provider speaks it. */
export class SocialClient {
  private readonly outgoing: Outgoing;

  constructor(private readonly endpoints: SocialEndpoints) {
    const addresses = browserSources.flatMap((source) => {
      const { token, openid, user } = this.providerOf(source);
      return [token.url, user.url, ...(openid ? [openid.url] : [])];
    });
    this.outgoing = new Outgoing(addresses);
  }

  /** Where the browser goes. */
  authorizeUrl({ source, clientId }: SocialApp<BrowserSource>, redirectUri: string, state: string): string {
    const { url, id, more, fragment } = this.providerOf(source).authorize;
    const address = withQuery(url, { [id]: clientId, redirect_uri: redirectUri, ...more, state });
    return fragment ? `${address}#${fragment}` : address.href;
  }

  /** Who somebody is. Refused where the provider says no or leaves out who it is; another refusal where it does not answer in time. */
  async profile(app: SocialApp<BrowserSource>, { code, redirectUri }: Arrival): Promise<Profile> {
    const provider = this.providerOf(app.source);
    const signal = this.outgoing.deadline();
    const { url, send, names, more, sendsBack, accessToken: tokenName } = provider.token;
    const values = { [names.id]: app.clientId, [names.secret]: app.clientSecret, code, ...(sendsBack ? { redirect_uri: redirectUri } : {}), ...more };
    const granted = await this.ask(provider, send === 'query' ? withQuery(url, values) : url, { signal, ...(send === 'query' ? {} : posted(send, values)) });
    const accessToken = textOf(granted, tokenName) || refuse(provider, 'no access token');
    const { openid: me } = provider;
    const known = me ? { ...granted, ...(await this.ask(provider, withQuery(me.url, { access_token: accessToken, ...me.more }), { signal })) } : granted;
    const told = await this.user(provider, { accessToken, clientId: app.clientId, openid: textOf(known, 'openid') }, signal);
    return profileOf(provider, { ...known, ...told });
  }

  private user({ user, ...provider }: Provider, filled: { accessToken: string; clientId: string; openid: string }, signal: AbortSignal): Promise<Reply> {
    const more = Object.entries(user.more).map(([name, value]) => [name, value.replace('{clientId}', filled.clientId).replace('{openid}', filled.openid)]);
    const headers = 'header' in user.token ? { [user.token.header]: user.token.before + filled.accessToken } : undefined;
    const query = 'query' in user.token ? { [user.token.query]: filled.accessToken } : {};
    return this.ask({ user, ...provider }, withQuery(user.url, { ...query, ...Object.fromEntries(more) }), { signal, ...(headers ? { headers } : {}) });
  }

  private async ask(provider: Provider, address: string | URL, init: RequestInit): Promise<Reply> {
    const headers = { accept: 'application/json', 'user-agent': 'marquee', ...(init.headers as Record<string, string> | undefined) };
    const response = await this.outgoing.fetch(address, { ...init, headers });
    const reply = readReply(await response.text()) ?? refuse(provider, `answers ${response.status} with nothing to read`);
    const failure = provider.failure.map((name) => reply[name]).find((value) => value !== undefined && value !== null && value !== '' && Number(value) !== 0);
    if (failure !== undefined) refuse(provider, `says ${String(failure).slice(0, 100)}`);
    if (!response.ok) refuse(provider, `answers ${response.status} ${textOf(reply, 'code').slice(0, 100)}`);
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

function profileOf(provider: Provider, reply: Reply): Profile {
  const { id, union, name, avatar, email } = provider.fields;
  const first = (names: readonly string[]) => names.map((one) => textOf(reply, one)).find((value) => value !== '') ?? '';
  const picture = textOf(reply, avatar);
  return {
    uuid: first(id) || refuse(provider, 'does not say who it is'),
    unionId: union ? textOf(reply, union) : '',
    name: first(name),
    avatar: /^https?:\/\//.test(picture) ? picture : '',
    email: email ? textOf(reply, email) : '',
  };
}

function refuse(provider: Provider, why: string): never {
  throw new Refusal(wayProblems.providerRefused, {}, { cause: new Error(`${new URL(provider.token.url).host}: ${why}`) });
}

function withQuery(url: string, values: Readonly<Record<string, string>>): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value);
  return address;
}

function posted(send: 'form' | 'json', values: Readonly<Record<string, string>>): RequestInit {
  if (send === 'form') return { method: 'POST', body: new URLSearchParams(values) };
  return { method: 'POST', body: JSON.stringify(values), headers: { 'content-type': 'application/json' } };
}

/** Numbers are ids to some. */
function textOf(reply: Reply, name: string): string {
  const value = reply[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** JSON under whatever type, in the arguments of a callback, or written as a form: all three are about. */
function readReply(text: string): Reply | undefined {
  const body = /^\s*\w+\(\s*(\{.*\})\s*\)\s*;?\s*$/s.exec(text)?.[1] ?? text;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Reply) : undefined;
  } catch {
    return /^[\w.~-]+=/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined;
  }
}
