import { sql } from 'drizzle-orm';
import { signInProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import { platformContact } from '#shared/kernel-parameters';
import type { Parameters } from '../../../base/parameters.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** Rejects a sign-in to a suspended or expired tenant, naming the platform's contact. An unknown tenant passes, because its account is not found anyway. */
export async function assertOpenTenant({ db, parameters }: { readonly db: Database; readonly parameters: Parameters }, tenantId: string): Promise<void> {
  const [tenant] = await db.asPlatform('reads the state of a tenant before sign-in', () =>
    queryRows<{ isSuspended: boolean }>(
      db,
      sql`select status <> 1 as "isSuspended" from tenant
          where tenant_id = ${tenantId} and is_deleted = 0 and (status <> 1 or expire_time <= now())`,
    ),
  );
  if (!tenant) return;
  const contact = (await parameters.text(platformContact)).trim();
  if (tenant.isSuspended) throw new ApiError(contact ? signInProblems.tenantSuspendedContact : signInProblems.tenantSuspended, { contact });
  throw new ApiError(contact ? signInProblems.tenantExpiredContact : signInProblems.tenantExpired, { contact });
}
