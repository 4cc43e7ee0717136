import { CrudPage } from '#kernel';
import { apiScope, scopeWords } from '../contract.ts';
import { apiScopeMenu } from '../menus.ts';
import { PageScopes } from './PageScopes.tsx';

/** Which addresses of each page only some roles may call. */
export default function ApiScopePage() {
  return (
    <PageScopes
      menu={apiScopeMenu}
      pages={apiScope.pages}
      heading={scopeWords.apiOf}
      scopes={({ id, code }) => <CrudPage crud={apiScope} title={apiScopeMenu.title} filter={{ menuId: id }} initial={{ resourceCode: `${code}_api` }} />}
    />
  );
}
