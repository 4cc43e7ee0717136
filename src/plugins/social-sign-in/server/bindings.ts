import { ApiError, isTenantId, type Principal, platformTenant, type Route, type ServerContext, type SignInPort, signInRoute } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { returnCookie } from '#shared/return-cookie';
import { browserSources, providerIdOf, providerRedirect, type SocialBinding, socialBindings, socialProblems, socialRedirect } from '#shared/social';
import type { MappedRoles } from './identity-providers/mapped-roles.ts';
import type { OidcSignIn } from './identity-providers/oidc-sign-in.ts';
import type { OAuthRequest } from './oauth-request.ts';
import { findSource, namesOf } from './providers.ts';
import { type SingleSignOn, ssoSource } from './single-sign-on.ts';
import type { SocialSignIn } from './social-sign-in.ts';

/** Dependencies of `Bindings`. */
export interface BindingsDeps extends Pick<ServerContext, 'db'> {
  readonly signIn: SignInPort;
  readonly social: SocialSignIn;
  readonly sso: SingleSignOn;
  /** Sign-in at the identity providers of tenants. */
  readonly oidc: OidcSignIn;
  readonly roles: MappedRoles;
}

/** A user's own external identities, which only the user can link and unlink. */
export class Bindings {
  constructor(private readonly deps: BindingsDeps) {}

  list({ tenantId, userId }: Principal): Promise<SocialBinding[]> {
    return this.deps.db.read({ tenantId }, () => this.deps.signIn.identities.listOf(userId));
  }

  /** Returns the address of a source, including `sso`, to which a browser is redirected. */
  async authorize(name: string, request: OAuthRequest): Promise<{ location: string; cookie: string }> {
    const { social, sso, signIn, oidc } = this.deps;
    if (providerIdOf(name) !== undefined && isTenantId(request.tenantId)) return oidc.begin(name, request);
    const source = findSource(name);
    const method = source ? 'social' : name === ssoSource ? ssoSource : '';
    if (!isTenantId(request.tenantId) || !(await signIn.isOffered(method, request.tenantId))) throw new ApiError(signInMethodProblems.notOffered);
    return source ? social.begin(source, request) : sso.begin(request);
  }

  async bind(input: InputOf<typeof socialBindings.bind>, { tenantId, userId }: Principal, cookies: string): Promise<void> {
    const { signIn } = this.deps;
    const verified = await this.verified(input, { userId, cookies });
    if (verified.tenantId !== tenantId) throw new ApiError(signInMethodProblems.staleState);
    await signIn.identities.link(tenantId, verified.identity, userId);
  }

  async unbind(name: string, { tenantId, userId }: Principal): Promise<void> {
    const { db, signIn, roles } = this.deps;
    const providerId = providerIdOf(name);
    await db.write({ tenantId }, async () => {
      // Roles of a provider would stay with an account that it no longer knows.
      if (providerId !== undefined) await roles.apply(userId, providerId, []);
      await signIn.identities.unlink(userId, findSource(name) ?? name);
    });
  }

  private verified(input: InputOf<typeof socialBindings.bind>, browser: { readonly userId: string; readonly cookies: string }) {
    const { social, sso, oidc } = this.deps;
    if (providerIdOf(input.source) !== undefined) return oidc.link(input.source, input, browser);
    const source = findSource(input.source);
    if (!source && input.source !== ssoSource) throw new ApiError(signInMethodProblems.notOffered);
    return source ? social.finish(source, input, browser) : sso.finish(input, browser);
  }
}

/** Serves the redirects to providers, and a user's own linked identities. */
export function bindingRoutes({ configuration: { publicUrl } }: SignInPort, bindings: Bindings): Route[] {
  return [
    ...browserSources.map((source) => sourceRoute(publicUrl, bindings, source, namesOf(source))),
    sourceRoute(publicUrl, bindings, ssoSource, [ssoSource]),
    providerRoute(publicUrl, bindings),
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
function sourceRoute(publicUrl: URL | undefined, bindings: Bindings, source: string, names: readonly string[]): Route {
  const call = socialRedirect(source);
  const addresses = names.map((name) => socialRedirect(name).path).flatMap((path) => [path, path.replace('/blade-auth/', '/things-auth/')]);
  return signInRoute(call, (request) => redirect({ publicUrl, bindings, source, path: call.path }, request), {
    aliases: addresses.filter((address) => address !== call.path),
  });
}

/** Serves the redirect to an identity provider of a tenant, which the request names. */
const providerRoute = (publicUrl: URL | undefined, bindings: Bindings): Route =>
  signInRoute(providerRedirect, (request) => redirect({ publicUrl, bindings, source: request.input.source, path: providerRedirect.path }, request));

interface Redirection {
  readonly publicUrl: URL | undefined;
  readonly bindings: Bindings;
  readonly source: string;
  readonly path: string;
}

type RedirectRequest = Pick<Parameters<Route<ReturnType<typeof socialRedirect>>['handler']>[0], 'input' | 'setCookie' | 'origin'>;

async function redirect({ publicUrl, bindings, source, path }: Redirection, { input, setCookie, origin }: RedirectRequest): Promise<string> {
  const tenantId = input.tenantId || platformTenant;
  const { back = '' } = input;
  if (publicUrl && publicUrl.host !== origin.host && !input.moved) {
    const query = { ...(path === providerRedirect.path ? { source } : {}), tenantId, moved: '1', ...(back === '' ? {} : { back }) };
    return new URL(`.${path}?${new URLSearchParams(query)}`, publicUrl).href;
  }
  const { location, cookie } = await bindings.authorize(source, { tenantId, userId: '', cookies: origin.header('cookie') });
  setCookie(cookie);
  if (input.moved && back !== '') setCookie(backCookieOf(back, publicUrl));
  return location;
}

/** Builds a cookie readable by the console, which contains a console path and no secret. */
function backCookieOf(back: string, publicUrl: URL | undefined): string {
  const secure = publicUrl?.protocol === 'https:' ? '; Secure' : '';
  return `${returnCookie.name}=${encodeURIComponent(back)}; Path=${returnCookie.path}; SameSite=Lax; Max-Age=600${secure}`;
}
