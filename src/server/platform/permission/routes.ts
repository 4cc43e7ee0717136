import { authRoutes, menuButtons, menuRoutes, topMenus } from '#shared/menus';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import type { GrantedMenus, MenuSubject } from './granted-menus.ts';

/** Serves the caller's menu under both service names. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal, language, input }) => menus.routes(subjectOf(principal), language, input.topMenuId), {
      aliases: ['/api/blade-system/menu/routes'],
    }),
    route(menuButtons, ({ principal, language }) => menus.buttons(subjectOf(principal), language), { aliases: ['/api/things-system/menu/buttons'] }),
    route(authRoutes, ({ principal }) => menus.authorities(subjectOf(principal)), { aliases: ['/api/things-system/menu/auth-routes'] }),
    route(topMenus, ({ principal, language }) => menus.topMenus(subjectOf(principal), language), { aliases: ['/api/things-system/menu/top-menu'] }),
  ];
}

/** Limits the menu of a role preview to the user's own permissions. */
const subjectOf = (principal: Principal): MenuSubject => (principal.preview ? { ...principal, within: principal.codes } : principal);
