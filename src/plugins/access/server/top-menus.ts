import { and, eq, sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  type Database,
  hasId,
  idArray,
  invalidatePrincipals,
  isActive,
  type PluginRoute,
  problems,
  queryRows,
  repositoryOf,
  route,
  type ServerContext,
} from '#server';
import { TopMenu, topMenu } from '../contract.ts';
import { grantableTree, menus, rebase } from './grants.ts';

/** Serves top menus; changes appear in open consoles at once. */
export function topMenuRoutes({ db }: ServerContext): PluginRoute[] {
  const changed = () => invalidatePrincipals(db, { everyone: true });
  const repository = repositoryOf(db, TopMenu, { unique: [{ fields: ['code'] }], saved: changed, removed: changed });

  return [
    crudRoutes(topMenu, repository),
    route(topMenu.grantTree, async ({ principal, language }) => ({ menu: pagesOnly(await grantableTree(db, principal, language)) })),
    route(topMenu.grantedKeys, async ({ input }) => ({ menu: await pagesOf(db, input.topMenuIds) })),
    route(topMenu.grant, async ({ input }) => {
      for (const id of new Set(input.topMenuIds)) {
        await repository.detail(id);
        await db.sql.execute(sql`select from top_menu where id = ${id}::bigint for update`);
        await setPages(db, id, rebase(input.menuIds, { base: input.base?.menu, granted: await pagesOf(db, [id]) }));
      }
      await changed();
    }),
  ];
}

type Tree = Awaited<ReturnType<typeof grantableTree>>;

const page = 1;
const pagesOnly = (forest: Tree): Tree =>
  forest.flatMap(({ children = [], ...node }) => {
    const pages = pagesOnly(children);
    return node.category === page ? [pages.length > 0 ? { ...node, children: pages } : node] : [];
  });

async function pagesOf(db: Database, topMenuIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select distinct tm.menu_id::text as id from top_menu_menu tm join menu m on m.id = tm.menu_id and m.is_deleted = 0 where tm.top_menu_id = any(${idArray(topMenuIds)})`,
  );
  return rows.map(({ id }) => id);
}

async function setPages(db: Database, topMenuId: string, menuIds: readonly string[]): Promise<void> {
  const requestedMenuIds = [...new Set(menuIds)];
  const found = await db.sql.$count(menus, and(isActive(menus), eq(menus.category, page), hasId(menus, requestedMenuIds)));
  if (found !== requestedMenuIds.length) throw new ApiError(problems.notFound);
  await queryRows(db, sql`delete from top_menu_menu where top_menu_id = ${topMenuId}::bigint and not (menu_id = any(${idArray(requestedMenuIds)}))`);
  await queryRows(
    db,
    sql`insert into top_menu_menu (top_menu_id, menu_id) select ${topMenuId}::bigint, unnest(${idArray(requestedMenuIds)}) on conflict do nothing`,
  );
}
