import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

/** One row of the menu as the table holds it. */
export interface MenuRow {
  readonly id: string;
  readonly parentId: string;
  readonly code: string;
  readonly name: string;
  readonly nameEn: string | null;
  readonly alias: string;
  readonly path: string;
  readonly query: string | null;
  readonly source: string;
  readonly sort: number;
  readonly category: number;
  readonly isOpen: number;
  readonly keepAlive: number;
  readonly remark: string | null;
  /** The code under which it was seeded; null for what an administrator added. */
  readonly seededAs: string | null;
}

/** The menu, and which of it some roles were granted. */
export interface GrantedRows {
  readonly rows: readonly MenuRow[];
  readonly granted: ReadonlySet<string>;
  /** Ids of the menu rows in the tenant's package; undefined for a tenant without one. */
  readonly packaged: ReadonlySet<string> | undefined;
}

interface Kept {
  /** How often the table had changed when it was read. */
  readonly changes: string;
  readonly rows: readonly MenuRow[];
}

const changes = sql`(select (kept_count('menu', true))[2]::text)`;

/** The menu's rows, kept in memory: the table counts its own changes, so an answer costs one small query on every replica and is never old. */
export class MenuRows {
  private kept: Kept | undefined;

  /** Call inside of `read`. */
  async grantedTo(db: Database, tenantId: string, roleIds: readonly string[]): Promise<GrantedRows> {
    const [now] = await rowsOf<{ changes: string; granted: string[]; packaged: string[] | null }>(
      db,
      sql`select ${changes} as changes,
            array(select distinct rm.menu_id::text from role_menu rm where rm.role_id = any(${`{${roleIds.join(',')}}`}::bigint[])) as granted,
            (select p.menu_id from tenant t join tenant_package p on p.id = t.package_id where t.tenant_id = ${tenantId} and t.is_deleted = 0) as packaged`,
    );
    if (!now || now.changes !== this.kept?.changes) this.kept = await this.read(db);
    return { rows: this.kept.rows, granted: new Set(now?.granted), packaged: now?.packaged ? withAncestors(this.kept.rows, now.packaged) : undefined };
  }

  private async read(db: Database): Promise<Kept> {
    const rows = await rowsOf<MenuRow & { changes: string }>(
      db,
      sql`select m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.alias, coalesce(m.path, '') as path, m.query, coalesce(m.source, '') as source, m.sort, m.category,
            m.is_open as "isOpen", m.keep_alive as "keepAlive", m.remark, s.code as "seededAs", ${changes} as changes
          from menu m left join seeded_menu s on s.menu_id = m.id
          where m.is_deleted = 0
          order by m.sort, m.id`,
    );
    return { changes: rows[0]?.changes ?? '', rows: rows.map(({ changes: _changes, ...row }) => row) };
  }
}

/** What stands above a page comes with it. */
function withAncestors(rows: readonly MenuRow[], ids: readonly string[]): ReadonlySet<string> {
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]));
  const all = new Set<string>();
  for (const id of ids) {
    for (let next: string | undefined = id; next && !all.has(next); next = parents.get(next)) all.add(next);
  }
  return all;
}
