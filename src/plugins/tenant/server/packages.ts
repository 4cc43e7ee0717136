import { sql } from 'drizzle-orm';
import { crudRoutes, Deployment, invalidatePrincipals, nodesOf, notDeleted, type PluginRoute, repositoryOf, route, type ServerContext, tableOf } from '#server';
import { Menu } from '#shared/menu-entities';
import { menuGroups } from '#shared/menu-groups';
import { packageMenus, TenantPackage, tenantPackage } from '../contract.ts';
import { grantPackages } from './grants.ts';

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
      const rows = await db.sql.select({ id, parentId, code, name, nameEn }).from(menus).where(notDeleted(menus)).orderBy(sort, id);
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
