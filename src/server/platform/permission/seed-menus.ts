import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { DeclaredMenu } from './declared-menus.ts';

/** Seeds menu entries that were never seeded before; later edits and removals by administrators are preserved. */
export async function seedMenus(db: Database, declared: readonly DeclaredMenu[]): Promise<void> {
  await db.asPlatform('seeds the menu of the platform', async () => {
    const seeded = new Set((await queryRows<{ code: string }>(db, sql`select code from seeded_menu`)).map(({ code }) => code));
    await insertMissing(
      db,
      declared.filter(({ code }) => !seeded.has(code) && seeded.add(code)),
    );
    await addEnglishNames(db, declared);
  });
}

/** Inserts entries. If two replicas start at once, the primary key of `seeded_menu` lets one of them insert an entry. The parent of an entry was seeded before or is part of the same insert. */
async function insertMissing(db: Database, missing: readonly DeclaredMenu[]): Promise<void> {
  if (missing.length === 0) return;
  const rows = missing.map(({ title: [name, nameEn], ...entry }, index) => ({ ...entry, name, nameEn, ordinal: index }));
  await db.sql.execute(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(
        ordinal integer, plugin text, code text, under text, name text, "nameEn" text, alias text, path text, icon text, sort integer, category integer, action integer,
        "grantedWith" text
      )
    ), claimed as (
      insert into seeded_menu (code, plugin_id, menu_id) select code, plugin, next_id() from given order by ordinal
      on conflict (code) do nothing returning code, menu_id
    ), granted as (
      insert into role_menu (tenant_id, role_id, menu_id)
      select rm.tenant_id, rm.role_id, c.menu_id
      from given g join claimed c on c.code = g.code join seeded_menu older on older.code = g."grantedWith" join role_menu rm on rm.menu_id = older.menu_id
    )
    insert into menu (id, parent_id, code, name, name_en, alias, path, source, sort, category, action)
    select c.menu_id,
      coalesce(above.menu_id, (select m.id from seeded_menu s join menu m on m.id = s.menu_id where s.code = g.under and m.is_deleted = 0), 0),
      g.code, g.name, g."nameEn", g.alias, g.path, g.icon, g.sort, g.category, g.action
    from given g join claimed c on c.code = g.code left join claimed above on above.code = g.under
    order by g.ordinal`);
}

/** Brings menu entries that no user has edited up to their declarations, for an author who changes them in development. */
export async function updateSeededMenus(db: Database, declared: readonly DeclaredMenu[]): Promise<void> {
  const rows = declared.map(({ title: [name, nameEn], ...entry }) => ({ ...entry, name, nameEn }));
  await db.asPlatform('brings menu entries up to their declarations', () =>
    db.sql.execute(sql`
      with given as (
        select s.menu_id, coalesce(above.id, 0) as parent_id, g.name, g."nameEn" as name_en, g.path, g.icon, g.sort
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(code text, under text, name text, "nameEn" text, path text, icon text, sort integer)
        join seeded_menu s on s.code = g.code
        left join seeded_menu su on su.code = g.under left join menu above on above.id = su.menu_id and above.is_deleted = 0
      )
      update menu m set parent_id = g.parent_id, name = g.name, name_en = g.name_en, path = g.path, source = g.icon, sort = g.sort
      from given g
      where m.id = g.menu_id and m.is_deleted = 0 and m.update_user is null and m.update_time is null
        and (m.parent_id, m.name, m.name_en, m.path, m.source, m.sort) is distinct from (g.parent_id, g.name, g.name_en, g.path, g.icon, g.sort)`),
  );
}

/** Adds the contract's English name to rows from older versions, unless an administrator has renamed them. */
async function addEnglishNames(db: Database, declared: readonly DeclaredMenu[]): Promise<void> {
  const nameless = await queryRows<{ id: string; code: string; name: string }>(
    db,
    sql`select m.id::text as id, s.code, m.name from seeded_menu s join menu m on m.id = s.menu_id where m.name_en is null`,
  );
  const titles = new Map(declared.map(({ code, title }) => [code, title]));
  for (const { id, code, name } of nameless) {
    const title = titles.get(code);
    if (title && title[0] === name) await db.sql.execute(sql`update menu set name_en = ${title[1]} where id = ${id} and name_en is null`);
  }
}
