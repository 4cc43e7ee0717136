import { eq, sql } from 'drizzle-orm';
import { currentActor, type Database, forgetPrincipals, nodesOf, type Principal, Refusal, type TreeRepository, tableOf, treeRepositoryOf } from '#server';
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

/** Puts an entry one place up or down among its neighbours; at the end of them nothing happens. */
export async function moveMenu(menus: TreeRepository<typeof Menu>, { id, by }: { id: string; by: number }): Promise<void> {
  const { parentId } = await menus.detail(id);
  const neighbours = await menus.list(eq(table.parentId, parentId));
  const from = neighbours.findIndex((one) => one.id === id);
  const [moved] = neighbours.splice(from, 1);
  if (!moved) return;
  neighbours.splice(Math.min(Math.max(from + by, 0), neighbours.length), 0, moved);
  for (const [index, one] of neighbours.entries()) if (one.sort !== index + 1) await menus.save({ id: one.id, sort: index + 1 } as typeof one);
}
