import { menuButtons, menuRoutes } from '#shared/menus';
import { type Route, route } from '../http/route.ts';
import type { GrantedMenus } from './granted-menus.ts';

/** What of the menu the caller has, `wire.md` §3.2; both names of the service answer. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal }) => menus.routes(principal), { aliases: ['/api/blade-system/menu/routes'] }),
    route(menuButtons, ({ principal }) => menus.buttons(principal), { aliases: ['/api/things-system/menu/buttons'] }),
  ];
}
