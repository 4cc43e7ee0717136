import { randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { isTenantId } from '../../../data/context/identity.ts';
import type { Origin } from '../../http/route.ts';
import type { WireCipher } from '../../http/wire-cipher.ts';

/** Claims about the owner of a token. */
export interface TokenClaims {
  readonly sid: string;
  readonly tenant_id: string;
  readonly user_id: string;
  readonly client_id: string;
}

/** Further claims of an access token: its validity, in seconds since 1970. */
export interface AccessClaims extends TokenClaims {
  readonly nbf: number;
  readonly exp: number;
}

/** Further claim of a refresh token: its number within the family. */
export interface RefreshClaims extends TokenClaims {
  readonly generation: number;
}

/** Claims of an unlinked identity's token: the stored identity it has proved. */
export interface UnlinkedIdentityClaims {
  readonly tenant_id: string;
  readonly oauth_id: string;
}

const issuer = 'marquee';
const audience = ['marquee'];
const algorithm = 'HS256';

/** Signs and reads tokens. There is one algorithm, and the token type is checked, so that access and refresh tokens are never confused. */
export class Tokens {
  constructor(private readonly key: Uint8Array) {}

  /** Signs an access token; `details` are for integrators, while the server itself only trusts the claims. */
  access(claims: TokenClaims, details: Record<string, unknown>, seconds: number): Promise<string> {
    return this.signed('access_token', { ...details, ...claims }, { from: now(), seconds, id: randomUUID() });
  }

  /** Signs a refresh token; the same claims and time give the same text, so that two requests racing for one rotation get one child. */
  refresh(claims: RefreshClaims, from: Date, seconds: number): Promise<string> {
    return this.signed('refresh_token', { ...claims }, { from: Math.floor(from.getTime() / 1000), seconds, id: `${claims.sid}.${claims.generation}` });
  }

  async readAccess(token: string): Promise<AccessClaims | undefined> {
    return (await this.read(token, 'access_token')) as AccessClaims | undefined;
  }

  async readRefresh(token: string): Promise<RefreshClaims | undefined> {
    return (await this.read(token, 'refresh_token')) as RefreshClaims | undefined;
  }

  /** Signs the token of an unlinked identity; no call accepts it as an access token. */
  signUnlinkedIdentity(claims: UnlinkedIdentityClaims, seconds: number): Promise<string> {
    return this.signed('guest_token', { ...claims, sid: '' }, { from: now(), seconds, id: randomUUID() });
  }

  async readUnlinkedIdentity(token: string): Promise<UnlinkedIdentityClaims | undefined> {
    return (await this.read(token, 'guest_token')) as UnlinkedIdentityClaims | undefined;
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

  /** Returns undefined for every invalid token, without a reason. */
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
      return payload.token_type === type && isWellFormed(payload) ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Tests whether the claims are well-formed: another program that signs with the same key may write different ones, which must not reach an SQL statement and make it fail. */
function isWellFormed({ sid, tenant_id: tenantId, user_id: userId, generation }: JWTPayload): boolean {
  return (
    (sid === '' || isUuid(sid)) &&
    isTenantId(tenantId) &&
    (userId === undefined || (typeof userId === 'string' && /^\d{1,19}$/.test(userId))) &&
    (generation === undefined || Number.isSafeInteger(generation))
  );
}

const isUuid = (value: unknown) => typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);

const now = () => Math.floor(Date.now() / 1000);

/** Tests whether a request carries a token, valid or not. */
export const bearsToken = ({ header }: Pick<Origin, 'header'>): boolean => (header('things-auth') || header('blade-auth')).trim() !== '';

/** Returns the token of a `Things-Auth` or `Blade-Auth` header, `bearer …` or, with a cipher, `crypto …`; '' without one. */
export function tokenOf(header: string, cipher: WireCipher | undefined): string {
  const [, form = '', text = ''] = /^(bearer|crypto)\s+(\S+)$/i.exec(header.trim()) ?? [];
  return form.toLowerCase() === 'crypto' ? (cipher?.decrypt(text) ?? '') : text;
}
