import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import type { Dictionaries } from '../server-extension.ts';

/** Dictionaries as other plugins reach them. */
export class SharedDictionaries implements Dictionaries {
  constructor(private readonly db: ServerContext['db']) {}

  async codes(): Promise<Set<string>> {
    const rows = await queryRows<{ code: string }>(this.db, sql`select distinct code from dict where parent_id = 0 and is_deleted = 0`);
    return new Set(rows.map(({ code }) => code));
  }

  async copyTo(tenantId: string): Promise<void> {
    await this.db.asPlatform('a new tenant begins with the business dictionaries of the platform', () =>
      queryRows(
        this.db,
        sql`with given as materialized (select next_id() as new_id, d.* from dict_biz d where d.tenant_id = '000000' and d.is_deleted = 0)
            insert into dict_biz (id, tenant_id, parent_id, code, dict_key, dict_value, tone, sort, is_sealed, remark)
            select g.new_id, ${tenantId}, coalesce(above.new_id, 0), g.code, g.dict_key, g.dict_value, g.tone, g.sort, g.is_sealed, g.remark
            from given g left join given above on above.id = g.parent_id`,
      ),
    );
  }
}
