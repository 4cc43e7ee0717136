import { and, eq } from 'drizzle-orm';
import { notDeleted, repositoryOf, type ServerContext, tableOf } from '#server';
import { Param } from '../param-contract.ts';

const params = tableOf(Param);

/** Reads a parameter's stored value for the server. */
export function paramReader({ db }: Pick<ServerContext, 'db'>): (key: string) => Promise<string | undefined> {
  return (key) =>
    db.asPlatform('reads parameters before sign-in', async () => {
      const rows = await db.sql
        .select({ value: params.paramValue })
        .from(params)
        .where(and(eq(params.paramKey, key), notDeleted(params)));
      return rows[0]?.value;
    });
}

/** Seeds the parameters the server reads, with their default values. */
export async function seedParams({ db }: ServerContext): Promise<void> {
  const seeded = { paramName: '登录失败锁定次数', paramKey: 'account.failCount', paramValue: '5', remark: '连续登录失败达到此次数后，账号锁定30分钟' };
  await repositoryOf(db, Param).save(seeded);
}
