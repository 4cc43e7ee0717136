import type { Call } from '#shared/contract';
import type { App } from './app.ts';

/** Parameters in which BladeX-compatible clients send a token, in any case. */
const parameters: ReadonlySet<string> = new Set(['things-auth', 'blade-auth']);
/** Tokens by their Node.js request. */
const queryTokens = new WeakMap<object, string>();

/** Headers that prevent caches and `Referer` from storing an address that contained a token. */
const privateHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Removes tokens from query and address before anything else reads or logs them; only `queryTokenFor` returns them. */
export function takeQueryTokens(app: App): void {
  app.addHook('onRequest', async ({ raw, query }) => {
    const values = query as Record<string, unknown>;
    const names = Object.keys(values).filter(isTokenName);
    if (names.length === 0) return;
    const [first] = names.map((name) => values[name]);
    queryTokens.set(raw, names.length === 1 && typeof first === 'string' ? first.trim() : '');
    for (const name of names) delete values[name];
    raw.url = withoutTokens(raw.url ?? '');
  });
  app.addHook('onSend', async ({ raw }, reply) => {
    if (queryTokens.has(raw)) reply.headers(privateHeaders);
  });
}

/** Returns the token in a download's query, formatted like a header; '' for every other call. */
export function queryTokenFor({ method, download }: Call, raw: object): string {
  const token = method === 'GET' && download ? (queryTokens.get(raw) ?? '') : '';
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? `bearer ${token}` : token;
}

const isTokenName = (name: string): boolean => parameters.has(name.toLowerCase());

function withoutTokens(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const left = rest
    .join('?')
    .split('&')
    .filter((pair) => !isTokenName(decoded(pair.split('=', 1)[0] ?? '')));
  return left.length === 0 ? path : `${path}?${left.join('&')}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
