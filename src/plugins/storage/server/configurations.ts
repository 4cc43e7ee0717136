import { and, eq, ne, sql } from 'drizzle-orm';
import { ApiError, EgressError, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { FormOf } from '#shared/contract';
import { Oss, type OssRow, ossProblems, ossStatus } from '../contract.ts';
import { nameOf } from './configured-stores.ts';

/** Repository of file stores. A store that contains files keeps its bucket and cannot be deleted, and neither can an enabled one. */
export function configurationsOf({ db, egress }: Pick<ServerContext, 'db' | 'egress'>): Repository<typeof Oss> {
  async function refuseWhileKeeping(row: OssRow): Promise<void> {
    const [kept] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from stored_file where store = ${nameOf(row)}`);
    if (kept && kept.count > 0) throw new ApiError(ossProblems.hasFiles, { count: kept.count });
  }

  function refuseEndpoint(field: 'endpoint' | 'transformEndpoint', value: string | null | undefined): void {
    if (!value) return;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
    if (!isPlain) throw new ApiError(ossProblems.wrongEndpoint, {}, { field });
    try {
      egress.check(url);
    } catch (error) {
      throw error instanceof EgressError ? new ApiError(ossProblems.privateEndpoint, {}, { field, cause: error }) : error;
    }
  }

  return repositoryOf(db, Oss, {
    unique: [{ fields: ['ossCode'] }],
    async beforeSave(form: FormOf<typeof Oss>, before) {
      refuseEndpoint('endpoint', form.endpoint);
      refuseEndpoint('transformEndpoint', form.transformEndpoint);
      const moves = before && (['category', 'bucketName', 'appId'] as const).some((field) => field in form && form[field] !== before[field]);
      if (moves) await refuseWhileKeeping(before);
    },
    async beforeRemove(rows) {
      if (rows.some(({ status }) => status === ossStatus.enabled)) throw new ApiError(ossProblems.isEnabled);
      for (const row of rows) await refuseWhileKeeping(row);
    },
  });
}

/** Stores the tenant's new files there from now on; of two concurrent calls the last one wins. */
export async function enable(db: ServerContext['db'], id: string): Promise<void> {
  await db.lock(`oss ${db.scope?.tenantId}`);
  const stores = tableOf(Oss);
  const isEnabled = and(eq(stores.status, ossStatus.enabled), ne(stores.id, id), eq(stores.isDeleted, 0));
  await db.sql.update(stores).set({ status: ossStatus.off }).where(isEnabled);
  await db.sql
    .update(stores)
    .set({ status: ossStatus.enabled })
    .where(and(eq(stores.id, id), eq(stores.isDeleted, 0)));
}
