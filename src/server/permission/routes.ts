import { menuButtons, menuRoutes, topMenus } from '#shared/menus';
import { type Route, route } from '../http/route.ts';
import type { GrantedMenus } from './granted-menus.ts';

/** What of the menu the caller has, `wire.md` §3.2; both names of the service answer. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal, language, input }) => menus.routes(principal, language, input.topMenuId), {
      aliases: ['/api/blade-system/menu/routes'],
    }),
    route(menuButtons, ({ principal, language }) => menus.buttons(principal, language), { aliases: ['/api/things-system/menu/buttons'] }),
    route(topMenus, ({ principal, language }) => menus.topMenus(principal, language), { aliases: ['/api/things-system/menu/top-menu'] }),
  ];
}
