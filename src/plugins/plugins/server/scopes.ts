import { sql } from 'drizzle-orm';
import { ApiError, findTyped, type Principal, platformTenant, queryRows, type ServerContext, wholeDeployment } from '#server';
import { pluginProblems } from '../contract.ts';

const maxTenants = 50;

/** Tells whether the user decides for all tenants. */
export const isPlatformAdministrator = ({ tenantId, roles }: Principal): boolean => tenantId === platformTenant && roles.includes('administrator');

/** Returns the scope of a call, by default the caller's own tenant. Refuses tenants the caller does not decide for. */
export async function scopeFor(db: ServerContext['db'], principal: Principal, scope = principal.tenantId): Promise<string> {
  if (scope === principal.tenantId) return scope;
  if (!isPlatformAdministrator(principal)) throw new ApiError(pluginProblems.platformOnly);
  if (scope === wholeDeployment) return scope;
  const tenantRows = await queryRows(db, sql`select from tenant where tenant_id = ${scope} and is_deleted = 0`);
  if (tenantRows.length === 0) throw new ApiError(pluginProblems.unknownTenant, {}, { field: 'place' });
  return scope;
}

/** Lists tenants whose name or code contains the text, its pinyin or its initials. */
export async function findTenants(db: ServerContext['db'], principal: Principal, name: string): Promise<{ id: string; name: string }[]> {
  if (!isPlatformAdministrator(principal)) throw new ApiError(pluginProblems.platformOnly);
  return findTyped(db, { entity: 'tenant', as: 'tenant', fields: ['tenantName', 'tenantId'], text: name, limit: maxTenants }, (isFound) =>
    queryRows<{ id: string; name: string }>(
      db,
      sql`select tenant_id as id, tenant_name as name from tenant where is_deleted = 0 and ${isFound} order by tenant_name limit ${maxTenants}`,
    ),
  );
}
