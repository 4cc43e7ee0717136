import { sql } from 'drizzle-orm';
import type { MenuItem } from '#shared/menus';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { groupCodes } from './declared-menus.ts';

/** Whose menu is asked for. */
export interface Grantee {
  readonly tenantId: string;
  readonly roleIds: readonly string[];
  readonly roles: readonly string[];
}

interface MenuRow extends MenuItem {
  granted: boolean;
  /** The code under which it was seeded; null for what an administrator added. */
  seededAs: string | null;
}

/** The platform's administrator has everything, asked or not. */
export const isAdministrator = (roles: readonly string[]) => roles.includes('administrator');

/** What of the menu somebody has. Entries of plugins this deployment does not have are not in it; their rows and grants wait for the plugin. */
export class GrantedMenus {
  /** `declared` are the codes of the kernel and of the running plugins. */
  constructor(
    private readonly db: Database,
    private readonly declared: ReadonlySet<string>,
  ) {}

  /** Pages and buttons in one namespace; all that is declared, for an administrator. */
  async codes(grantee: Grantee): Promise<ReadonlySet<string>> {
    const rows = await this.rows(grantee);
    const codes = rows.filter(({ granted }) => granted).map(({ code }) => code);
    return new Set(isAdministrator(grantee.roles) ? [...this.declared, ...codes] : codes);
  }

  /** Pages with all their ancestors, as a tree. */
  async routes(grantee: Grantee): Promise<MenuItem[]> {
    const pages = (await this.rows(grantee)).filter(({ category }) => category === 1);
    const byId = new Map(pages.map((page) => [page.id, page]));
    const shown = new Set<string>();
    for (const page of pages.filter(({ granted, seededAs }) => granted && !isGroup(seededAs))) {
      for (let next: MenuRow | undefined = page; next && !shown.has(next.id); next = byId.get(next.parentId)) shown.add(next.id);
    }
    return treeOf(pages.filter(({ id }) => shown.has(id)));
  }

  /** Buttons under their pages; a page without any is left out, for consoles take a leaf for a permission. */
  async buttons(grantee: Grantee): Promise<MenuItem[]> {
    const rows = await this.rows(grantee);
    const buttons = rows.filter(({ category, granted }) => category === 2 && granted);
    const parents = new Set(buttons.map(({ parentId }) => parentId));
    const pages = rows.filter(({ id, category }) => category === 1 && parents.has(id)).map((page) => ({ ...page, parentId: '0' }));
    return treeOf([...pages, ...buttons]).filter(({ children }) => children);
  }

  private async rows({ tenantId, roleIds, roles }: Grantee): Promise<MenuRow[]> {
    const rows = await this.db.read({ tenantId }, () =>
      rowsOf<MenuRow>(
        this.db,
        sql`select m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.alias, m.path, m.source, m.sort, m.category, m.is_open as "isOpen", m.remark,
              s.code as "seededAs",
              (${isAdministrator(roles)} or exists (select 1 from role_menu rm where rm.menu_id = m.id and rm.role_id = any(${`{${roleIds.join(',')}}`}::bigint[]))) as granted
            from menu m left join seeded_menu s on s.menu_id = m.id
            where m.is_deleted = 0
            order by m.sort, m.id`,
      ),
    );
    return rows.filter(({ seededAs }) => seededAs === null || this.declared.has(seededAs));
  }
}

const isGroup = (seededAs: string | null) => seededAs !== null && groupCodes.has(seededAs);

/** Rows as a tree; one whose parent is not among them stands at the top. */
function treeOf(rows: readonly MenuRow[]): MenuItem[] {
  const items = new Map<string, MenuItem>(rows.map(({ granted: _granted, seededAs: _seededAs, ...item }) => [item.id, item]));
  const top: MenuItem[] = [];
  for (const item of items.values()) {
    const parent = items.get(item.parentId);
    if (parent && parent !== item) {
      parent.children ??= [];
      parent.children.push(item);
    } else {
      item.parentId = '0';
      top.push(item);
    }
  }
  return top;
}
