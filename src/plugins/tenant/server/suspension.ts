import { and, sql } from 'drizzle-orm';
import { ApiError, hasId, invalidatePrincipals, notDeleted, platformTenant, queryRows, type ServerContext, tableOf } from '#server';
import { type TenantHolding, TenantHoldings } from '#shared/tenant-holdings';
import { Tenant, type TenantRow, tenantProblems, tenantStatus } from '../contract.ts';

const tenants = tableOf(Tenant);

/** Suspends tenants and ends the sessions of their users on all replicas; suspending the platform is refused. */
export async function suspend({ db }: Pick<ServerContext, 'db'>, ids: readonly string[]): Promise<void> {
  const rows = await setStatus(db, ids, tenantStatus.suspended);
  if (rows.includes(platformTenant)) throw new ApiError(tenantProblems.platformSuspended);
  await db.asPlatform('ends sessions of suspended tenants', async () => {
    for (const tenantId of rows) {
      await queryRows(db, sql`update session set revoked_at = now(), reason = 'tenant-suspended' where tenant_id = ${tenantId} and revoked_at is null`);
      await invalidatePrincipals(db, { tenantId, reason: 'tenant-suspended' });
    }
  });
}

/** Reactivates suspended tenants; their users have to sign in again. */
export async function resume({ db }: Pick<ServerContext, 'db'>, ids: readonly string[]): Promise<void> {
  for (const tenantId of await setStatus(db, ids, tenantStatus.active)) await invalidatePrincipals(db, { tenantId });
}

async function setStatus(db: ServerContext['db'], ids: readonly string[], status: TenantRow['status']): Promise<string[]> {
  const where = and(hasId(tenants, ids), notDeleted(tenants));
  const updateTime = sql`now()`;
  const rows = await db.sql.update(tenants).set({ status, updateTime }).where(where).returning({ tenantId: tenants.tenantId });
  return rows.map(({ tenantId }) => tenantId);
}

/** Counts users, and the holdings other plugins add. */
export async function holdingsOf({ db, applyFilters }: Pick<ServerContext, 'db' | 'applyFilters'>, { tenantId }: TenantRow): Promise<TenantHolding[]> {
  return db.asPlatform('counts the rows of a tenant for the platform', async () => {
    const [users] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from user_account where tenant_id = ${tenantId} and is_deleted = 0`,
    );
    const { holdings } = await applyFilters(TenantHoldings, { tenantId, holdings: [{ title: ['用户', 'Users'], count: users?.count ?? 0 }] });
    return [...holdings];
  });
}
