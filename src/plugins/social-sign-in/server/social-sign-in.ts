import { ApiError, type Identities, type StoredIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import type { BrowserSource } from '#shared/social';
import { type CallbackParams, type OAuthRequest, redirectUriOf } from './oauth-request.ts';
import type { OAuthStateStore } from './oauth-state-store.ts';
import type { SocialApps } from './social-apps.ts';
import type { SocialClient } from './social-client.ts';

/** Dependencies of `SocialSignIn`. */
export interface SocialSignInDeps {
  readonly apps: SocialApps;
  readonly client: SocialClient;
  readonly identities: Identities;
  readonly states: OAuthStateStore;
  /** URL of the console; without it providers cannot redirect browsers back. */
  readonly publicUrl: URL | undefined;
}

/** Redirects browsers to a provider and handles their return to `{web}/oauth/redirect/{source}`. */
export class SocialSignIn {
  constructor(private readonly deps: SocialSignInDeps) {}

  /** Lists the sources a tenant offers. */
  offeredSources(tenantId: string): Promise<BrowserSource[]> {
    return this.deps.publicUrl ? this.deps.apps.offeredSources(tenantId) : Promise.resolve([]);
  }

  async begin(source: BrowserSource, { tenantId, userId, cookies }: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const app = await this.appOf(tenantId, source);
    const { state, cookie } = this.deps.states.begin({ tenantId, source, userId }, cookies);
    return { location: this.deps.client.authorizeUrl(app, redirectUriOf(source, this.deps.publicUrl), state), cookie };
  }

  /** Returns the verified identity; the tenant always comes from the state. */
  async finish(
    source: BrowserSource,
    { code, state }: CallbackParams,
    { userId, cookies }: Omit<OAuthRequest, 'tenantId'>,
  ): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const { states, client, identities } = this.deps;
    const { tenantId } = await states.finish(state, { source, userId }, cookies);
    if (code === '') throw new ApiError(signInMethodProblems.providerRefused);
    const profile = await client.profile(await this.appOf(tenantId, source), { code, redirectUri: redirectUriOf(source, this.deps.publicUrl) });
    return { tenantId, identity: await identities.upsert({ tenantId, source }, profile) };
  }

  private async appOf(tenantId: string, source: BrowserSource) {
    const app = this.deps.publicUrl && (await this.deps.apps.find(tenantId, source));
    if (!app) throw new ApiError(signInMethodProblems.notOffered);
    return app;
  }
}
