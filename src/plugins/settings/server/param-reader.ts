import { and, eq, sql } from 'drizzle-orm';
import { Deployment, isActive, queryRows, repositoryOf, type ServerContext, tableOf } from '#server';
import { failCount } from '#shared/kernel-parameters';
import type { Parameter } from '#shared/parameters';
import { Param } from '../param-contract.ts';

const params = tableOf(Param);

/** Returns a function that reads the stored value of a parameter. */
export function paramReader({ db }: Pick<ServerContext, 'db'>): (key: string) => Promise<string | undefined> {
  return (key) =>
    db.asPlatform('reads parameters before sign-in', async () => {
      const rows = await db.sql
        .select({ value: params.paramValue })
        .from(params)
        .where(and(eq(params.paramKey, key), isActive(params)));
      return rows[0]?.value;
    });
}

/** Seeds the parameter of failed sign-ins with its default value, and adds missing English names to stored parameters. It has no remark, because the settings page explains it in both languages. */
export async function seedParams({ db, get }: ServerContext): Promise<void> {
  await addEnglishNames(db, get(Deployment).parameters());
  const { key, title, preset } = failCount;
  const row = { paramName: title[0], paramNameEn: title[1], paramKey: key, paramValue: String(preset) };
  const existing = await queryRows(db, sql`select from param where param_key = ${key}`);
  if (existing.length === 0) await repositoryOf(db, Param).save(row);
}

/** Adds the English name of declared parameters to rows from older versions that still have the declared name. */
async function addEnglishNames(db: ServerContext['db'], declared: readonly Parameter[]): Promise<void> {
  const names = declared.map(({ key, title: [name, english] }) => ({ key, name, english }));
  await db.sql.execute(
    sql`update param p set param_name_en = declared.english from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as declared(key text, name text, english text)
        where (p.param_key = declared.key or starts_with(p.param_key, declared.key || '.')) and p.param_name = declared.name and p.param_name_en is null`,
  );
}
