import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import type Provider from 'oidc-provider';

/** Certified OpenID Connect provider on this machine, and a browser that signs in there. */
export interface RealIssuer {
  readonly issuer: string;
  /** Opens a sign-in, signs in as the account, and returns the final address of the browser, back at the console. */
  signIn(location: string, account: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Accounts of the issuer. */
const people: Readonly<Record<string, object>> = {
  ada: { name: 'Ada', email: 'ada@company.test', email_verified: true, picture: 'https://pictures.test/ada.png' },
  bob: { name: 'Bob', email: 'bob@company.test', email_verified: false },
  nameless: {},
};

/** Client of the issuer. */
interface IssuerClient {
  readonly id: string;
  readonly secret?: string;
  readonly redirectUri: string;
}

/** Starts an issuer with one client, which must use PKCE. */
export function realIssuer(client: IssuerClient): Promise<RealIssuer> {
  const proof = client.secret ? {} : { token_endpoint_auth_method: 'none' };
  return started(client, proof, {
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
  });
}

/** Starts a provider that supports only OAuth 2, with its own scopes; `/user` returns the user of an access token, sent in a header or in the query. */
export async function plainProvider(client: IssuerClient, scopes: readonly string[]): Promise<RealIssuer> {
  const proof = { token_endpoint_auth_method: 'client_secret_post', scope: scopes.join(' ') };
  return started(client, proof, { pkce: { required: () => false }, scopes: [...scopes] }, (provider) =>
    provider.use(async (context, next) => {
      if (context.path !== '/user') return next();
      const shown = /^Bearer (.+)$/.exec(context.get('authorization'))?.[1] ?? new URLSearchParams(context.querystring).get('access_token') ?? '';
      const token = await provider.AccessToken.find(shown);
      if (!token) context.throw(401);
      else context.body = { id: `id-of-${token.accountId}`, login: token.accountId, scope: token.scope };
    }),
  );
}

/** A person at a `GroupsIssuer`. */
export interface IssuerPerson {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly preferred_username?: string;
  groups: readonly string[];
}

/** Issuer that names the groups of its people, gives refresh tokens and ends sessions by the back channel. */
export interface GroupsIssuer extends RealIssuer {
  /** People by their id; a test changes them while the issuer runs. */
  readonly people: Map<string, IssuerPerson>;
  /** Sends a logout token for all sessions of a person to the client. */
  logOut(person: string): Promise<void>;
  /** Signs a token with the key of the issuer, as a compromised or faulty issuer might. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Revokes a refresh token on behalf of the client. */
  revoke(refreshToken: string): Promise<number>;
}

/** Options of a `GroupsIssuer`. */
interface GroupsOptions {
  readonly logoutUri: string;
  /** Receives the requests that the issuer sends to the client. */
  readonly deliver: (url: string, body: string) => Promise<number>;
  /** True if claims are in the user info only, as the standard has it. */
  readonly inUserInfo?: boolean;
}

/** Starts an issuer whose people and groups change while it runs. */
export async function groupsIssuer(
  client: IssuerClient & { readonly secret: string },
  { logoutUri, deliver, inUserInfo = false }: GroupsOptions,
): Promise<GroupsIssuer> {
  const people = new Map<string, IssuerPerson>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let provider: Provider | undefined;
  const proof = {
    grant_types: ['authorization_code', 'refresh_token'],
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
    scope: 'openid profile email offline_access',
  };
  const settings = {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'signs', use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    claims: { openid: ['sub', 'sid'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: inUserInfo,
    fetch: async (url: URL | string, options: { body: string }) => new Response(null, { status: await deliver(String(url), String(options.body)) }),
    findAccount: (_context: unknown, id: string) => {
      const person = people.get(id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person }) };
    },
  };
  const issuer = await started(client, proof, settings, (created) => (provider = created));
  return {
    ...issuer,
    people,
    sign: (claims) => new SignJWT({ iss: issuer.issuer, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'signs', typ: 'logout+jwt' }).sign(privateKey),
    logOut: async (person) => {
      const known = await provider?.Client.find(client.id);
      await known?.backchannelLogout(person, undefined);
    },
    revoke: async (refreshToken) => {
      const body = new URLSearchParams({ token: refreshToken, client_id: client.id, client_secret: client.secret });
      return (await fetch(`${issuer.issuer}/token/revocation`, { method: 'POST', body })).status;
    },
  };
}

async function started(client: IssuerClient, proof: object, settings: object, prepare: (provider: Provider) => void = () => undefined): Promise<RealIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createQuietly(issuer, {
    clients: [
      {
        client_id: client.id,
        ...(client.secret ? { client_secret: client.secret } : {}),
        grant_types: ['authorization_code'],
        ...proof,
        redirect_uris: [client.redirectUri],
        response_types: ['code'],
      },
    ],
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true }, revocation: { enabled: true, allowedPolicy: () => true } },
    ttl: Object.fromEntries(['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map((kind) => [kind, 600])),
    cookies: { keys: ['tests sign cookies with this'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    ...settings,
  });
  prepare(provider);
  server.on('request', provider.callback());
  return { issuer, signIn: (location, account) => signIn(location, account, issuer), stop: () => stopped(server) };
}

/** Creates the provider without the advice that the library prints to its operators. */
async function createQuietly(issuer: string, configuration: object): Promise<Provider> {
  const { info, warn } = console;
  console.info = console.warn = () => undefined;
  try {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** Follows redirects, fills in the provider's own forms, and stops at another origin. */
async function signIn(location: string, account: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(location) };
  for (let step = 0; step < 12; step += 1) {
    if (next.url.origin !== issuer) return next.url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next.url, { redirect: 'manual', headers: { cookie }, ...(next.body ? { method: 'POST', body: next.body } : {}) });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    const onward = response.headers.get('location');
    if (onward !== null) {
      next = { url: new URL(onward, next.url) };
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`The issuer shows something else: ${page.slice(0, 500)}`);
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'consent';
    next = { url: new URL(action, next.url), body: new URLSearchParams({ prompt, login: account, password: 'any' }) };
  }
  throw new Error('The issuer sends the browser round and round.');
}

const stopped = (server: ReturnType<typeof createServer>) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
