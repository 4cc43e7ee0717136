import type { Principal, ServerContext } from '#server';
import { crudRoutes, type PluginRoute, route } from '#server';
import type { InputOf } from '#shared/contract';
import { isEmpty } from '#shared/text';
import { menus } from '../contract.ts';
import { menusOfPlatform, orderMenus, pagesOfPlatform, pageTree } from './menus.ts';

/** Serves the menu calls under both of their paths. */
export function menuRoutes({ db }: ServerContext): PluginRoute[] {
  const repository = menusOfPlatform(db);
  const pages = pagesOfPlatform(db);

  return [
    crudRoutes(menus, repository, { also: ['/api/blade-system/menu', '/api/things-system/menu'] }),
    route(menus.lazyPages, ({ input }) => pages.level(input)),
    route(menus.pages, ({ input }) => pages.tree(input)),
    route(menus.tree, ({ input, principal }) => (isForeign(input, principal) ? [] : pageTree(db, pages, principal)), {
      aliases: ['/api/blade-system/menu/tree'],
    }),
    route(menus.order, ({ input }) => orderMenus(db, repository, input)),
  ];
}

/** Tells whether another tenant is requested; the page picker returns nothing for it. */
const isForeign = ({ tenantId }: InputOf<typeof menus.tree>, principal: Principal) => !isEmpty(tenantId) && tenantId !== principal.tenantId;
