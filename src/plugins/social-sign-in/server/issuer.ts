import * as oidc from 'openid-client';
import { ApiError } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';

const metadataTtlMs = 3_600_000;

/** Sends a request to an issuer, without redirects; an unavailable issuer rejects with `providerUnavailable`. */
export type IssuerFetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

/** An issuer, and this deployment's client there. */
export interface IssuerSettings {
  readonly issuer: URL;
  readonly clientId: string;
  /** Undefined for a client without a secret, which relies on PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
}

/** Claims about a user, from the signed id token and, where it lacks some, from the user info of the issuer. */
export interface IssuerClaims {
  readonly sub: string;
  readonly name: string;
  /** Name by which the user signs in at the issuer. */
  readonly account: string;
  readonly picture: string;
  readonly email: string;
  /** True if the issuer has verified the e-mail address. */
  readonly isEmailVerified: boolean;
  /** Session at the issuer. */
  readonly session: string | undefined;
  /** Refresh token, where the issuer gives one. */
  readonly refreshToken: string | undefined;
  readonly all: Readonly<Record<string, unknown>>;
}

/** Values of the authorization request that the callback must match. */
export interface ExpectedCallback {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** OpenID Connect issuer. Its metadata is read on first use and again every hour. */
export class Issuer {
  private cached: { readonly metadata: Promise<oidc.Configuration>; readonly since: number } | undefined;

  constructor(
    private readonly settings: IssuerSettings,
    private readonly fetch: IssuerFetch,
  ) {}

  async authorizeUrl({ state, nonce, verifier, redirectUri }: ExpectedCallback): Promise<string> {
    const metadata = await this.metadata();
    const { scopes } = this.settings;
    const parameters = {
      redirect_uri: redirectUri,
      scope: scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Without consent, issuers give no refresh token for offline access.
      ...(scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    };
    return oidc.buildAuthorizationUrl(metadata, parameters).href;
  }

  /**
   * Exchanges a code for the claims of the id token. Signature, issuer, audience, times and nonce are checked; every failure gives the same error. Missing ones of the
   * `wanted` claims are read from the user info.
   */
  async claims(
    returned: { code: string; iss: string },
    { state, nonce, verifier, redirectUri }: ExpectedCallback,
    wanted: readonly string[] = [],
  ): Promise<IssuerClaims> {
    const metadata = await this.metadata();
    const address = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code: returned.code, state, ...(returned.iss ? { iss: returned.iss } : {}) }))
      address.searchParams.set(name, value);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(metadata, address, checks).catch((error: unknown) => {
      throw this.apiErrorOf(error);
    });
    return this.claimsOf(tokens, tokens.claims()?.sub ?? '', wanted);
  }

  /** Exchanges a refresh token for new claims about the user `sub`; undefined if the issuer no longer accepts it. */
  async refresh(refreshToken: string, sub: string, wanted: readonly string[]): Promise<IssuerClaims | undefined> {
    const metadata = await this.metadata();
    try {
      const tokens = await oidc.refreshTokenGrant(metadata, refreshToken);
      if ((tokens.claims()?.sub ?? sub) !== sub) return undefined;
      return await this.claimsOf(tokens, sub, wanted);
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return undefined;
      throw this.apiErrorOf(error);
    }
  }

  /** Reads the metadata again, and returns the issuer's own name of itself. */
  async check(): Promise<string> {
    this.cached = undefined;
    return (await this.metadata()).serverMetadata().issuer;
  }

  /** Returns the address of the issuer's public keys, and the values that its tokens name. */
  async keys(): Promise<{ readonly address: URL; readonly issuer: string; readonly audience: string }> {
    const { jwks_uri: address, issuer } = (await this.metadata()).serverMetadata();
    if (!address) throw new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${this.settings.issuer.host}: has no keys`) });
    return { address: new URL(address), issuer, audience: this.settings.clientId };
  }

  private async claimsOf(
    tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    sub: string,
    wanted: readonly string[],
  ): Promise<IssuerClaims> {
    const signed: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    const metadata = await this.metadata();
    const isComplete = wanted.every((name) => name in signed) || !metadata.serverMetadata().userinfo_endpoint;
    const further = isComplete
      ? {}
      : await oidc.fetchUserInfo(metadata, tokens.access_token, sub).catch((error: unknown) => {
          throw this.apiErrorOf(error);
        });
    const all: Readonly<Record<string, unknown>> = { ...further, ...signed };
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      sub,
      name: text(all.name) || text(all.preferred_username),
      account: text(all.preferred_username),
      picture: text(all.picture),
      email: text(all.email),
      isEmailVerified: all.email_verified === true,
      session: text(signed.sid) || undefined,
      refreshToken: tokens.refresh_token,
      all,
    };
  }

  private metadata(): Promise<oidc.Configuration> {
    if (!this.cached || Date.now() - this.cached.since > metadataTtlMs) {
      const metadata = this.discover();
      this.cached = { metadata, since: Date.now() };
      metadata.catch(() => (this.cached = undefined));
    }
    return this.cached.metadata;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const proof = clientSecret === undefined ? oidc.None() : undefined;
    const execute = [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])];
    const options = { execute, timeout: 5, [oidc.customFetch]: (address: string, init: object) => this.fetch(address, init as RequestInit) };
    return oidc.discovery(issuer, clientId, clientSecret, proof, options).catch((error: unknown) => {
      throw this.apiErrorOf(error);
    });
  }

  /** Distinguishes an issuer that does not answer from one that rejects the request or sends an invalid token. */
  private apiErrorOf(error: unknown): ApiError {
    for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1)
      if (current instanceof ApiError) return current;
    const { code = '', message = '' } = error as { code?: string; message?: string };
    return new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${this.settings.issuer.host}: ${code} ${message.slice(0, 200)}`) });
  }
}
