import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

/** What a browser is sent elsewhere for. */
export interface Errand {
  readonly tenantId: string;
  readonly source: string;
  /** Who may finish it: '' for anybody who signs in, a user's id where an identity is being linked. */
  readonly holder: string;
}

/** What goes along on an errand: the state, and what OpenID Connect wants to see again. */
export interface Begun {
  readonly state: string;
  readonly cookie: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** What is known again when it comes back. */
export type Returned = Errand & Pick<Begun, 'verifier' | 'nonce'>;

const lifeSeconds = 600;
const macBytes = 16;
const cookieValue = /^[\w-]{22}$/;

/**
 * States of browsers that identify themselves elsewhere: signed, good for ten minutes, once, and only in the browser that set out, which a cookie proves.
 * Nothing is stored before one comes back. At most 128 letters and digits: one provider takes no more.
 */
export class States {
  constructor(
    private readonly db: Database,
    private readonly key: Uint8Array,
    /** Whether browsers come by https. */
    private readonly secure: boolean,
  ) {}

  begin({ tenantId, source, holder }: Errand, cookies: string): Begun {
    const browser = this.browserOf(cookies) ?? randomBytes(16).toString('base64url');
    const id = randomBytes(9).toString('base64url');
    const ends = Math.floor(Date.now() / 1000) + lifeSeconds;
    const payload = [ends.toString(36), id, tenantId, source].join('.');
    const state = Buffer.concat([Buffer.from(payload), this.mac(payload, browser, holder)]).toString('hex');
    const cookie = `${this.cookieName}=${browser}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifeSeconds}${this.secure ? '; Secure' : ''}`;
    return { state, cookie, ...this.secretsOf(id, browser) };
  }

  /** Uses a state up. Throws for one that is forged, stale, used, of another browser, source or holder. */
  async finish(state: string, { source, holder }: Omit<Errand, 'tenantId'>, cookies: string): Promise<Returned> {
    const browser = this.browserOf(cookies);
    const bytes = /^([0-9a-f]{2}){20,64}$/.test(state) ? Buffer.from(state, 'hex') : undefined;
    if (!browser || !bytes) throw new Refusal(wayProblems.staleState);
    const payload = bytes.subarray(0, -macBytes).toString();
    if (!timingSafeEqual(bytes.subarray(-macBytes), this.mac(payload, browser, holder))) throw new Refusal(wayProblems.staleState);
    const [ends = '', id = '', tenantId = '', of = ''] = payload.split('.');
    const seconds = Number.parseInt(ends, 36);
    if (of !== source || seconds < Date.now() / 1000 || !(await this.isFirst(id, seconds))) throw new Refusal(wayProblems.staleState);
    return { tenantId, source, holder, ...this.secretsOf(id, browser) };
  }

  private async isFirst(id: string, seconds: number): Promise<boolean> {
    const first = await this.db.asPlatform('a state comes back before anyone is known', () =>
      rowsOf(
        this.db,
        sql`insert into used_state (id, expires_at) values (${id}, to_timestamp(${seconds}) + interval '1 minute') on conflict do nothing returning id`,
      ),
    );
    return first.length > 0;
  }

  /** Made anew from the state and the browser's cookie, so that nothing has to be kept. */
  private secretsOf(id: string, browser: string): Pick<Begun, 'verifier' | 'nonce'> {
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
