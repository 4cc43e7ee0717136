import { defineServerPlugin } from '#server';
import { apiScopeMenu, dataScopeMenu, explainMenu, menuMenu, roleMenu, topMenuMenu } from '../menus.ts';
import { serveApiScopes } from './api-scopes.ts';
import { serveDataScopes } from './data-scopes.ts';
import { serveExplanations } from './explanations.ts';
import { serveMenus } from './menu-routes.ts';
import { serveRoles } from './role-routes.ts';
import { serveTopMenus } from './top-menus.ts';

/** Permissions: roles with their grants, scopes and the menu. */
export default defineServerPlugin({
  id: 'access',
  title: ['权限管理', 'Permissions'],
  core: true,
  menus: [roleMenu, dataScopeMenu, apiScopeMenu, explainMenu, menuMenu, topMenuMenu],

  routes(context) {
    serveRoles(context);
    serveMenus(context);
    serveTopMenus(context);
    serveDataScopes(context);
    serveApiScopes(context);
    serveExplanations(context);
  },
});
