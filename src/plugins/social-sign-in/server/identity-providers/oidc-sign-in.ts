import { ApiError, type StoredIdentity, type VerifiedIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { providerIdOf } from '#shared/social';
import { providerKinds } from '../../provider-contract.ts';
import type { IssuerClaims } from '../issuer.ts';
import { type CallbackParams, type OAuthRequest, pictureAddress, redirectUriOf } from '../oauth-request.ts';
import type { OAuthStateStore } from '../oauth-state-store.ts';
import type { Issuers } from './issuers.ts';
import type { ProvidedIdentities, ProvidedUser } from './provided-identities.ts';
import type { OidcProvider, StoredProviders } from './stored-providers.ts';

/** Dependencies of `OidcSignIn`. */
export interface OidcSignInDeps {
  readonly providers: StoredProviders;
  readonly issuers: Issuers;
  readonly states: OAuthStateStore;
  readonly provided: ProvidedIdentities;
  readonly publicUrl: URL | undefined;
}

type Callback = CallbackParams & { readonly iss: string };

/** Claims that sign-in reads, beside the groups. */
const profileClaims = ['name', 'email', 'email_verified', 'preferred_username'] as const;

/** Sign-in at the issuers of tenants, with PKCE, nonce and a redirect address of each issuer's own. */
export class OidcSignIn {
  constructor(private readonly deps: OidcSignInDeps) {}

  async begin(source: string, { tenantId, userId, cookies }: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const provider = await this.providerOf(tenantId, source);
    const { cookie, ...expected } = this.deps.states.begin({ tenantId, source, userId }, cookies);
    return { location: await this.deps.issuers.of(provider).authorizeUrl({ ...expected, redirectUri: redirectUriOf(source, this.deps.publicUrl) }), cookie };
  }

  /** Signs in with the parameters of a return; its tenant comes from the state. */
  async finish(source: string, callback: Callback, cookies: string): Promise<{ tenantId: string } & VerifiedIdentity> {
    const { provider, claims } = await this.claimsOf(source, callback, { userId: '', cookies });
    const { session: issuerSession, refreshToken } = claims;
    const verified = await this.deps.provided.verified(provider, userOf(provider, claims), { issuerSession, refreshToken });
    return { tenantId: provider.tenantId, ...verified };
  }

  /** Returns the identity that a signed-in user links to the account. */
  async link(source: string, callback: Callback, browser: Pick<OAuthRequest, 'userId' | 'cookies'>): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const { provider, claims } = await this.claimsOf(source, callback, browser);
    return { tenantId: provider.tenantId, identity: await this.deps.provided.linked(provider, userOf(provider, claims)) };
  }

  private async claimsOf(
    source: string,
    { code, iss, state }: Callback,
    browser: Pick<OAuthRequest, 'userId' | 'cookies'>,
  ): Promise<{ provider: OidcProvider; claims: IssuerClaims }> {
    const { states, issuers } = this.deps;
    const { tenantId, nonce, verifier } = await states.finish(state, { source, userId: browser.userId }, browser.cookies);
    const provider = await this.providerOf(tenantId, source);
    const expected = { state, nonce, verifier, redirectUri: redirectUriOf(source, this.deps.publicUrl) };
    return { provider, claims: await issuers.of(provider).claims({ code, iss }, expected, wantedClaims(provider)) };
  }

  private async providerOf(tenantId: string, source: string): Promise<OidcProvider> {
    const id = providerIdOf(source);
    const provider = id === undefined || !this.deps.publicUrl ? undefined : await this.deps.providers.find(tenantId, id);
    if (provider?.kind !== providerKinds.oidc || !provider.isActive) throw new ApiError(signInMethodProblems.notOffered);
    return provider;
  }
}

/** Returns the claims that are read from the user info where the id token lacks one. */
export const wantedClaims = ({ groupsClaim }: OidcProvider): readonly string[] => [...profileClaims, groupsClaim];

/** Returns the groups that claims name; undefined if the issuer says nothing about groups. A claim may name one group as text. */
export function groupsIn({ groupsClaim }: OidcProvider, { all }: IssuerClaims): string[] | undefined {
  const value = all[groupsClaim];
  if (value === undefined) return undefined;
  return [value].flat().filter((one) => typeof one === 'string');
}

function userOf(provider: OidcProvider, claims: IssuerClaims): ProvidedUser {
  const { sub, name, account, picture, email, isEmailVerified } = claims;
  return { uuid: sub, unionId: '', name, avatar: pictureAddress(picture), email, account, isEmailVerified, groups: groupsIn(provider, claims) ?? [] };
}
