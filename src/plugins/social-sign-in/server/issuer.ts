import * as oidc from 'openid-client';
import { ApiError } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { OAuthHttpClient } from './oauth-http-client.ts';
import type { SsoConfiguration } from './single-sign-on.ts';

const metadataTtlMs = 3_600_000;

/** Claims of the issuer's signed id token. */
export interface IdClaims {
  readonly sub: string;
  readonly name: string;
  readonly picture: string;
  readonly email: string;
  /** True if the issuer has verified the e-mail address. */
  readonly isEmailVerified: boolean;
}

/** Values of the authorization request that the callback must match. */
export interface ExpectedCallback {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** OpenID Connect issuer of single sign-on. Its metadata is read on first use and again every hour. */
export class Issuer {
  private cached: { readonly metadata: Promise<oidc.Configuration>; readonly since: number } | undefined;
  private readonly http: OAuthHttpClient;

  constructor(private readonly configuration: SsoConfiguration) {
    const { issuer, hosts } = configuration;
    this.http = new OAuthHttpClient([issuer, ...hosts.map((host) => `https://${host}`)]);
  }

  async authorizeUrl({ state, nonce, verifier, redirectUri }: ExpectedCallback): Promise<string> {
    const metadata = await this.metadata();
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    return oidc.buildAuthorizationUrl(metadata, parameters).href;
  }

  /** Exchanges a code for the claims of the id token. Signature, issuer, audience, times and nonce are checked; every failure gives the same error. */
  async claims(returned: { code: string; iss: string }, { state, nonce, verifier, redirectUri }: ExpectedCallback): Promise<IdClaims> {
    const metadata = await this.metadata();
    const address = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code: returned.code, state, ...(returned.iss ? { iss: returned.iss } : {}) }))
      address.searchParams.set(name, value);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(metadata, address, checks).catch((error: unknown) => {
      throw refusalOf(error, this.configuration.issuer.host);
    });
    const { sub = '', name, preferred_username, picture, email, email_verified } = tokens.claims() ?? ({} as Partial<oidc.IDToken>);
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return { sub, name: text(name) || text(preferred_username), picture: text(picture), email: text(email), isEmailVerified: email_verified === true };
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
    const { issuer, clientId, clientSecret } = this.configuration;
    const proof = clientSecret === undefined ? oidc.None() : undefined;
    const execute = [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])];
    const options = { execute, timeout: 5, [oidc.customFetch]: (address: string, init: object) => this.http.fetch(address, init as RequestInit) };
    return oidc.discovery(issuer, clientId, clientSecret, proof, options).catch((error: unknown) => {
      throw refusalOf(error, issuer.host);
    });
  }
}

/** Distinguishes an issuer that does not answer from one that rejects the request or sends an invalid token. */
function refusalOf(error: unknown, host: string): ApiError {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1)
    if (current instanceof ApiError) return current;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${host}: ${code} ${message.slice(0, 200)}`) });
}
