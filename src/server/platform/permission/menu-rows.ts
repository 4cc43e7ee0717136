import { sql } from 'drizzle-orm';
import type { MenuItem } from '#shared/menus';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { treeOf } from '#shared/tree';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

/** One row of the menu table. */
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
  /** For a button: 0 for none, 1 for toolbar, 2 for row, 3 for both. */
  readonly action: number;
  readonly isOpen: number;
  readonly keepAlive: number;
  readonly remark: string | null;
  /** Code under which the row was seeded; null if an administrator added it. */
  readonly seededAs: string | null;
}

/** The menu, with the rows granted to some roles. */
export interface GrantedRows {
  readonly rows: readonly MenuRow[];
  readonly granted: ReadonlySet<string>;
  /** Ids of the menu rows in the tenant's package; undefined for a tenant without one. */
  readonly packaged: ReadonlySet<string> | undefined;
}

interface CachedMenuRows {
  /** Change counter of the table when it was read. */
  readonly changes: string;
  readonly rows: readonly MenuRow[];
}

const changes = sql`(select (kept_count('menu', true))[2]::text)`;

/** Caches the menu's rows: the table counts its changes, so one small query keeps the cache current on every replica. */
export class MenuRows {
  private cached: CachedMenuRows | undefined;

  /** Reads the menu and the rows granted to roles. Call it inside `read`. */
  async grantedTo(db: Database, tenantId: string, roleIds: readonly string[]): Promise<GrantedRows> {
    const [now] = await queryRows<{ changes: string; granted: string[]; packaged: string[] | null }>(
      db,
      sql`select ${changes} as changes,
            array(select distinct rm.menu_id::text from role_menu rm where rm.role_id = any(${`{${roleIds.join(',')}}`}::bigint[])) as granted,
            (select p.menu_id from tenant t join tenant_package p on p.id = t.package_id where t.tenant_id = ${tenantId} and t.is_deleted = 0) as packaged`,
    );
    if (!now || now.changes !== this.cached?.changes) this.cached = await this.read(db);
    return { rows: this.cached.rows, granted: new Set(now?.granted), packaged: now?.packaged ? withAncestors(this.cached.rows, now.packaged) : undefined };
  }

  private async read(db: Database): Promise<CachedMenuRows> {
    const rows = await queryRows<MenuRow & { changes: string }>(
      db,
      sql`select m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.alias, coalesce(m.path, '') as path, m.query, coalesce(m.source, '') as source, m.sort, m.category, m.action,
            m.is_open as "isOpen", m.keep_alive as "keepAlive", m.remark, s.code as "seededAs", ${changes} as changes
          from menu m left join seeded_menu s on s.menu_id = m.id
          where m.is_deleted = 0
          order by m.sort, m.id`,
    );
    return { changes: rows[0]?.changes ?? '', rows: rows.map(({ changes: _changes, ...row }) => row) };
  }
}

/** Adds the ancestors of each id. */
function withAncestors(rows: readonly MenuRow[], ids: readonly string[]): ReadonlySet<string> {
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]));
  const all = new Set<string>();
  for (const id of ids) {
    for (let next: string | undefined = id; next && !all.has(next); next = parents.get(next)) all.add(next);
  }
  return all;
}

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

/** Returns the title of a row in both languages; without an English name both are the same. */
export const titleOfMenu = ({ name, nameEn }: Pick<MenuRow, 'name' | 'nameEn'>): LocalizedText => [name, nameEn || name];

/** Builds the tree of the wire format; a row without its parent becomes a root. */
export const menuTree = (rows: readonly MenuRow[], language: Language): MenuItem[] =>
  treeOf<MenuItem>(rows.map((row) => itemOf(row, language))).map((item) => ({ ...item, parentId: '0' }));

function itemOf({ seededAs: _seededAs, nameEn, query, ...row }: MenuRow, language: Language): MenuItem {
  const title = titleOfMenu({ name: row.name, nameEn });
  return { ...row, ...(query ? { query: Object.fromEntries(new URLSearchParams(query)) } : {}), name: localize(title, language), words: title };
}
