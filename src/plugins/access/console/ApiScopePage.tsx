import { CrudPage } from '#kernel';
import { apiScope, scopeMessages } from '../contract.ts';
import { apiScopeMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { PageScopes } from './PageScopes.tsx';

/** Lists pages with their API scopes: addresses that only some roles may call. */
export default function ApiScopePage() {
  return (
    <PageScopes
      menu={apiScopeMenu}
      pages={apiScope.pages}
      heading={scopeMessages.apiOf}
      scopes={({ id, code }) => (
        <CrudPage crud={apiScope} title={apiScopeMenu.title} noun={nouns.apiScope} filter={{ menuId: id }} initial={{ resourceCode: `${code}_api` }} />
      )}
    />
  );
}
