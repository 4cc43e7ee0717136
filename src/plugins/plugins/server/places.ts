import { sql } from 'drizzle-orm';
import { ApiError, type Principal, queryRows, type ServerContext, wholeDeployment } from '#server';
import { pluginProblems } from '../contract.ts';

const platformTenant = '000000';
const mostTenants = 50;

/** Tells whether the user decides for all tenants. */
export const isPlatformAdministrator = ({ tenantId, roles }: Principal): boolean => tenantId === platformTenant && roles.includes('administrator');

/** Returns the scope of a call, by default the caller's own tenant. Refuses tenants the caller does not decide for. */
export async function placeFor(db: ServerContext['db'], principal: Principal, place = principal.tenantId): Promise<string> {
  if (place === principal.tenantId) return place;
  if (!isPlatformAdministrator(principal)) throw new ApiError(pluginProblems.notYours);
  if (place === wholeDeployment) return place;
  const known = await queryRows(db, sql`select from tenant where tenant_id = ${place} and is_deleted = 0`);
  if (known.length === 0) throw new ApiError(pluginProblems.unknownTenant, {}, { field: 'place' });
  return place;
}

/** Lists tenants whose name or code contains the text. */
export async function tenantsNamed(db: ServerContext['db'], principal: Principal, name: string): Promise<{ id: string; name: string }[]> {
  if (!isPlatformAdministrator(principal)) throw new ApiError(pluginProblems.notYours);
  return queryRows<{ id: string; name: string }>(
    db,
    sql`select tenant_id as id, tenant_name as name from tenant
        where is_deleted = 0 and position(lower(${name}) in lower(tenant_name || ' ' || tenant_id)) > 0 order by tenant_name limit ${mostTenants}`,
  );
}
