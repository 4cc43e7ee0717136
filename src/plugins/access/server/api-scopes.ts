import { ApiError, invalidatePrincipals, problems, repositoryOf, type ServerContext } from '#server';
import { ApiScope, apiScope } from '../contract.ts';
import { pagesOfPlatform } from './menus.ts';

/** Serves API scopes. As soon as a scope exists, the addresses it covers are limited to roles it was granted to. */
export function serveApiScopes({ serve, serveCrud, db }: ServerContext): void {
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

  serveCrud(apiScope, scopes);
  serve(apiScope.pages, ({ input }) => pages.tree(input));
}
