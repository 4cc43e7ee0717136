import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';

/** Converts codes to a JSON array, which PostgreSQL searches with `?`. */
const jsonArray = (codes: Iterable<string>) => sql`${JSON.stringify([...codes])}::jsonb`;

/** Grants the administrator roles of the tenants matching `which` (table alias `t`) all menus of their package, so that they can grant them to others. */
export async function grantPackages(db: Database, withheld: ReadonlySet<string>, which: SQL): Promise<void> {
  await db.asPlatform('grants additions of a package to the administrators of its tenants', () =>
    queryRows(
      db,
      sql`insert into role_menu (tenant_id, role_id, menu_id)
          select r.tenant_id, r.id, m.id
          from tenant t
          join tenant_package p on p.id = t.package_id
          join role r on r.tenant_id = t.tenant_id and r.role_alias = 'admin' and r.is_deleted <> 1
          join menu m on m.is_deleted = 0 and p.menu_id ? m.id::text and not ${jsonArray(withheld)} ? m.code
          where t.is_deleted = 0 and ${which}
          on conflict do nothing`,
    ),
  );
}

/** Grants the first administrator role of a tenant without a package the named pages and all below them, or all pages when none are named. Call within `write` for that tenant. */
export async function grantWithoutPackage(db: Database, roleId: string, withheld: ReadonlySet<string>, codes: readonly string[]): Promise<void> {
  await queryRows(
    db,
    sql`with recursive chosen as (
          select m.id from menu m where m.is_deleted = 0 and (${codes.length === 0}::boolean or ${jsonArray(codes)} ? m.code)
          union
          select m.id from menu m join chosen c on m.parent_id = c.id where m.is_deleted = 0
        )
        insert into role_menu (role_id, menu_id)
        select ${roleId}::bigint, m.id from menu m join chosen c on c.id = m.id where not ${jsonArray(withheld)} ? m.code`,
  );
}
