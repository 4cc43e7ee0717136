import { authorization } from '#shared/authorize';
import type { Call } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { registerGuest } from '#shared/registration';
import { sendSmsCode, signInWays, tenantInfo } from '#shared/sign-in-ways';
import { browserSources, render, socialBindings, socialProblems } from '#shared/social';
import { backCookie } from '#shared/way-back';
import { platformTenant } from '../../../data/context/identity.ts';
import { type KernelRequest, type Route, route } from '../../http/route.ts';
import type { Bindings } from '../social/bindings.ts';
import { sourceNames } from '../social/providers.ts';
import { ssoSource } from '../social/single-sign-on.ts';
import type { Authorization } from './authorization.ts';
import type { RegistrationService } from './registration-service.ts';
import type { SmsSignIn } from './sms-sign-in.ts';
import type { TenantSignInMethods } from './tenant-sign-in-methods.ts';

/** Dependencies of the calls for sign-in methods. */
export interface SignInMethodRoutesDeps {
  readonly tenants: TenantSignInMethods;
  readonly smsSignIn: SmsSignIn;
  readonly bindings: Bindings;
  readonly registering: RegistrationService;
  readonly authorizing: Authorization;
  /** URL to which providers redirect browsers. */
  readonly publicUrl: URL | undefined;
}

const own = { manualTransactions: true };
/** Options of public calls, which share the rate limit of sign-ins by address. */
const open = { ...own, limit: 'token' } as const;
const cookiesOf = ({ origin }: Pick<KernelRequest, 'origin'>) => origin.header('cookie');

/** Serves the calls that lead to the grants besides account and password. */
export function wayRoutes({ tenants, smsSignIn, bindings, registering, authorizing, publicUrl }: SignInMethodRoutesDeps): Route[] {
  return [
    route(tenantInfo, ({ input }) => tenants.ofAddress(input.domain), { ...own, limit: 'captcha' }),
    route(signInWays, ({ input }) => tenants.ways(input.tenantId), { ...own, limit: 'captcha', ...alias(signInWays) }),
    route(sendSmsCode, ({ input, origin }) => smsSignIn.send(input, origin), { ...open, ...alias(sendSmsCode) }),
    ...browserSources.map((source) => renderRoute(source, sourceNames[source], { bindings, publicUrl })),
    renderRoute(ssoSource, [ssoSource], { bindings, publicUrl }),
    route(socialBindings.list, ({ principal }) => bindings.list(principal), own),
    route(
      socialBindings.start,
      async ({ input, principal, setCookie, ...request }) => {
        if (publicUrl && input.from && input.from !== publicUrl.origin) throw new ApiError(socialProblems.openElsewhere, { address: publicUrl.origin });
        const { location, cookie } = await bindings.begin(input.source, principal, cookiesOf(request));
        setCookie(cookie);
        return { location };
      },
      own,
    ),
    route(socialBindings.bind, ({ input, principal, ...request }) => bindings.bind(input, principal, cookiesOf(request)), own),
    route(socialBindings.unbind, ({ input, principal }) => bindings.unbind(input.source, principal), own),
    route(registerGuest, ({ input, principal, origin }) => registering.guest(input, principal.guest, origin), open),
    route(authorization.authorize, ({ input }) => authorizing.authorize(input), { ...open, aliases: authorizeAliases }),
    route(authorization.ask, ({ input }) => authorizing.ask(input), own),
    route(authorization.answer, ({ input, principal }) => authorizing.answer(input, principal), own),
  ];
}

const authorizeAliases = ['/api/things-auth/oauth/authorize', '/api/blade-auth/oauth/authorize'];

/**
 * Serves a source under every name that BladeX-compatible clients use. A request to another host is redirected to the one browsers return to, because cookies belong to
 * a host.
 */
function renderRoute(source: string, names: readonly string[], { bindings, publicUrl }: Pick<SignInMethodRoutesDeps, 'bindings' | 'publicUrl'>): Route {
  const call = render(source);
  const addresses = names.map((name) => render(name).path).flatMap((path) => [path, ...alias({ path }).aliases]);
  return route(
    call,
    async ({ input, setCookie, ...request }) => {
      const tenantId = input.tenantId || platformTenant;
      const { back = '' } = input;
      if (publicUrl && publicUrl.host !== request.origin.host && !input.moved)
        return new URL(`${call.path}?${new URLSearchParams({ tenantId, moved: '1', ...(back === '' ? {} : { back }) })}`, publicUrl).href;
      const { location, cookie } = await bindings.goTo(source, { tenantId, holder: '', cookies: cookiesOf(request) });
      setCookie(cookie);
      if (input.moved && back !== '') setCookie(backCookieOf(back, publicUrl));
      return location;
    },
    { ...open, aliases: addresses.filter((address) => address !== call.path) },
  );
}

/** Builds a cookie readable by the console, which contains a console path and no secret. */
function backCookieOf(back: string, publicUrl: URL | undefined): string {
  const secure = publicUrl?.protocol === 'https:' ? '; Secure' : '';
  return `${backCookie.name}=${encodeURIComponent(back)}; Path=${backCookie.path}; SameSite=Lax; Max-Age=600${secure}`;
}

/** Adds the other service name: BladeX-compatible clients use either `things-auth` or `blade-auth`. */
function alias({ path }: Pick<Call, 'path'>): { aliases: readonly string[] } {
  return { aliases: [path.includes('/things-auth/') ? path.replace('/things-auth/', '/blade-auth/') : path.replace('/blade-auth/', '/things-auth/')] };
}
