import { eq, sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  currentActor,
  type Database,
  invalidatePrincipals,
  nodesOf,
  type PluginRoute,
  type Principal,
  reorder,
  route,
  type ServerContext,
  type TreeRepository,
  tableOf,
  treeRepositoryOf,
} from '#server';
import type { FormOf, InputOf } from '#shared/contract';
import { isEmpty } from '#shared/text';
import { administratorAlias, Menu, menuProblems, menus, roleProblems } from '../contract.ts';
import { grantableMenus } from './grants.ts';

const table = tableOf(Menu);
const page = 1;
const button = 2;
const isPage = sql`${table.category} = ${page}`;

/** Repository of the platform's menu. Changes apply at once, also in open consoles. */
function menusOfPlatform(db: Database): TreeRepository<typeof Menu> {
  const changed = () => invalidatePrincipals(db, { everyone: true });
  return treeRepositoryOf(db, Menu, {
    unique: [{ fields: ['code'], problem: menuProblems.taken }],
    complete(form, { before, parent }) {
      const category = form.category ?? before?.category ?? page;
      if (category === button && !parent) throw new ApiError(menuProblems.buttonAtTop, {}, { field: 'parentId' });
      if (parent?.category === button) throw new ApiError(menuProblems.belowButton, {}, { field: 'parentId' });
      return {};
    },
    beforeSave(form, before) {
      const actor = currentActor();
      // Everyone with the entry would gain the new code, so it must be one the user has.
      const gainsCode = before !== undefined && form.code !== undefined && form.code !== before.code && actor?.codes?.has(form.code) !== true;
      if (actor && gainsCode && !actor.roles?.includes(administratorAlias)) throw new ApiError(roleProblems.beyondOwn, {}, { field: 'code' });
    },
    saved: changed,
    removed: changed,
  });
}

/** Repository of the menu without buttons. */
export const pagesOfPlatform = (db: Database): TreeRepository<typeof Menu> => treeRepositoryOf(db, Menu, { where: () => isPage });

/** Returns pages for a picker. */
async function pageTree(db: Database, pages: TreeRepository<typeof Menu>, principal: Principal) {
  const may = await grantableMenus(db, principal);
  return nodesOf(
    (await pages.list()).filter(({ id }) => may.has(id)),
    'name',
  );
}

/** Sorts all entries below a parent. */
async function orderMenus(db: Database, repository: TreeRepository<typeof Menu>, { parentId, ids }: InputOf<typeof menus.order>): Promise<void> {
  await db.lock('order of the menu');
  await reorder(await repository.list(eq(table.parentId, parentId)), ids, (moved) => repository.save(moved as FormOf<typeof Menu>));
}

/** Serves the menu calls under both of their paths. */
export function menuRoutes({ db }: ServerContext): PluginRoute[] {
  const repository = menusOfPlatform(db);
  const pages = pagesOfPlatform(db);

  return [
    crudRoutes(menus, repository, {
      pathPrefixes: ['/api/blade-system/menu', '/api/things-system/menu'],
      search: { fields: ['name', 'code', 'alias', 'path'], subtitle: ['path', 'code'] },
    }),
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
