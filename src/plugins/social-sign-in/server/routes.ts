import { ApiError, platformTenant, type Route, type SignInPort, signInRoute } from '#server';
import { browserSources, render, socialBindings, socialProblems } from '#shared/social';
import { backCookie } from '#shared/way-back';
import type { Bindings } from './bindings.ts';
import { sourceNames } from './providers.ts';
import { ssoSource } from './single-sign-on.ts';

/** Serves the redirects to providers, and a user's own linked identities. */
export function bindingRoutes(signIn: SignInPort, bindings: Bindings): Route[] {
  const { publicUrl } = signIn.configuration;
  return [
    ...browserSources.map((source) => renderRoute(signIn, bindings, source, sourceNames[source])),
    renderRoute(signIn, bindings, ssoSource, [ssoSource]),
    signInRoute(socialBindings.list, ({ principal }) => bindings.list(principal)),
    signInRoute(socialBindings.start, async ({ input, principal, setCookie, origin }) => {
      if (publicUrl && input.from && input.from !== publicUrl.origin) throw new ApiError(socialProblems.openElsewhere, { address: publicUrl.origin });
      const { location, cookie } = await bindings.begin(input.source, principal, origin.header('cookie'));
      setCookie(cookie);
      return { location };
    }),
    signInRoute(socialBindings.bind, ({ input, principal, origin }) => bindings.bind(input, principal, origin.header('cookie'))),
    signInRoute(socialBindings.unbind, ({ input, principal }) => bindings.unbind(input.source, principal)),
  ];
}

/**
 * Serves a source under every name that BladeX-compatible clients use. A request to another host is redirected to the one browsers return to, because cookies belong to
 * a host.
 */
function renderRoute(signIn: SignInPort, bindings: Bindings, source: string, names: readonly string[]): Route {
  const { publicUrl } = signIn.configuration;
  const call = render(source);
  const addresses = names.map((name) => render(name).path).flatMap((path) => [path, path.replace('/blade-auth/', '/things-auth/')]);
  return signInRoute(
    call,
    async ({ input, setCookie, ...request }) => {
      const tenantId = input.tenantId || platformTenant;
      const { back = '' } = input;
      if (publicUrl && publicUrl.host !== request.origin.host && !input.moved)
        return new URL(`${call.path}?${new URLSearchParams({ tenantId, moved: '1', ...(back === '' ? {} : { back }) })}`, publicUrl).href;
      const { location, cookie } = await bindings.goTo(source, { tenantId, holder: '', cookies: request.origin.header('cookie') });
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
  return `${backCookie.name}=${encodeURIComponent(back)}; Path=${backCookie.path}; SameSite=Lax; Max-Age=600${secure}`;
}
