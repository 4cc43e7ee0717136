import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** Active tenant with a domain of its own. */
export interface TenantOfHost {
  readonly tenantId: string;
  readonly domain: string;
  readonly backgroundUrl: string | null;
}

/** Finds the active tenant whose domain is this host, in lower case. */
export async function tenantOfHost(db: Database, host: string): Promise<TenantOfHost | undefined> {
  const [found] = await db.asPlatform('finds the tenant of an address before sign-in', () =>
    queryRows<TenantOfHost>(
      db,
      sql`select tenant_id as "tenantId", domain, background_url as "backgroundUrl" from tenant
          where domain is not null and is_deleted = 0 and status = 1 and (expire_time is null or expire_time > now())
            and split_part(regexp_replace(lower(domain), '^https?://', ''), '/', 1) = ${host} order by id limit 1`,
    ),
  );
  return found;
}
