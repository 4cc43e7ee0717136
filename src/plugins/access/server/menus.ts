import { eq, sql } from 'drizzle-orm';
import {
  currentActor,
  type Database,
  forgetPrincipals,
  nodesOf,
  type Principal,
  putInOrder,
  Refusal,
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

/** The menu of the platform. Whatever changes in it is in force, and in open consoles, at once. */
export function menusOfPlatform(db: Database): TreeRepository<typeof Menu> {
  return treeRepositoryOf(db, Menu, {
    unique: [{ fields: ['code'], problem: menuProblems.taken }],
    complete(form, { before, parent }) {
      const category = form.category ?? before?.category ?? page;
      if (category === button && !parent) throw new Refusal(menuProblems.buttonAtTop, {}, { field: 'parentId' });
      if (parent?.category === button) throw new Refusal(menuProblems.belowButton, {}, { field: 'parentId' });
      return {};
    },
    beforeSave(form, before) {
      const actor = currentActor();
      // Whoever holds an entry would come to hold the code it is given.
      const isGained = before !== undefined && form.code !== undefined && form.code !== before.code && actor?.codes?.has(form.code) !== true;
      if (actor && isGained && !actor.roles?.includes(administratorAlias)) throw new Refusal(roleProblems.beyond, {}, { field: 'code' });
    },
    saved: () => forgetPrincipals(db, { everyone: true }),
    removed: () => forgetPrincipals(db, { everyone: true }),
  });
}

/** The same without buttons. */
export const pagesOfPlatform = (db: Database): TreeRepository<typeof Menu> => treeRepositoryOf(db, Menu, { where: () => isPage });

/** Pages to pick from. */
export async function pageTree(db: Database, pages: TreeRepository<typeof Menu>, principal: Principal) {
  const may = await grantableMenus(db, principal);
  return nodesOf(
    (await pages.list()).filter(({ id }) => may.has(id)),
    'name',
  );
}

/** Puts all entries below one into an order. */
export async function orderMenus(
  db: Database,
  menus: TreeRepository<typeof Menu>,
  { parentId, ids }: { parentId: string; ids: readonly string[] },
): Promise<void> {
  await db.lock('order of the menu');
  await putInOrder(await menus.list(eq(table.parentId, parentId)), ids, (moved) => menus.save(moved as FormOf<typeof Menu>));
}
