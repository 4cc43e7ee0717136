import { ApiError, crudRoutes, invalidatePrincipals, type PluginRoute, problems, repositoryOf, route, type ServerContext } from '#server';
import { ApiScope, apiScope } from '../contract.ts';
import { pagesOfPlatform } from './menus.ts';

/** Serves API scopes. As soon as a scope exists, the addresses it covers are limited to roles it was granted to. */
export function apiScopeRoutes({ db }: ServerContext): PluginRoute[] {
  const pages = pagesOfPlatform(db);
  const changed = () => invalidatePrincipals(db, { everyone: true });
  const scopes = repositoryOf(db, ApiScope, {
    async beforeSave(form, before) {
      await pages.detail(String(form.menuId ?? before?.menuId)).catch(() => {
        throw new ApiError(problems.wrongParameter, { name: 'menuId' }, { field: 'menuId' });
      });
    },
    saved: changed,
    removed: changed,
  });

  return [crudRoutes(apiScope, scopes), route(apiScope.pages, ({ input }) => pages.tree(input))];
}
