import { CrudPage } from '#kernel';
import { dataScope, scopeMessages } from '../contract.ts';
import { dataScopeMenu } from '../menus.ts';
import { ScopedPage } from './ConditionControl.tsx';
import { nouns } from './nouns.ts';
import { PageScopes } from './PageScopes.tsx';

/** Lists pages with their data scopes: the rows that roles may see. */
export default function DataScopePage() {
  return (
    <PageScopes
      menu={dataScopeMenu}
      pages={dataScope.pages}
      heading={scopeMessages.dataOf}
      scopes={({ id, code }) => (
        <ScopedPage value={code}>
          <CrudPage
            crud={dataScope}
            title={dataScopeMenu.title}
            noun={nouns.dataScope}
            filter={{ menuId: id }}
            initial={{ resourceCode: `${code}_scope`, scopeField: '*', scopeType: 3 }}
          />
        </ScopedPage>
      )}
    />
  );
}
