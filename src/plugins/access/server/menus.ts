import { eq, sql } from 'drizzle-orm';
import {
  ApiError,
  currentActor,
  type Database,
  invalidatePrincipals,
  nodesOf,
  type Principal,
  reorder,
  type TreeRepository,
  tableOf,
  treeRepositoryOf,
} from '#server';
import type { FormOf } from '#shared/contract';
import { administratorAlias, Menu, menuProblems, roleProblems } from '../contract.ts';
import { grantableMenus } from './grants.ts';

const table = tableOf(Menu);
const page = 1;
const button = 2;
const isPage = sql`${table.category} = ${page}`;

/** Repository of the platform's menu. Changes apply at once, also in open consoles. */
export function menusOfPlatform(db: Database): TreeRepository<typeof Menu> {
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
      const isGained = before !== undefined && form.code !== undefined && form.code !== before.code && actor?.codes?.has(form.code) !== true;
      if (actor && isGained && !actor.roles?.includes(administratorAlias)) throw new ApiError(roleProblems.beyond, {}, { field: 'code' });
    },
    saved: () => invalidatePrincipals(db, { everyone: true }),
    removed: () => invalidatePrincipals(db, { everyone: true }),
  });
}

/** Repository of the menu without buttons. */
export const pagesOfPlatform = (db: Database): TreeRepository<typeof Menu> => treeRepositoryOf(db, Menu, { where: () => isPage });

/** Returns pages for a picker. */
export async function pageTree(db: Database, pages: TreeRepository<typeof Menu>, principal: Principal) {
  const may = await grantableMenus(db, principal);
  return nodesOf(
    (await pages.list()).filter(({ id }) => may.has(id)),
    'name',
  );
}

/** Sorts all entries below a parent. */
export async function orderMenus(
  db: Database,
  menus: TreeRepository<typeof Menu>,
  { parentId, ids }: { parentId: string; ids: readonly string[] },
): Promise<void> {
  await db.lock('order of the menu');
  await reorder(await menus.list(eq(table.parentId, parentId)), ids, (moved) => menus.save(moved as FormOf<typeof Menu>));
}
