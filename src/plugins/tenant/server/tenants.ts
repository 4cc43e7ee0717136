import { and, eq, sql } from 'drizzle-orm';
import { Dictionaries } from '#plugins/dictionary/server-extension';
import {
  ApiError,
  type CallRequest,
  crudRoutes,
  type Database,
  Deployment,
  generatedPassword,
  hasId,
  invalidatePrincipals,
  isActive,
  Passwords,
  type PluginRoute,
  platformTenant,
  problems,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  type SearchedFields,
  type ServerContext,
  tableOf,
} from '#server';
import type { Entity } from '#shared/contract';
import { initialPasswordDays } from '#shared/kernel-parameters';
import { type TenantHolding, TenantHoldings } from '#shared/tenant-holdings';
import { isEmpty } from '#shared/text';
import { deletedTenants, Tenant, type TenantRow, tenant, tenantPackage, tenantProblems, tenantStatus } from '../contract.ts';
import { defaultAccountQuota, defaultMenus } from '../parameter-contract.ts';
import { grantPackages, grantWithoutPackage } from './packages.ts';
import { firstAccount, seedTenant } from './seed-tenant.ts';

const tenantTable = tableOf(Tenant);
const unlimited = -1;

/** Fields by which tenants are found. */
const tenantSearch: SearchedFields<typeof Tenant> = {
  fields: ['tenantName', 'tenantId', 'linkman', 'contactNumber'],
  subtitle: ['tenantId', 'linkman'],
  actions: { tenant_edit: true },
};

/** Serves tenants. The platform has no expiry, quota or package and cannot be deleted. */
export function tenantRoutes(context: ServerContext): PluginRoute[] {
  const { db, parameters, get } = context;
  const { platformOnlyCodes } = get(Deployment);
  const passwords = get(Passwords);
  const tenants = tenantsOf(context);
  const dictionaries = context.find(Dictionaries);
  const deleted = deletedOf(db);

  const idOf = async (tenantId: string): Promise<string> => {
    const found = await tenants.find({ tenantId });
    if (!found) throw new ApiError(problems.notFound);
    return found.id;
  };

  return [
    crudRoutes(tenant, tenants, { search: tenantSearch }),
    route(
      tenant.submit,
      async ({ input, prepared }) => {
        if (!prepared) return tenants.save(input);
        const quota = input.accountNumber ?? (await parameters.integer(defaultAccountQuota));
        const row = await tenants.save({ ...input, accountNumber: quota });
        const roleId = await seedTenant(db, row, { hash: prepared.hash, days: await parameters.integer(initialPasswordDays) });
        await dictionaries?.copyTo(row.tenantId);
        if (row.packageId) await grantPackages(db, platformOnlyCodes(), sql`t.id = ${row.id}`);
        else await db.write({ tenantId: row.tenantId }, async () => grantWithoutPackage(db, roleId, platformOnlyCodes(), await defaultMenuCodes(parameters)));
        return { ...row, account: firstAccount, password: prepared.password };
      },
      {
        noStore: true,
        async prepare({ input }: CallRequest<typeof tenant.submit>) {
          if (!isEmpty(input.id)) return undefined;
          const password = generatedPassword();
          return { password, hash: await passwords.hash(passwords.read(password)) };
        },
      },
    ),
    route(tenant.restore, ({ input }) => restore(context, input.ids)),
    route(tenant.select, async () => (await tenants.list()).map(({ id, tenantId, tenantName }) => ({ id, tenantId, tenantName }))),
    route(tenant.setting, async ({ input: { ids, ...values } }) => {
      for (const id of new Set(ids)) await tenants.save({ id, ...values });
    }),
    route(tenant.suspend, ({ input }) => suspend(context, input.ids)),
    route(tenant.resume, ({ input }) => resume(context, input.ids)),
    route(tenant.holdings, async ({ input }) => holdingsOf(context, await tenants.detail(input.id))),
    route(tenant.datasource, async ({ input: { tenantId, datasourceId = null } }) => {
      await tenants.save({ id: await idOf(tenantId), datasourceId });
    }),
    route(tenant.datasources, async () => ((await datasourcesOf(db)?.list()) ?? []).map(({ id, name }) => ({ id: String(id), name: String(name) }))),
    route(tenant.packageDetail, async ({ input }) => {
      const packageId = (await tenants.find({ id: input.tenantId }))?.packageId;
      return packageId ? ((await repositoryOf(db, tenantPackage.entity).find({ id: packageId })) ?? {}) : {};
    }),
    route(tenant.packageSetting, async ({ input: { tenantId, packageId = null } }) => {
      await tenants.save({ id: await idOf(tenantId), packageId });
    }),
    route(deletedTenants.list, ({ input }) => deleted.page(input)),
  ];
}

/** The view of deleted tenants has no stored row count; any condition makes its list count the rows. */
const deletedOf = (db: Database) => repositoryOf(db, deletedTenants.entity, { where: () => sql`true` });

async function defaultMenuCodes(parameters: ServerContext['parameters']): Promise<string[]> {
  const text = await parameters.text(defaultMenus);
  return text.split(',').flatMap((code) => code.trim() || []);
}

function tenantsOf({ db, get }: ServerContext): Repository<typeof Tenant> {
  const { platformOnlyCodes } = get(Deployment);
  return repositoryOf(db, Tenant, {
    unique: [{ fields: ['tenantName'] }, { fields: ['domain'] }],
    complete: ({ accountNumber }) => (accountNumber === null ? { accountNumber: unlimited } : {}),
    async beforeSave(form, before) {
      const isLimited = form.expireTime || form.packageId || (form.accountNumber ?? -1) > 0;
      if (before?.tenantId === platformTenant && isLimited) throw new ApiError(tenantProblems.platformProtected);
      if (form.packageId && form.packageId !== before?.packageId) await assertExists(repositoryOf(db, tenantPackage.entity), form.packageId, 'packageId');
      if (form.datasourceId && form.datasourceId !== before?.datasourceId) await assertExists(datasourcesOf(db), form.datasourceId, 'datasourceId');
    },
    beforeRemove(rows) {
      if (rows.some(({ tenantId }) => tenantId === platformTenant)) throw new ApiError(tenantProblems.platformProtected);
    },
    async saved({ id, tenantId, packageId }, before) {
      if (before && packageId && packageId !== before.packageId) await grantPackages(db, platformOnlyCodes(), sql`t.id = ${id}`);
      await invalidatePrincipals(db, { tenantId });
    },
    async removed(rows) {
      for (const { tenantId } of rows) await invalidatePrincipals(db, { tenantId });
    },
  });
}

/** Returns the repository of data sources, or `undefined` when no running plugin provides them. */
function datasourcesOf(db: Database): Repository<Entity> | undefined {
  const entity = db.entities.get('datasource');
  return entity && repositoryOf(db, entity);
}

async function assertExists(rows: Pick<Repository<Entity>, 'find'> | undefined, id: string, name: string): Promise<void> {
  if (!(await rows?.find({ id }))) throw new ApiError(problems.wrongParameter, { name }, { field: name });
}

/** Restores all of the tenants or none. Deleting a tenant leaves its data untouched, so restoring the row is enough. */
async function restore({ db }: ServerContext, ids: readonly string[]): Promise<void> {
  const deleted = deletedOf(db);
  for (const id of new Set(ids)) {
    const [row] = await deleted.list(eq(deleted.table.id, id));
    if (!row) throw new ApiError(tenantProblems.restoreExpired);
    await db.sql.update(tenantTable).set({ isDeleted: 0, updateTime: sql`now()` }).where(eq(tenantTable.id, id));
    await invalidatePrincipals(db, { tenantId: row.tenantId });
  }
}

/** Suspends tenants and ends the sessions of their users on all replicas; suspending the platform is refused. */
async function suspend({ db }: Pick<ServerContext, 'db'>, ids: readonly string[]): Promise<void> {
  const tenantIds = await setStatus(db, ids, tenantStatus.suspended);
  if (tenantIds.includes(platformTenant)) throw new ApiError(tenantProblems.platformSuspended);
  await db.asPlatform('ends sessions of suspended tenants', async () => {
    for (const tenantId of tenantIds) {
      await queryRows(db, sql`update session set revoked_at = now(), reason = 'tenant-suspended' where tenant_id = ${tenantId} and revoked_at is null`);
      await invalidatePrincipals(db, { tenantId, reason: 'tenant-suspended' });
    }
  });
}

/** Reactivates suspended tenants; their users have to sign in again. */
async function resume({ db }: Pick<ServerContext, 'db'>, ids: readonly string[]): Promise<void> {
  for (const tenantId of await setStatus(db, ids, tenantStatus.active)) await invalidatePrincipals(db, { tenantId });
}

async function setStatus(db: ServerContext['db'], ids: readonly string[], status: TenantRow['status']): Promise<string[]> {
  const where = and(hasId(tenantTable, ids), isActive(tenantTable));
  const updateTime = sql`now()`;
  const rows = await db.sql.update(tenantTable).set({ status, updateTime }).where(where).returning({ tenantId: tenantTable.tenantId });
  return rows.map(({ tenantId }) => tenantId);
}

/** Counts what a tenant has: its users, and the rows that other plugins count. */
async function holdingsOf({ db, applyFilters }: Pick<ServerContext, 'db' | 'applyFilters'>, { tenantId }: TenantRow): Promise<TenantHolding[]> {
  return db.asPlatform('counts the rows of a tenant for the platform', async () => {
    const [users] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from user_account where tenant_id = ${tenantId} and is_deleted = 0`,
    );
    const { holdings } = await applyFilters(TenantHoldings, { tenantId, holdings: [{ title: ['用户', 'Users'], count: users?.count ?? 0 }] });
    return [...holdings];
  });
}
