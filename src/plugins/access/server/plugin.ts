import { defineServerPlugin, provide } from '#server';
import { apiScopeMenu, dataScopeMenu, explainMenu, menuMenu, roleMenu, topMenuMenu } from '../menus.ts';
import { WorkGrants } from '../server-extension.ts';
import { explanationRoutes } from './explanations.ts';
import { roleMembers } from './members.ts';
import { menuRoutes } from './menus.ts';
import { roleRoutes } from './role-routes.ts';
import { scopeRuleRoutes } from './scope-rule-routes.ts';
import { apiScopeRoutes, dataScopeRoutes } from './scopes.ts';
import { topMenuRoutes } from './top-menus.ts';
import { StoredWorkGrants } from './work-grants.ts';

/** Permissions: roles with their grants, scopes and the menu. */
export default defineServerPlugin({
  id: 'access',
  title: ['权限管理', 'Permissions'],
  core: true,
  menus: [roleMenu, dataScopeMenu, apiScopeMenu, explainMenu, menuMenu, topMenuMenu],

  setup(context) {
    return {
      references: [roleMembers(context)],
      services: [provide(WorkGrants, new StoredWorkGrants(context))],
      routes: [
        ...roleRoutes(context),
        ...menuRoutes(context),
        ...topMenuRoutes(context),
        ...dataScopeRoutes(context),
        ...apiScopeRoutes(context),
        ...scopeRuleRoutes(context),
        ...explanationRoutes(context),
      ],
    };
  },
});
