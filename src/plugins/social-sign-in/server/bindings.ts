import { ApiError, type Principal, type ServerContext, type SignInPort } from '#server';
import { wayProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import type { SocialBinding, socialBindings } from '#shared/social';
import { sourceNamed } from './providers.ts';
import { type SingleSignOn, ssoSource } from './single-sign-on.ts';
import type { OAuthRequest, SocialSignIn } from './social-sign-in.ts';

const tenantCode = /^[\w-]{1,12}$/;

/** Dependencies of `Bindings`. */
export interface BindingsDeps extends Pick<ServerContext, 'db'> {
  readonly signIn: SignInPort;
  readonly social: SocialSignIn;
  readonly sso: SingleSignOn;
}

/** A user's own external identities, which only the user can link and unlink. */
export class Bindings {
  constructor(private readonly deps: BindingsDeps) {}

  list({ tenantId, userId }: Principal): Promise<SocialBinding[]> {
    return this.deps.db.read({ tenantId }, () => this.deps.signIn.identities.listOf(userId));
  }

  begin(source: string, { tenantId, userId }: Principal, cookies: string): Promise<{ location: string; cookie: string }> {
    return this.goTo(source, { tenantId, holder: userId, cookies });
  }

  /** Returns the address of a source, including `sso`. */
  async goTo(name: string, traveller: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const { social, sso, signIn } = this.deps;
    const source = sourceNamed(name);
    const method = source ? 'social' : name === ssoSource ? ssoSource : '';
    if (!tenantCode.test(traveller.tenantId) || !(await signIn.isOffered(method, traveller.tenantId))) throw new ApiError(wayProblems.notOffered);
    return source ? social.begin(source, traveller) : sso.begin(traveller);
  }

  async bind(input: InputOf<typeof socialBindings.bind>, { tenantId, userId }: Principal, cookies: string): Promise<void> {
    const { social, sso, signIn } = this.deps;
    const source = sourceNamed(input.source);
    if (!source && input.source !== ssoSource) throw new ApiError(wayProblems.notOffered);
    const traveller = { holder: userId, cookies };
    const proved = source ? await social.finish(source, input, traveller) : await sso.finish(input, traveller);
    if (proved.tenantId !== tenantId) throw new ApiError(wayProblems.staleState);
    await signIn.identities.bind(tenantId, proved.identity, userId);
  }

  async unbind(name: string, { tenantId, userId }: Principal): Promise<void> {
    const { db, signIn } = this.deps;
    await db.write({ tenantId }, () => signIn.identities.release(userId, sourceNamed(name) ?? name));
  }
}
