import { and, eq } from 'drizzle-orm';
import { notDeleted, type ServerContext, tableOf } from '#server';
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
