import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError, type Database, queryRows } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';

/** Purpose of a redirect to a provider. */
export interface OAuthIntent {
  readonly tenantId: string;
  readonly source: string;
  /** User whose account the identity is linked to; empty for a sign-in. */
  readonly userId: string;
}

/** Values of an OAuth request: the state, the cookie that binds it to the browser, and the PKCE verifier and the nonce, which are needed again when the browser returns. */
export interface OAuthRequestState {
  readonly state: string;
  readonly cookie: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** Values restored when the browser returns. */
export type RestoredOAuthState = OAuthIntent & Pick<OAuthRequestState, 'verifier' | 'nonce'>;

const ttlSeconds = 600;
const macBytes = 16;
const cookiePattern = /^[\w-]{22}$/;

/**
 * Signed OAuth states, valid for ten minutes, for one use, and only in the browser that began the sign-in, which a cookie identifies. Nothing is stored until a
 * browser returns. A state of a social provider has at most 128 letters and digits, the limit of one of them.
 */
export class OAuthStateStore {
  constructor(
    private readonly db: Database,
    private readonly keys: readonly [Uint8Array, ...Uint8Array[]],
    /** True if browsers use https. */
    private readonly secure: boolean,
  ) {}

  begin({ tenantId, source, userId }: OAuthIntent, cookies: string): OAuthRequestState {
    const browser = this.browserOf(cookies) ?? randomBytes(16).toString('base64url');
    const id = randomBytes(9).toString('base64url');
    const expiresAt = Math.floor(Date.now() / 1000) + ttlSeconds;
    const payload = [expiresAt.toString(36), id, tenantId, source].join('.');
    const [key] = this.keys;
    const state = Buffer.concat([Buffer.from(payload), macOf(key, payload, browser, userId)]).toString('hex');
    const cookie = `${this.cookieName}=${browser}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${ttlSeconds}${this.secure ? '; Secure' : ''}`;
    return { state, cookie, ...derivedValues(key, id, browser) };
  }

  /** Consumes a state. Throws if it is forged, expired, used, or of another browser, source or user. */
  async finish(state: string, { source, userId }: Omit<OAuthIntent, 'tenantId'>, cookies: string): Promise<RestoredOAuthState> {
    const browser = this.browserOf(cookies);
    const bytes = /^([0-9a-f]{2}){20,100}$/.test(state) ? Buffer.from(state, 'hex') : undefined;
    if (!browser || !bytes) throw new ApiError(signInMethodProblems.staleState);
    const payload = bytes.subarray(0, -macBytes).toString();
    const key = this.keys.find((one) => timingSafeEqual(bytes.subarray(-macBytes), macOf(one, payload, browser, userId)));
    if (!key) throw new ApiError(signInMethodProblems.staleState);
    const [expiry = '', id = '', tenantId = '', stateSource = ''] = payload.split('.');
    const expiresAt = Number.parseInt(expiry, 36);
    if (stateSource !== source || expiresAt < Date.now() / 1000 || !(await this.markUsed(id, expiresAt))) throw new ApiError(signInMethodProblems.staleState);
    return { tenantId, source, userId, ...derivedValues(key, id, browser) };
  }

  /** Returns false if the state was used before. */
  private async markUsed(id: string, expiresAt: number): Promise<boolean> {
    const inserted = await this.db.asPlatform('checks an OAuth state before sign-in', () =>
      queryRows(
        this.db,
        sql`insert into used_state (id, expires_at) values (${id}, to_timestamp(${expiresAt}) + interval '1 minute') on conflict do nothing returning id`,
      ),
    );
    return inserted.length > 0;
  }

  private get cookieName(): string {
    return this.secure ? '__Host-marquee-oauth-browser' : 'marquee-oauth-browser';
  }

  private browserOf(cookies: string): string | undefined {
    const values = cookies.split(';').map((cookie) => cookie.trim().split('='));
    const value = values.find(([name]) => name === this.cookieName)?.[1];
    return value && cookiePattern.test(value) ? value : undefined;
  }
}

/** Derives the PKCE verifier and the nonce from the state and the browser's cookie, so that nothing is stored. */
function derivedValues(key: Uint8Array, id: string, browser: string): Pick<OAuthRequestState, 'verifier' | 'nonce'> {
  const derived = (purpose: string) => createHmac('sha256', key).update(`${purpose}|${id}|${browser}`).digest('base64url');
  return { verifier: derived('verifier'), nonce: derived('nonce') };
}

const macOf = (key: Uint8Array, payload: string, browser: string, userId: string): Buffer =>
  createHmac('sha256', key).update(`state|${payload}|${browser}|${userId}`).digest().subarray(0, macBytes);
