import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { WireCipher } from './wire-cipher.ts';

/** What a token says about who holds it. */
export interface TokenClaims {
  readonly sid: string;
  readonly tenant_id: string;
  readonly user_id: string;
  readonly client_id: string;
}

/** What a refresh token says besides: which of its family's tokens it is. */
export interface RefreshClaims extends TokenClaims {
  readonly generation: number;
}

/** What a guest's token says: which stored identity they have proved. */
export interface GuestClaims {
  readonly tenant_id: string;
  readonly oauth_id: string;
}

const issuer = 'marquee';
const audience = ['marquee'];
const algorithm = 'HS256';

/** Signs and reads the tokens of the wire. One algorithm, and an access token is never taken for a refresh token or the other way round. */
export class Tokens {
  constructor(private readonly key: Uint8Array) {}

  /** `details` are what integrators read from the token; the server itself only trusts the claims. */
  access(claims: TokenClaims, details: Record<string, unknown>, seconds: number): Promise<string> {
    return this.signed('access_token', { ...details, ...claims }, { from: now(), seconds, id: randomUUID() });
  }

  /** The same text for the same claims and time, so two who raced for one rotation get one child. */
  refresh(claims: RefreshClaims, from: Date, seconds: number): Promise<string> {
    return this.signed('refresh_token', { ...claims }, { from: Math.floor(from.getTime() / 1000), seconds, id: `${claims.sid}.${claims.generation}` });
  }

  async readAccess(token: string): Promise<(TokenClaims & { readonly exp: number }) | undefined> {
    return (await this.read(token, 'access_token')) as (TokenClaims & { exp: number }) | undefined;
  }

  async readRefresh(token: string): Promise<RefreshClaims | undefined> {
    return (await this.read(token, 'refresh_token')) as RefreshClaims | undefined;
  }

  /** Of nobody here: no call takes it for an access token. */
  guest(claims: GuestClaims, seconds: number): Promise<string> {
    return this.signed('guest_token', { ...claims, sid: '' }, { from: now(), seconds, id: randomUUID() });
  }

  async readGuest(token: string): Promise<GuestClaims | undefined> {
    return (await this.read(token, 'guest_token')) as GuestClaims | undefined;
  }

  private signed(type: string, claims: Record<string, unknown>, life: { from: number; seconds: number; id: string }): Promise<string> {
    return new SignJWT({ ...claims, token_type: type })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setJti(life.id)
      .setNotBefore(life.from)
      .setExpirationTime(life.from + life.seconds)
      .sign(this.key);
  }

  /** Nothing for whatever is not a valid token of ours; why is nobody's business. */
  private async read(token: string, type: string): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: 'JWT',
        clockTolerance: 5,
        requiredClaims: ['exp', 'sid'],
      });
      return payload.token_type === type ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}

const now = () => Math.floor(Date.now() / 1000);

/** The token of a `Things-Auth` or `Blade-Auth` header, `bearer …` or, with a cipher, `crypto …`; '' when there is none. */
export function tokenOf(header: string, cipher: WireCipher | undefined): string {
  const [, form = '', text = ''] = /^(bearer|crypto)\s+(\S+)$/i.exec(header.trim()) ?? [];
  return form.toLowerCase() === 'crypto' ? (cipher?.open(text) ?? '') : text;
}
