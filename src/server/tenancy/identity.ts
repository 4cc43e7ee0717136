/** The database role whose rows are narrowed to one tenant; it owns nothing and cannot bypass row level security. */
export const tenantRole = 'marquee_tenant';

/** The tenant that runs the deployment; it alone writes the platform's tables. */
export const platformTenant = '000000';

/** On whose behalf a connection speaks: one tenant, or the platform itself (`undefined`), which sees all. */
export interface Identity {
  readonly tenantId: string | undefined;
}

/** The platform itself. */
export const platform: Identity = { tenantId: undefined };

/** One tenant; a text that cannot be a tenant's id is refused before it reaches any SQL. */
export function tenant(tenantId: string): Identity {
  if (!/^[\w-]{1,12}$/.test(tenantId)) throw new Error(`Not a tenant id: ${JSON.stringify(tenantId)}`);
  return { tenantId };
}

/** The statement after which a connection speaks for `identity`. Rolled back with the transaction it is part of. */
export function becoming({ tenantId }: Identity): string {
  const role = tenantId === undefined ? 'none' : tenantRole;
  return `select set_config('app.tenant', '${tenantId ?? ''}', false), set_config('role', '${role}', false)`;
}
