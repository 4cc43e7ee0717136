import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError, type Database, queryRows } from '#server';
import { wayProblems } from '#shared/auth-problems';

/** Purpose of a redirect to a provider. */
export interface OAuthIntent {
  readonly tenantId: string;
  readonly source: string;
  /** User who may finish it: '' for a sign-in, a user's id when linking an identity. */
  readonly holder: string;
}

/** Values of an OAuth request: the state, and those OpenID Connect requires again later. */
export interface OAuthRequestState {
  readonly state: string;
  readonly cookie: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** Values restored when the browser returns. */
export type RestoredOAuthState = OAuthIntent & Pick<OAuthRequestState, 'verifier' | 'nonce'>;

const lifeSeconds = 600;
const macBytes = 16;
const cookieValue = /^[\w-]{22}$/;

/**
 * States of browsers at a provider: signed, valid for ten minutes and one use, and only in the browser that began, which a cookie proves. Nothing is stored until a
 * browser returns. A state has at most 128 letters and digits, the limit of one provider.
 */
export class OAuthStateStore {
  constructor(
    private readonly db: Database,
    private readonly key: Uint8Array,
    /** True if browsers use https. */
    private readonly secure: boolean,
  ) {}

  begin({ tenantId, source, holder }: OAuthIntent, cookies: string): OAuthRequestState {
    const browser = this.browserOf(cookies) ?? randomBytes(16).toString('base64url');
    const id = randomBytes(9).toString('base64url');
    const ends = Math.floor(Date.now() / 1000) + lifeSeconds;
    const payload = [ends.toString(36), id, tenantId, source].join('.');
    const state = Buffer.concat([Buffer.from(payload), this.mac(payload, browser, holder)]).toString('hex');
    const cookie = `${this.cookieName}=${browser}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifeSeconds}${this.secure ? '; Secure' : ''}`;
    return { state, cookie, ...this.secretsOf(id, browser) };
  }

  /** Uses a state up. Throws if it is forged, expired, used, or of another browser, source or holder. */
  async finish(state: string, { source, holder }: Omit<OAuthIntent, 'tenantId'>, cookies: string): Promise<RestoredOAuthState> {
    const browser = this.browserOf(cookies);
    const bytes = /^([0-9a-f]{2}){20,64}$/.test(state) ? Buffer.from(state, 'hex') : undefined;
    if (!browser || !bytes) throw new ApiError(wayProblems.staleState);
    const payload = bytes.subarray(0, -macBytes).toString();
    if (!timingSafeEqual(bytes.subarray(-macBytes), this.mac(payload, browser, holder))) throw new ApiError(wayProblems.staleState);
    const [ends = '', id = '', tenantId = '', of = ''] = payload.split('.');
    const seconds = Number.parseInt(ends, 36);
    if (of !== source || seconds < Date.now() / 1000 || !(await this.isFirst(id, seconds))) throw new ApiError(wayProblems.staleState);
    return { tenantId, source, holder, ...this.secretsOf(id, browser) };
  }

  private async isFirst(id: string, seconds: number): Promise<boolean> {
    const first = await this.db.asPlatform('checks an OAuth state before sign-in', () =>
      queryRows(
        this.db,
        sql`insert into used_state (id, expires_at) values (${id}, to_timestamp(${seconds}) + interval '1 minute') on conflict do nothing returning id`,
      ),
    );
    return first.length > 0;
  }

  /** Derives the values from the state and the browser's cookie, so that nothing is stored. */
  private secretsOf(id: string, browser: string): Pick<OAuthRequestState, 'verifier' | 'nonce'> {
    const derived = (purpose: string) => createHmac('sha256', this.key).update(`${purpose}|${id}|${browser}`).digest('base64url');
    return { verifier: derived('verifier'), nonce: derived('nonce') };
  }

  private mac(payload: string, browser: string, holder: string): Buffer {
    return createHmac('sha256', this.key).update(`state|${payload}|${browser}|${holder}`).digest().subarray(0, macBytes);
  }

  private get cookieName(): string {
    return this.secure ? '__Host-marquee-way' : 'marquee-way';
  }

  private browserOf(cookies: string): string | undefined {
    const values = cookies.split(';').map((cookie) => cookie.trim().split('='));
    const value = values.find(([name]) => name === this.cookieName)?.[1];
    return value && cookieValue.test(value) ? value : undefined;
  }
}
