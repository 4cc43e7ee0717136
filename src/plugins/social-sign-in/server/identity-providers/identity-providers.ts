import { Passwords, type PluginRoute, type ServerContext, type SignInPort, signInRoute } from '#server';
import type { SignInProvider } from '#shared/sign-in-options';
import { backChannelLogout } from '../../logout-contract.ts';
import type { OAuthStateStore } from '../oauth-state-store.ts';
import { BackChannelLogout } from './back-channel-logout.ts';
import { Departures } from './departures.ts';
import { Issuers } from './issuers.ts';
import { LdapSignIn } from './ldap-sign-in.ts';
import { MappedRoles } from './mapped-roles.ts';
import { OidcSignIn } from './oidc-sign-in.ts';
import { ProvidedIdentities } from './provided-identities.ts';
import { providerRoutes } from './provider-routes.ts';
import { ProviderSignIns } from './provider-sign-ins.ts';
import { ProviderStates } from './provider-states.ts';
import { StoredProviders } from './stored-providers.ts';

/** Identity providers of tenants, assembled. */
export interface IdentityProviders {
  readonly oidc: OidcSignIn;
  readonly ldap: LdapSignIn;
  readonly roles: MappedRoles;
  readonly departures: Departures;
  readonly routes: PluginRoute[];
  offered(tenantId: string): Promise<SignInProvider[]>;
  sweep(): Promise<void>;
}

/** Builds the sign-in at providers that tenants set up, and the checks that end sessions of users who have left there. */
export function identityProviders(context: ServerContext, signIn: SignInPort, states: OAuthStateStore): IdentityProviders {
  const { db, egress } = context;
  const { identities } = signIn;
  const { publicUrl } = signIn.configuration;
  const passwords = context.get(Passwords);
  const providers = new StoredProviders(db);
  const issuers = new Issuers(egress);
  const roles = new MappedRoles(db);
  const signIns = new ProviderSignIns(db);
  const provided = new ProvidedIdentities({ ...context, identities, passwords, roles, signIns });
  const logout = new BackChannelLogout({ ...context, signIn, providers, issuers, signIns });
  return {
    oidc: new OidcSignIn({ providers, issuers, states, provided, publicUrl }),
    ldap: new LdapSignIn({ egress, providers, provided, passwords }),
    roles,
    departures: new Departures({ ...context, signIn, providers, issuers, roles, signIns, states: new ProviderStates(context) }),
    routes: [
      ...providerRoutes({ context, signIn, issuers, providers, roles }),
      signInRoute(backChannelLogout, async ({ input }) => {
        await logout.logOut(input.provider, input.logout_token);
        return {};
      }),
    ],
    offered: (tenantId) => providers.offered(tenantId, publicUrl !== undefined),
    sweep: () => signIns.sweep(),
  };
}
