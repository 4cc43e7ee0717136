import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '#server';

/** Copies the platform's business dictionaries to a new tenant, which can change them from then on. */
export async function copyDictionaries(db: Database, tenantId: string): Promise<void> {
  if (!db.entities.has('dict_biz')) return;
  await db.asPlatform('copies the business dictionaries of the platform to a new tenant', () =>
    rowsOf(
      db,
      sql`with given as materialized (select next_id() as new_id, d.* from dict_biz d where d.tenant_id = '000000' and d.is_deleted = 0)
          insert into dict_biz (id, tenant_id, parent_id, code, dict_key, dict_value, tone, sort, is_sealed, remark)
          select g.new_id, ${tenantId}, coalesce(above.new_id, 0), g.code, g.dict_key, g.dict_value, g.tone, g.sort, g.is_sealed, g.remark
          from given g left join given above on above.id = g.parent_id`,
    ),
  );
}
