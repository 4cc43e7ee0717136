import type { InputOf } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import type { SocialBinding, socialBindings } from '#shared/social';
import type { Database } from '../../../data/database/database.ts';
import type { Principal } from '../../principal/principal.ts';
import type { Identities } from '../oauth/identities.ts';
import { sourceNamed } from './providers.ts';
import { type SingleSignOn, ssoSource } from './single-sign-on.ts';
import type { OAuthRequest, SocialSignIn } from './social-sign-in.ts';

const tenantCode = /^[\w-]{1,12}$/;

/** Dependencies of `Bindings`. */
export interface BindingsDeps {
  readonly db: Database;
  readonly identities: Identities;
  readonly social: SocialSignIn;
  readonly sso: SingleSignOn;
}

/** A user's own external identities, which only the user can link and unlink. */
export class Bindings {
  constructor(private readonly deps: BindingsDeps) {}

  list({ tenantId, userId }: Principal): Promise<SocialBinding[]> {
    return this.deps.db.read({ tenantId }, () => this.deps.identities.listOf(userId));
  }

  begin(source: string, { tenantId, userId }: Principal, cookies: string): Promise<{ location: string; cookie: string }> {
    return this.goTo(source, { tenantId, holder: userId, cookies });
  }

  /** Returns the address of a source, including `sso`. */
  goTo(name: string, traveller: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const { social, sso } = this.deps;
    if (!tenantCode.test(traveller.tenantId)) throw new ApiError(wayProblems.notOffered);
    const source = sourceNamed(name);
    if (source) return social.begin(source, traveller);
    if (name !== ssoSource) throw new ApiError(wayProblems.notOffered);
    return sso.begin(traveller);
  }

  async bind(input: InputOf<typeof socialBindings.bind>, { tenantId, userId }: Principal, cookies: string): Promise<void> {
    const { social, sso, identities } = this.deps;
    const source = sourceNamed(input.source);
    if (!source && input.source !== ssoSource) throw new ApiError(wayProblems.notOffered);
    const traveller = { holder: userId, cookies };
    const proved = source ? await social.finish(source, input, traveller) : await sso.finish(input, traveller);
    if (proved.tenantId !== tenantId) throw new ApiError(wayProblems.staleState);
    await identities.bind(tenantId, proved.identity, userId);
  }

  async unbind(name: string, { tenantId, userId }: Principal): Promise<void> {
    const { db, identities } = this.deps;
    await db.write({ tenantId }, () => identities.release(userId, sourceNamed(name) ?? name));
  }
}
