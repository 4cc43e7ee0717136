import { addToScreen, contribute, definePlugin, ListRowActions, ListToolbarItems, page } from '#kernel';
import { apiScopeMenu, dataScopeMenu, explainMenu, menuMenu, roleMenu, topMenuMenu } from '../menus.ts';
import { AccessCheckItem } from './AccessCheckItem.tsx';
import { AccessCheckStore, accessCheckAction } from './access-check-action.ts';

/** Permissions: roles with their grants, scopes and the menu. */
export default definePlugin({
  id: 'access',
  title: ['权限管理', 'Permissions'],
  core: true,
  provide: (provide) => provide(AccessCheckStore, []),
  contributions: [
    contribute(ListRowActions, accessCheckAction),
    contribute(ListToolbarItems, { Item: AccessCheckItem }),
    addToScreen(dataScopeMenu.code, () => import('./condition-input.ts')),
  ],
  pages: [
    page(roleMenu, () => import('./RolePage.tsx')),
    page(dataScopeMenu, () => import('./DataScopePage.tsx')),
    page(apiScopeMenu, () => import('./ApiScopePage.tsx')),
    page(explainMenu, () => import('./ExplainPage.tsx')),
    page(menuMenu, () => import('./MenuPage.tsx')),
    page(topMenuMenu, () => import('./TopMenuPage.tsx')),
  ],
});
