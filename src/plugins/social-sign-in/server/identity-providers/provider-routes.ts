import {
  ApiError,
  type CallRequest,
  crudRoutes,
  type PluginRoute,
  problems,
  repositoryOf,
  rolesForCaller,
  route,
  type ServerContext,
  type SignInPort,
} from '#server';
import { providerSource } from '#shared/social';
import { localize } from '#shared/text';
import { backChannelLogout } from '../../logout-contract.ts';
import { IdentityProvider, identityProvider, providerProblems } from '../../provider-contract.ts';
import { identityProviderGroup, ProviderGroup } from '../../provider-group-contract.ts';
import { redirectUriOf } from '../oauth-request.ts';
import { type CheckDeps, checkProvider } from './check-provider.ts';
import type { MappedRoles } from './mapped-roles.ts';
import { ProviderRules } from './provider-rules.ts';
import type { StoredProviders } from './stored-providers.ts';

const maxChecksPerMinute = 10;

/** Dependencies of the calls. */
export interface ProviderRoutesDeps extends CheckDeps {
  readonly context: Pick<ServerContext, 'db' | 'egress' | 'basePath'>;
  readonly signIn: SignInPort;
  readonly providers: StoredProviders;
  readonly roles: MappedRoles;
}

/** Serves the administration of identity providers and of the roles of their groups. */
export function providerRoutes(deps: ProviderRoutesDeps): PluginRoute[] {
  const { context, signIn } = deps;
  const { db } = context;
  const { publicUrl } = signIn.configuration;
  const rules = new ProviderRules({ ...context, publicUrl });
  const providers = providersOf(deps, rules);

  return [
    crudRoutes(identityProvider, providers, { search: { fields: ['name'], subtitle: ['kind'], actions: { identity_provider_edit: true } } }),
    route(identityProvider.check, (request) => check(deps, request), { manualTransactions: true }),
    route(identityProvider.addresses, async ({ input }) => {
      const { id } = await providers.detail(input.id);
      if (!publicUrl) throw new ApiError(providerProblems.noPublicUrl);
      const logout = new URL(`.${backChannelLogout.path}?provider=${id}`, publicUrl).href;
      return { redirect: redirectUriOf(providerSource(id), publicUrl), backChannelLogout: logout };
    }),
    crudRoutes(identityProviderGroup, groupsOf(db, rules)),
    route(identityProviderGroup.roles, async ({ input, language }) => {
      const wanted = input.ids?.split(',');
      return (await rolesForCaller(db))
        .filter(({ id, isGrantable, isArchived }) => !isArchived && (wanted ? wanted.includes(id) : isGrantable))
        .map(({ id, title }) => ({ id, name: localize(title, language) }));
    }),
  ];
}

function providersOf({ context: { db }, roles }: ProviderRoutesDeps, rules: ProviderRules) {
  return repositoryOf(db, IdentityProvider, {
    unique: [{ fields: ['name'] }],
    async beforeSave(form, before) {
      await rules.assertValid(form, before);
      await rules.assertWithinRights(before?.id, form.matchesEmail ?? before?.matchesEmail ?? false);
    },
    async beforeRemove(rows) {
      for (const { id } of rows) await rules.assertWithinRights(id, false);
    },
    async removed(rows) {
      for (const { id } of rows) await roles.withdrawAll(id);
    },
    // A restored provider signs its users in again.
    async saved({ id, matchesEmail }, before) {
      if (!before) await rules.assertWithinRights(id, matchesEmail);
    },
  });
}

function groupsOf(db: ServerContext['db'], rules: ProviderRules) {
  return repositoryOf(db, ProviderGroup, {
    unique: [{ fields: ['providerId', 'groupName', 'roleId'] }],
    async beforeSave({ roleId }, before) {
      if (before) await rules.assertGrantable([before.roleId], { isNew: false });
      if (roleId !== undefined && roleId !== before?.roleId) await rules.assertGrantable([roleId], { isNew: true });
    },
    // A restored row gives its role again.
    async saved({ roleId }, before) {
      if (!before) await rules.assertGrantable([roleId], { isNew: true });
    },
    async beforeRemove(rows) {
      await rules.assertGrantable(
        rows.map(({ roleId }) => roleId),
        { isNew: false },
      );
    },
  });
}

async function check(deps: ProviderRoutesDeps, { input, principal: { tenantId }, language }: CallRequest<typeof identityProvider.check>) {
  const { signIn, context, providers } = deps;
  await signIn.limit([{ kind: 'provider-check', subject: tenantId, max: maxChecksPerMinute, windowSeconds: 60 }]);
  const { id } = await context.db.read({ tenantId }, () => repositoryOf(context.db, IdentityProvider).detail(input.id));
  const provider = await providers.find(tenantId, id);
  if (!provider) throw new ApiError(problems.notFound);
  const { isReady, message } = await checkProvider(deps, provider);
  return { isReady, message: localize(message, language) };
}
