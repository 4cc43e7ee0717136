import { ApiError, type Principal, platformTenant, type Route, type ServerContext, type SignInPort, signInRoute } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { returnCookie } from '#shared/return-cookie';
import { browserSources, type SocialBinding, socialBindings, socialProblems, socialRedirect } from '#shared/social';
import { findSource, namesOf } from './providers.ts';
import { type SingleSignOn, ssoSource } from './single-sign-on.ts';
import type { OAuthRequest, SocialSignIn } from './social-sign-in.ts';

const tenantIdPattern = /^[\w-]{1,12}$/;

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

  /** Returns the address of a source, including `sso`, to which a browser is redirected. */
  async authorize(name: string, request: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const { social, sso, signIn } = this.deps;
    const source = findSource(name);
    const method = source ? 'social' : name === ssoSource ? ssoSource : '';
    if (!tenantIdPattern.test(request.tenantId) || !(await signIn.isOffered(method, request.tenantId))) throw new ApiError(signInMethodProblems.notOffered);
    return source ? social.begin(source, request) : sso.begin(request);
  }

  async bind(input: InputOf<typeof socialBindings.bind>, { tenantId, userId }: Principal, cookies: string): Promise<void> {
    const { social, sso, signIn } = this.deps;
    const source = findSource(input.source);
    if (!source && input.source !== ssoSource) throw new ApiError(signInMethodProblems.notOffered);
    const verified = source ? await social.finish(source, input, { userId, cookies }) : await sso.finish(input, { userId, cookies });
    if (verified.tenantId !== tenantId) throw new ApiError(signInMethodProblems.staleState);
    await signIn.identities.link(tenantId, verified.identity, userId);
  }

  async unbind(name: string, { tenantId, userId }: Principal): Promise<void> {
    const { db, signIn } = this.deps;
    await db.write({ tenantId }, () => signIn.identities.unlink(userId, findSource(name) ?? name));
  }
}

/** Serves the redirects to providers, and a user's own linked identities. */
export function bindingRoutes({ configuration: { publicUrl } }: SignInPort, bindings: Bindings): Route[] {
  return [
    ...browserSources.map((source) => renderRoute(publicUrl, bindings, source, namesOf(source))),
    renderRoute(publicUrl, bindings, ssoSource, [ssoSource]),
    signInRoute(socialBindings.list, ({ principal }) => bindings.list(principal)),
    signInRoute(socialBindings.start, async ({ input, principal: { tenantId, userId }, setCookie, origin }) => {
      if (publicUrl && input.from && input.from !== publicUrl.origin) throw new ApiError(socialProblems.openElsewhere, { address: publicUrl.origin });
      const { location, cookie } = await bindings.authorize(input.source, { tenantId, userId, cookies: origin.header('cookie') });
      setCookie(cookie);
      return { location };
    }),
    signInRoute(socialBindings.bind, ({ input, principal, origin }) => bindings.bind(input, principal, origin.header('cookie'))),
    signInRoute(socialBindings.unbind, ({ input, principal }) => bindings.unbind(input.source, principal)),
  ];
}

/**
 * Serves a source under every name that BladeX-compatible clients use. A request to another host is redirected to the host that browsers return to, because cookies
 * belong to a host.
 */
function renderRoute(publicUrl: URL | undefined, bindings: Bindings, source: string, names: readonly string[]): Route {
  const call = socialRedirect(source);
  const addresses = names.map((name) => socialRedirect(name).path).flatMap((path) => [path, path.replace('/blade-auth/', '/things-auth/')]);
  return signInRoute(
    call,
    async ({ input, setCookie, origin }) => {
      const tenantId = input.tenantId || platformTenant;
      const { back = '' } = input;
      if (publicUrl && publicUrl.host !== origin.host && !input.moved)
        return new URL(`.${call.path}?${new URLSearchParams({ tenantId, moved: '1', ...(back === '' ? {} : { back }) })}`, publicUrl).href;
      const { location, cookie } = await bindings.authorize(source, { tenantId, userId: '', cookies: origin.header('cookie') });
      setCookie(cookie);
      if (input.moved && back !== '') setCookie(backCookieOf(back, publicUrl));
      return location;
    },
    { aliases: addresses.filter((address) => address !== call.path) },
  );
}

/** Builds a cookie readable by the console, which contains a console path and no secret. */
function backCookieOf(back: string, publicUrl: URL | undefined): string {
  const secure = publicUrl?.protocol === 'https:' ? '; Secure' : '';
  return `${returnCookie.name}=${encodeURIComponent(back)}; Path=${returnCookie.path}; SameSite=Lax; Max-Age=600${secure}`;
}
