import { type KeyObject, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, jwtVerify, type ProtectedHeaderParameters, SignJWT } from 'jose';
import type { Keys } from '../../../base/configuration/secret-key.ts';
import { isTenantId } from '../../../data/context/identity.ts';
import type { Origin } from '../../http/route.ts';
import type { WireCipher } from '../../http/wire-cipher.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';

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

type Algorithm = 'ES256' | 'HS256';

/** Validity and id of a token to be signed. */
interface TokenLife {
  readonly from: number;
  readonly seconds: number;
  readonly id: string;
}

/**
 * Signs and reads tokens. Access tokens are signed by the key pairs of the deployment (ES256), which other programs can verify, or by a secret (HS256) while servers run that
 * accept nothing else; all other tokens by a secret. The header only selects the kind of key, and a key verifies its own algorithm alone. The token type is checked, so that
 * access and refresh tokens are never confused.
 */
export class Tokens {
  /** Tokens that any of the secrets has signed are read; without key pairs, all tokens are signed by the first one. */
  constructor(
    private readonly secrets: Keys,
    private readonly pairs?: Pick<SigningKeys, 'signerFor' | 'publicKey'>,
  ) {}

  /** Signs an access token; `details` are for integrators, while the server itself only trusts the claims. */
  async access(claims: TokenClaims, details: Record<string, unknown>, seconds: number): Promise<string> {
    const life = { from: now(), seconds, id: randomUUID() };
    const pair = await this.pairs?.signerFor(life.from + seconds);
    const token = unsigned('access_token', { ...details, ...claims }, life);
    if (!pair) return this.signedBySecret(token);
    return token.setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: pair.kid }).sign(pair.privateKey);
  }

  /** Signs a refresh token; the same claims and time give the same text, so that two requests racing for one rotation get one child. */
  refresh(claims: RefreshClaims, from: Date, seconds: number): Promise<string> {
    const life = { from: Math.floor(from.getTime() / 1000), seconds, id: `${claims.sid}.${claims.generation}` };
    return this.signedBySecret(unsigned('refresh_token', { ...claims }, life));
  }

  async readAccess(token: string): Promise<AccessClaims | undefined> {
    return (await this.read(token, 'access_token')) as AccessClaims | undefined;
  }

  async readRefresh(token: string): Promise<RefreshClaims | undefined> {
    return (await this.read(token, 'refresh_token')) as RefreshClaims | undefined;
  }

  /** Signs the token of an unlinked identity; no call accepts it as an access token. */
  signUnlinkedIdentity(claims: UnlinkedIdentityClaims, seconds: number): Promise<string> {
    return this.signedBySecret(unsigned('guest_token', { ...claims, sid: '' }, { from: now(), seconds, id: randomUUID() }));
  }

  async readUnlinkedIdentity(token: string): Promise<UnlinkedIdentityClaims | undefined> {
    return (await this.read(token, 'guest_token')) as UnlinkedIdentityClaims | undefined;
  }

  private signedBySecret(token: SignJWT): Promise<string> {
    return token.setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(this.secrets[0]);
  }

  /** Returns undefined for every invalid token, without a reason. */
  private async read(token: string, type: string): Promise<unknown> {
    const { alg, kid } = headerOf(token);
    const payload = alg === 'HS256' ? await this.readBySecret(token) : alg === 'ES256' ? await this.readByPair(token, kid) : undefined;
    // Only access tokens are signed by key pairs.
    const isExpected = payload?.token_type === type && (alg === 'HS256' || type === 'access_token');
    return isExpected && isWellFormed(payload) ? payload : undefined;
  }

  private async readBySecret(token: string): Promise<JWTPayload | undefined> {
    for (const secret of this.secrets) {
      const payload = await verified(token, secret, 'HS256');
      if (payload) return payload;
    }
    return undefined;
  }

  private async readByPair(token: string, kid: string | undefined): Promise<JWTPayload | undefined> {
    const key = kid === undefined ? undefined : await this.pairs?.publicKey(kid);
    return key && verified(token, key, 'ES256');
  }
}

const unsigned = (type: string, claims: Record<string, unknown>, { from, seconds, id }: TokenLife): SignJWT =>
  new SignJWT({ ...claims, token_type: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(id)
    .setNotBefore(from)
    .setExpirationTime(from + seconds);

/** Returns the header of a token without verifying anything; empty for another text. */
function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return {};
  }
}

async function verified(token: string, key: Uint8Array | KeyObject, algorithm: Algorithm): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: 'JWT',
      clockTolerance: 5,
      requiredClaims: ['exp', 'sid'],
    });
    return payload;
  } catch {
    return undefined;
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
