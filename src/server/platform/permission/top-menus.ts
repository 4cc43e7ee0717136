import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

/** One row of the top menu table, with all menus that belong to it. */
export interface TopMenuRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nameEn: string | null;
  readonly source: string;
  readonly path: string;
  readonly sort: number;
  readonly menuIds: readonly string[];
}

/** Lists every top menu in order. Call it inside `read`. */
export function topMenuRows(db: Database): Promise<TopMenuRow[]> {
  return queryRows<TopMenuRow>(
    db,
    sql`select t.id::text as id, t.code, t.name, t.name_en as "nameEn", coalesce(t.source, '') as source, coalesce(t.path, '') as path, t.sort,
          array(select tm.menu_id::text from top_menu_menu tm where tm.top_menu_id = t.id order by tm.menu_id) as "menuIds"
        from top_menu t where t.is_deleted = 0 order by t.sort, t.id`,
  );
}
