/** Database role restricted to the rows of one tenant; it owns nothing and cannot bypass row level security. */
export const tenantRole = 'marquee_tenant';

/** Tenant that operates the deployment; only it may write the platform's tables. */
export const platformTenant = '000000';

/** Identity of a connection: one tenant, or the platform (`undefined`), which accesses all tenants. */
export interface Identity {
  readonly tenantId: string | undefined;
}

/** Identity of the platform. */
export const platform: Identity = { tenantId: undefined };

/** Tests whether a text is a valid tenant id; such a text is safe in any SQL. */
export const isTenantId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,12}$/.test(value);

/** Creates the identity of a tenant; throws for an invalid id before it reaches any SQL. */
export function tenant(tenantId: string): Identity {
  if (!isTenantId(tenantId)) throw new Error(`Not a tenant id: ${JSON.stringify(tenantId)}`);
  return { tenantId };
}

/** Builds the statement that sets the identity of a connection, or of its transaction only. A rollback of the transaction reverts it. */
export function setTenantStatement(identity: Identity, reach: 'connection' | 'transaction' = 'connection'): string {
  const isLocal = reach === 'transaction';
  return `select set_config('app.tenant', '${identity.tenantId ?? ''}', ${isLocal}), set_config('role', '${roleOf(identity)}', ${isLocal})`;
}

/** Returns the database role of an identity: that of tenants, whose rows policies select, or `none` for the login. */
export const roleOf = ({ tenantId }: Identity): string => (tenantId === undefined ? 'none' : tenantRole);
