import { definePlugin, page } from '#kernel';
import { apiScopeMenu, dataScopeMenu, explainMenu, menuMenu, roleMenu, topMenuMenu } from '../menus.ts';

/** Who may do what: roles and what they are granted, and the menu it is granted from. */
export default definePlugin({
  id: 'access',
  title: ['权限管理', 'Permissions'],
  core: true,
  pages: [
    page(roleMenu, () => import('./RolePage.tsx')),
    page(dataScopeMenu, () => import('./DataScopePage.tsx')),
    page(apiScopeMenu, () => import('./ApiScopePage.tsx')),
    page(explainMenu, () => import('./ExplainPage.tsx')),
    page(menuMenu, () => import('./MenuPage.tsx')),
    page(topMenuMenu, () => import('./TopMenuPage.tsx')),
  ],
});
