import { type PluginRoute, type ServerContext, type SignInMethod, SignInPort, type SignInRequest, type SignInResult } from '#server';
import { miniProgramSource, providerIdOf } from '#shared/social';
import { Bindings, bindingRoutes } from './bindings.ts';
import type { Departures } from './identity-providers/departures.ts';
import { identityProviders } from './identity-providers/identity-providers.ts';
import { MiniProgramSignIn } from './mini-program-sign-in.ts';
import { OAuthStateStore } from './oauth-state-store.ts';
import { findSource } from './providers.ts';
import { SingleSignOn, ssoSource } from './single-sign-on.ts';
import { SocialApps } from './social-apps.ts';
import { SocialClient } from './social-client.ts';
import { SocialSignIn } from './social-sign-in.ts';

/** Builds the sign-in methods of identity providers, with the routes that begin and link them. */
export function methodsOf(context: ServerContext): { methods: SignInMethod[]; routes: PluginRoute[]; departures: Departures; sweep: () => Promise<void> } {
  const { db, get, secretKeys } = context;
  const signIn = get(SignInPort);
  const { identities, configuration } = signIn;
  const { publicUrl, socialEndpoints } = configuration;
  const apps = new SocialApps(db);
  const states = new OAuthStateStore(db, secretKeys('state'), publicUrl?.protocol === 'https:');
  const miniProgram = new MiniProgramSignIn({ apps, identities, address: socialEndpoints[miniProgramSource]?.token });
  const social = new SocialSignIn({ apps, client: new SocialClient(socialEndpoints), identities, states, publicUrl });
  const providers = identityProviders(context, signIn, states);
  const { oidc, ldap, roles } = providers;
  const sso = new SingleSignOn({ db, identities, states, publicUrl, configuration: configuration.sso });

  const bySocial = ({ input, origin }: SignInRequest): Promise<SignInResult> => {
    const { source: name = '', code = '', state = '', tenantId = '' } = input;
    if (MiniProgramSignIn.isSource(name)) return miniProgram.finish(tenantId, code);
    if (providerIdOf(name) !== undefined) return oidc.finish(name, { code, state, iss: input.iss ?? '' }, origin.header('cookie'));
    const source = findSource(name);
    return source ? social.finish(source, { code, state }, { userId: '', cookies: origin.header('cookie') }) : bySso({ input, origin });
  };
  /** Signs in with single sign-on; BladeX-compatible clients send the state as the tenant. */
  const bySso = ({ input: { code = '', state, tenantId = '', iss = '' }, origin }: SignInRequest): Promise<SignInResult> =>
    sso.finish({ code, state: state || tenantId, iss }, { userId: '', cookies: origin.header('cookie') });

  return {
    methods: [
      { id: 'social', offers: (tenantId) => social.offeredSources(tenantId), grants: { social: bySocial } },
      { id: ssoSource, offers: async (tenantId) => sso.isOffered(tenantId), grants: { authorization_code: bySso } },
      { id: 'providers', offers: (tenantId) => providers.offered(tenantId), grants: { ldap: (request) => ldap.signIn(request) } },
    ],
    routes: [...bindingRoutes(signIn, new Bindings({ db, signIn, social, sso, oidc, roles })), ...providers.routes],
    departures: providers.departures,
    sweep: providers.sweep,
  };
}
