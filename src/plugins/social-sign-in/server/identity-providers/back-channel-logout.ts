import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { ApiError, queryRows, type ServerContext, type SignInPort } from '#server';
import { providerSource } from '#shared/social';
import { providerKinds, providerProblems } from '../../provider-contract.ts';
import type { Issuers } from './issuers.ts';
import type { ProviderSignIns } from './provider-sign-ins.ts';
import type { OidcProvider, StoredProviders } from './stored-providers.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const maxAgeSeconds = 300;
const toleranceSeconds = 60;
/** Accepted signatures. All are asymmetric, because everyone who has the client secret could sign with a symmetric one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** Dependencies of `BackChannelLogout`. */
export interface BackChannelLogoutDeps extends Pick<ServerContext, 'db' | 'systemLog'> {
  readonly signIn: Pick<SignInPort, 'endSessions'>;
  readonly providers: StoredProviders;
  readonly issuers: Issuers;
  readonly signIns: ProviderSignIns;
}

interface LogoutClaims {
  /** Session at the issuer; undefined for all sessions of the user. */
  readonly session: string | undefined;
  readonly sub: string | undefined;
  readonly jti: string | undefined;
}

/** Ends sessions when an issuer reports that one or all sessions of a user have ended there (OpenID Connect Back-Channel Logout 1.0). */
export class BackChannelLogout {
  private readonly keySets = new LRUCache<string, ReturnType<typeof createRemoteJWKSet>>({ max: 500 });

  constructor(private readonly deps: BackChannelLogoutDeps) {}

  /** Ends the sessions that a logout token names. The error for an invalid token does not tell the reason. */
  async logOut(providerId: string, token: string): Promise<void> {
    const { db, providers, signIns, signIn, systemLog } = this.deps;
    const provider = await providers.findAnywhere(providerId);
    if (provider?.kind !== providerKinds.oidc || !provider.isActive) throw new ApiError(providerProblems.logoutRefused);
    const { tenantId } = provider;
    const { session, sub, jti } = await this.verify(provider, token);
    // One transaction, so that the issuer can send the token again if the sessions could not be ended.
    await db.write({ tenantId }, async () => {
      if (!(await this.isFirstUse(provider, jti))) throw new ApiError(providerProblems.logoutRefused);
      const signInIds = await signIns.find(tenantId, providerId, { session, sub, source: providerSource(providerId) });
      if (signInIds.length === 0) return;
      const count = await signIn.endSessions({ tenantId, of: { signInIds }, reason: 'ended-elsewhere', method: 'provider' });
      await signIns.forget(tenantId, signInIds);
      db.afterCommit(() =>
        systemLog.log({ level: 'info', event: 'social-sign-in:logged-out', data: { provider: providerId, sessions: count }, tenant: tenantId }),
      );
    });
  }

  private async verify(provider: OidcProvider, token: string): Promise<LogoutClaims> {
    const { issuers } = this.deps;
    const { address, issuer, audience } = await issuers.of(provider).keys();
    const payload = await jwtVerify(token, this.keySetOf(address), {
      issuer,
      audience,
      algorithms,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: maxAgeSeconds,
      clockTolerance: toleranceSeconds,
    }).then(
      (verified) => verified.payload,
      (error: unknown) => {
        if (error instanceof ApiError) throw error;
        throw new ApiError(providerProblems.logoutRefused, {}, { cause: error });
      },
    );
    const session = textClaim(payload, 'sid');
    const sub = textClaim(payload, 'sub');
    const isLogout = isObject(payload.events) && isObject(payload.events[logoutEvent]);
    if (!isLogout || 'nonce' in payload || (session === undefined && sub === undefined)) throw new ApiError(providerProblems.logoutRefused);
    return { session, sub, jti: payload.jti };
  }

  private keySetOf(address: URL) {
    const cached = this.keySets.get(address.href);
    if (cached) return cached;
    const created = createRemoteJWKSet(address, { [customFetch]: (url, init) => this.deps.issuers.request(url, init as RequestInit), timeoutDuration: 5000 });
    this.keySets.set(address.href, created);
    return created;
  }

  /** Records the id of a token until the token has expired; false if it was used before. */
  private async isFirstUse({ tenantId, id }: OidcProvider, jti: string | undefined): Promise<boolean> {
    const { db } = this.deps;
    const tokenHash = createHash('sha256').update(`logout|${tenantId}|${id}|${jti}`).digest('base64url').slice(0, 16);
    const inserted = await db.asPlatform('checks that a logout token is used once', () =>
      queryRows(
        db,
        sql`insert into used_state (id, expires_at) values (${tokenHash}, now() + make_interval(secs => ${maxAgeSeconds + 2 * toleranceSeconds})) on conflict do nothing returning id`,
      ),
    );
    return inserted.length > 0;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

function textClaim(payload: JWTPayload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
