import { and, sql } from 'drizzle-orm';
import { notDeleted, queryRows, type ServerContext, tableOf } from '#server';
import { Dict } from '../contract.ts';
import type { Dictionaries } from '../server-extension.ts';
import { isHead } from './dictionaries.ts';

const dicts = tableOf(Dict);

/** Dictionaries as other plugins reach them. */
export class SharedDictionaries implements Dictionaries {
  constructor(private readonly db: ServerContext['db']) {}

  async codes(): Promise<Set<string>> {
    const where = and(isHead(Dict), notDeleted(dicts));
    const rows = await this.db.sql.selectDistinct({ code: dicts.code }).from(dicts).where(where);
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
