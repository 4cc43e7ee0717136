import { menuButtons, menuRoutes, topMenus } from '#shared/menus';
import type { Principal } from '../auth/principal.ts';
import { type Route, route } from '../http/route.ts';
import type { GrantedMenus, Grantee } from './granted-menus.ts';

/** What of the menu the caller has, `wire.md` §3.2; both names of the service answer. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal, language, input }) => menus.routes(asking(principal), language, input.topMenuId), {
      aliases: ['/api/blade-system/menu/routes'],
    }),
    route(menuButtons, ({ principal, language }) => menus.buttons(asking(principal), language), { aliases: ['/api/things-system/menu/buttons'] }),
    route(topMenus, ({ principal, language }) => menus.topMenus(asking(principal), language), { aliases: ['/api/things-system/menu/top-menu'] }),
  ];
}

/** Whoever previews roles has of their menu what is their own as well. */
const asking = (principal: Principal): Grantee => (principal.preview ? { ...principal, within: principal.codes } : principal);
