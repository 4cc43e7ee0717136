import { type SQL, sql } from 'drizzle-orm';
import {
  crudRoutes,
  type Database,
  Deployment,
  invalidatePrincipals,
  isActive,
  nodesOf,
  type PluginRoute,
  queryRows,
  repositoryOf,
  route,
  type ServerContext,
  tableOf,
} from '#server';
import { Menu } from '#shared/menu-entities';
import { menuGroups } from '#shared/menu-groups';
import { packageMenus, TenantPackage, tenantPackage } from '../contract.ts';

const menus = tableOf(Menu);
/** Menu groups are left out while they contain no page. */
const groups: ReadonlySet<string> = new Set(Object.keys(menuGroups));

/** Serves packages and the menu tree they are composed of. Changing a package changes every tenant that has it. */
export function packageRoutes({ db, get }: ServerContext): PluginRoute[] {
  const { platformOnlyCodes } = get(Deployment);
  const packages = repositoryOf(db, TenantPackage, {
    unique: [{ fields: ['packageName'] }],
    async saved({ id }, before) {
      if (!before) return;
      await grantPackages(db, platformOnlyCodes(), sql`t.package_id = ${id}`);
      await invalidatePrincipals(db, { everyone: true });
    },
  });

  return [
    crudRoutes(tenantPackage, packages, { search: { fields: ['packageName', 'remark'], subtitle: ['remark'], actions: { tenant_package_edit: true } } }),
    route(tenantPackage.select, async () => (await packages.list()).map(({ id, packageName }) => ({ id, packageName }))),
    route(packageMenus, async ({ language }) => {
      const { id, parentId, code, name, nameEn, sort } = menus;
      const rows = await db.sql.select({ id, parentId, code, name, nameEn }).from(menus).where(isActive(menus)).orderBy(sort, id);
      const withheld = platformOnlyCodes();
      const offered = rows.filter((row) => !withheld.has(row.code)).map((row) => ({ ...row, title: language === 'en' ? row.nameEn || row.name : row.name }));
      const parents = new Set(offered.map(({ parentId }) => parentId));
      return nodesOf(
        offered.filter((row) => parents.has(row.id) || !groups.has(row.code)),
        'title',
      );
    }),
  ];
}

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
