import type { ServerContext } from '#server';
import { menus } from '../contract.ts';
import { menusOfPlatform, orderMenus, pagesOfPlatform, pageTree } from './menus.ts';

/** The calls of the menu screen, under both names of the service. */
export function serveMenus({ serve, serveCrud, db }: ServerContext): void {
  const repository = menusOfPlatform(db);
  const pages = pagesOfPlatform(db);

  serveCrud(menus, repository, { also: ['/api/blade-system/menu', '/api/things-system/menu'] });
  serve(menus.lazyPages, ({ input }) => pages.level(input));
  serve(menus.pages, ({ input }) => pages.tree(input));
  serve(menus.tree, ({ principal }) => pageTree(db, pages, principal), { aliases: ['/api/blade-system/menu/tree'] });
  serve(menus.order, async ({ input }) => {
    await orderMenus(db, repository, input);
    return null;
  });
}
