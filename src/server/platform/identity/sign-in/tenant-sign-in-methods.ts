import { sql } from 'drizzle-orm';
import type { ReplyOf } from '#shared/contract';
import { noSignInMethods, type SignInOptions, type tenantInfo } from '#shared/sign-in-options';
import { platformTenant } from '../../../data/context/identity.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { SignInMethods } from './sign-in-methods.ts';

const tenantCode = /^[\w-]{1,12}$/;

/** Dependencies of `TenantSignInMethods`. */
export interface TenantSignInMethodsDeps {
  readonly db: Database;
  readonly methods: SignInMethods;
  readonly tenantMode: boolean;
}

/** Finds the tenant of an address, and the sign-in methods of a tenant. Both are public. */
export class TenantSignInMethods {
  constructor(private readonly deps: TenantSignInMethodsDeps) {}

  /** Returns the sign-in methods; an unknown tenant gets those of a tenant without any settings. */
  async forTenant(requestedTenant: string | undefined): Promise<SignInOptions> {
    const { methods, tenantMode } = this.deps;
    const tenantId = requestedTenant && tenantCode.test(requestedTenant) ? requestedTenant : platformTenant;
    return { ...noSignInMethods, ...(await methods.offered(tenantId)), tenantMode };
  }

  /** Finds the tenant by host; the address may include scheme and path. */
  async forAddress(address: string | undefined): Promise<ReplyOf<typeof tenantInfo>> {
    const { db } = this.deps;
    const host = hostOf(address ?? '');
    if (host === '') return {};
    const rows = await db.asPlatform('finds the tenant of an address before sign-in', () =>
      queryRows<{ tenantId: string; domain: string; backgroundUrl: string | null }>(
        db,
        sql`select tenant_id as "tenantId", domain, background_url as "backgroundUrl" from tenant
            where domain is not null and is_deleted = 0 and status = 1 and (expire_time is null or expire_time > now())
              and split_part(regexp_replace(lower(domain), '^https?://', ''), '/', 1) = ${host} order by id limit 1`,
      ),
    );
    const [found] = rows;
    if (!found) return {};
    const { tenantId, domain, backgroundUrl } = found;
    return { tenantId, domain, ...(backgroundUrl ? { backgroundUrl } : {}), ways: await this.forTenant(tenantId) };
  }
}

const hostOf = (address: string) =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/')[0] ?? '';
