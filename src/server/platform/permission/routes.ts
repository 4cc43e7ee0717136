import { authRoutes, menuButtons, menuRoutes, topMenus } from '#shared/menus';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import type { GrantedMenus, MenuSubject } from './granted-menus.ts';

/** Serves the caller's menu under both service names. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal, language, input }) => menus.routes(asking(principal), language, input.topMenuId), {
      aliases: ['/api/blade-system/menu/routes'],
    }),
    route(menuButtons, ({ principal, language }) => menus.buttons(asking(principal), language), { aliases: ['/api/things-system/menu/buttons'] }),
    route(authRoutes, ({ principal }) => menus.authorities(asking(principal)), { aliases: ['/api/things-system/menu/auth-routes'] }),
    route(topMenus, ({ principal, language }) => menus.topMenus(asking(principal), language), { aliases: ['/api/things-system/menu/top-menu'] }),
  ];
}

/** Limits the menu of a role preview to the user's own permissions. */
const asking = (principal: Principal): MenuSubject => (principal.preview ? { ...principal, within: principal.codes } : principal);
