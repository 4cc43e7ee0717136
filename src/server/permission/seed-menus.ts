import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import type { DeclaredMenu } from './declared-menus.ts';

/** Writes what was never written before; what an administrator edited or deleted since is left alone. */
export async function seedMenus(db: Database, declared: readonly DeclaredMenu[]): Promise<void> {
  await db.asPlatform('the menu belongs to the platform and is seeded before anyone signs in', async () => {
    const seeded = new Set((await rowsOf<{ code: string }>(db, sql`select code from seeded_menu`)).map(({ code }) => code));
    for (const entry of declared) {
      if (!seeded.has(entry.code)) await seedOne(db, entry);
    }
    await nameInEnglish(db, declared);
  });
}

/** The ledger's primary key settles who seeds when two replicas start at once. */
async function seedOne(db: Database, { plugin, code, under = '', ...entry }: DeclaredMenu): Promise<void> {
  const claimed = await rowsOf<{ menuId: string }>(
    db,
    sql`insert into seeded_menu (code, plugin_id, menu_id) values (${code}, ${plugin}, next_id()) on conflict (code) do nothing returning menu_id::text as "menuId"`,
  );
  const [claim] = claimed;
  if (!claim) return;
  await db.sql.execute(sql`
    insert into menu (id, parent_id, code, name, name_en, alias, path, source, sort, category, action)
    values (
      ${claim.menuId},
      coalesce((select m.id from seeded_menu s join menu m on m.id = s.menu_id where s.code = ${under} and m.is_deleted = 0), 0),
      ${code}, ${entry.title[0]}, ${entry.title[1]}, ${entry.alias}, ${entry.path}, ${entry.icon}, ${entry.sort}, ${entry.category}, ${entry.action}
    )`);
}

/** Rows from before there was an English name take the contract's, unless an administrator has called them something else. */
async function nameInEnglish(db: Database, declared: readonly DeclaredMenu[]): Promise<void> {
  const nameless = await rowsOf<{ id: string; code: string; name: string }>(
    db,
    sql`select m.id::text as id, s.code, m.name from seeded_menu s join menu m on m.id = s.menu_id where m.name_en is null`,
  );
  const titles = new Map(declared.map(({ code, title }) => [code, title]));
  for (const { id, code, name } of nameless) {
    const title = titles.get(code);
    if (title && title[0] === name) await db.sql.execute(sql`update menu set name_en = ${title[1]} where id = ${id} and name_en is null`);
  }
}
