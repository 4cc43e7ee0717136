import { sql } from 'drizzle-orm';
import { ApiError, crudRoutes, Deployment, invalidatePrincipals, nodesOf, type PluginRoute, queryRows, repositoryOf, route, type ServerContext } from '#server';
import { menuGroups } from '#shared/menu-groups';
import { packageMenus, TenantPackage, tenantPackage, tenantProblems } from '../contract.ts';
import { grantPackages } from './grants.ts';

/** Menu groups are left out while they contain no page. */
const groups: ReadonlySet<string> = new Set(Object.keys(menuGroups));

/** Serves packages and the menu tree they are composed of. Changing a package changes every tenant that has it. */
export function packageRoutes({ db, get }: ServerContext): PluginRoute[] {
  const { platformOnly } = get(Deployment);
  const packages = repositoryOf(db, TenantPackage, {
    unique: [{ fields: ['packageName'] }],
    async beforeRemove(rows) {
      for (const { id } of rows) await refuseInUse(id);
    },
    async saved({ id }, before) {
      if (!before) return;
      await grantPackages(db, platformOnly(), sql`t.package_id = ${id}`);
      await invalidatePrincipals(db, { everyone: true });
    },
  });

  async function refuseInUse(id: string): Promise<void> {
    const users = await queryRows<{ name: string }>(
      db,
      sql`select tenant_name as name from tenant where package_id = ${id}::bigint and is_deleted = 0 order by id limit 3`,
    );
    if (users.length > 0) throw new ApiError(tenantProblems.packageInUse, { name: users.map(({ name }) => name).join(', ') });
  }

  return [
    crudRoutes(tenantPackage, packages),
    route(tenantPackage.select, async () => (await packages.list()).map(({ id, packageName }) => ({ id, packageName }))),
    route(packageMenus, async ({ language }) => {
      const rows = await queryRows<{ id: string; parentId: string; code: string; name: string; nameEn: string | null }>(
        db,
        sql`select id::text as id, parent_id::text as "parentId", code, name, name_en as "nameEn" from menu where is_deleted = 0 order by sort, id`,
      );
      const withheld = platformOnly();
      const offered = rows.filter((row) => !withheld.has(row.code)).map((row) => ({ ...row, title: language === 'en' ? row.nameEn || row.name : row.name }));
      const parents = new Set(offered.map(({ parentId }) => parentId));
      return nodesOf(
        offered.filter((row) => parents.has(row.id) || !groups.has(row.code)),
        'title',
      );
    }),
  ];
}
