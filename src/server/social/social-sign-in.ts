import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import type { BrowserSource } from '#shared/social';
import type { States } from '../sign-in-ways/states.ts';
import type { Identities, StoredIdentity } from './identities.ts';
import type { SocialApps } from './social-apps.ts';
import type { SocialClient } from './social-client.ts';

/** What signing in at a provider is made of. */
export interface SocialParts {
  readonly apps: SocialApps;
  readonly client: SocialClient;
  readonly identities: Identities;
  readonly states: States;
  /** Where browsers find the console; without it nobody can be sent back. */
  readonly publicUrl: URL | undefined;
}

/** Who goes, for whom and with which cookies. */
export interface Traveller {
  readonly tenantId: string;
  /** '' to sign in, a user's id to link an identity. */
  readonly holder: string;
  readonly cookies: string;
}

/** What a browser has brought back. */
export interface Brought {
  readonly code: string;
  readonly state: string;
}

/** Sends browsers to a provider and takes them back: `{web}/oauth/redirect/{source}`. */
export class SocialSignIn {
  constructor(private readonly parts: SocialParts) {}

  /** The sources a tenant offers. */
  offered(tenantId: string): Promise<BrowserSource[]> {
    return this.parts.publicUrl ? this.parts.apps.offered(tenantId) : Promise.resolve([]);
  }

  async begin(source: BrowserSource, { tenantId, holder, cookies }: Traveller): Promise<{ location: string; cookie: string }> {
    const app = await this.appOf(tenantId, source);
    const { state, cookie } = this.parts.states.begin({ tenantId, source, holder }, cookies);
    return { location: this.parts.client.authorizeUrl(app, this.redirectUri(source), state), cookie };
  }

  /** The identity that has been proved; the tenant is the state's, whatever else is sent. */
  async finish(
    source: BrowserSource,
    { code, state }: Brought,
    { holder, cookies }: Omit<Traveller, 'tenantId'>,
  ): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const { states, client, identities } = this.parts;
    const { tenantId } = await states.finish(state, { source, holder }, cookies);
    if (code === '') throw new Refusal(wayProblems.providerRefused);
    const profile = await client.profile(await this.appOf(tenantId, source), { code, redirectUri: this.redirectUri(source) });
    return { tenantId, identity: await identities.remember({ tenantId, source }, profile) };
  }

  private async appOf(tenantId: string, source: BrowserSource) {
    const app = this.parts.publicUrl && (await this.parts.apps.find(tenantId, source));
    if (!app) throw new Refusal(wayProblems.notOffered);
    return app;
  }

  private redirectUri(source: BrowserSource): string {
    return new URL(`/oauth/redirect/${source}`, this.parts.publicUrl).href;
  }
}
