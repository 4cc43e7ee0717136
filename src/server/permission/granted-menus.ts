import type { MenuItem, TopMenu } from '#shared/menus';
import { type Language, say } from '#shared/text';
import type { Database } from '../db/database.ts';
import { platformTenant } from '../tenancy/identity.ts';
import { groupCodes } from './declared-menus.ts';
import { type MenuRow, MenuRows } from './menu-rows.ts';
import { treeOf, wordsOf } from './menu-tree.ts';
import { topMenuRows } from './top-menus.ts';

/** Whose menu is asked for. */
export interface Grantee {
  readonly tenantId: string;
  readonly roleIds: readonly string[];
  readonly roles: readonly string[];
  /** Nothing else counts, whatever the roles were granted. */
  readonly within?: ReadonlySet<string>;
}

/** What each step says of one entry of the menu for somebody. */
export interface MenuJudgement {
  /** False: the plugin it came with does not run here, or is switched off. */
  readonly isServed: boolean;
  readonly isOff: boolean;
  /** What the tenant may have: the last two are withheld, whatever was granted. */
  readonly tenant: 'unlimited' | 'packaged' | 'notPackaged' | 'platformOnly';
  readonly isEverybodys: boolean;
  readonly isGranted: boolean;
}

/** One entry of the menu as it is judged for somebody. */
export interface JudgedEntry extends MenuJudgement {
  readonly row: MenuRow;
  /** It stands in their menu, or among their buttons. */
  readonly isShown: boolean;
}

/** The platform's administrator has everything, asked or not. */
export const isAdministrator = (roles: readonly string[]) => roles.includes('administrator');

/** What of the menu somebody has. Entries of plugins this deployment does not have, or the tenant has switched off, are not in it; their rows and grants wait for the plugin. */
export class GrantedMenus {
  private readonly menu = new MenuRows();

  /**
   * `declared` are the codes of the kernel and of the running plugins, `platformOnly` those among them that no other tenant ever has, `everybodys` those
   * nobody is without, and `offIn` those of plugins that are switched off in a tenant.
   */
  constructor(
    private readonly db: Database,
    private readonly declared: ReadonlySet<string>,
    private readonly platformOnly: ReadonlySet<string> = new Set(),
    private readonly everybodys: ReadonlySet<string> = new Set(),
    private readonly offIn: (tenantId: string) => ReadonlySet<string> = () => new Set(),
  ) {}

  /** Pages and buttons in one namespace; all that is declared, for an administrator. */
  async codes(grantee: Grantee): Promise<ReadonlySet<string>> {
    const { rows, isGranted } = await this.granted(grantee);
    const codes = rows.filter(isGranted).map(({ code }) => code);
    if (!isAdministrator(grantee.roles)) return new Set(codes);
    const off = this.offIn(grantee.tenantId);
    return new Set([...this.declared, ...codes].filter((code) => !off.has(code)));
  }

  /** Pages with all their ancestors, as a tree; of one top menu where its id is given. */
  async routes(grantee: Grantee, language: Language, topMenuId?: string): Promise<MenuItem[]> {
    const { rows, isGranted } = await this.granted(grantee);
    const pages = rows.filter(({ category }) => category === 1);
    if (!topMenuId) return treeOf(shownOf(pages, isGranted), language);
    const top = (await this.topMenuRows(grantee)).find(({ id }) => id === topMenuId);
    const within = new Set(top?.menuIds);
    return treeOf(
      shownOf(pages, (page) => isGranted(page) && within.has(page.id)),
      language,
    );
  }

  /** Buttons under their pages; a page without any is left out, for consoles take a leaf for a permission. */
  async buttons(grantee: Grantee, language: Language): Promise<MenuItem[]> {
    const { rows, isGranted } = await this.granted(grantee);
    const buttons = rows.filter((row) => row.category === 2 && isGranted(row));
    const parents = new Set(buttons.map(({ parentId }) => parentId));
    const pages = rows.filter(({ id, category }) => category === 1 && parents.has(id)).map((page) => ({ ...page, parentId: '0' }));
    return treeOf([...pages, ...buttons], language).filter(({ children }) => children);
  }

  /** Every top menu, each with the pages of this grantee that belong to it. */
  async topMenus(grantee: Grantee, language: Language): Promise<TopMenu[]> {
    const tops = await this.topMenuRows(grantee);
    if (tops.length === 0) return [];
    const { rows, isGranted } = await this.granted(grantee);
    const pages = new Set(rows.filter((row) => row.category === 1 && isGranted(row) && !isGroup(row)).map(({ id }) => id));
    return tops.map(({ nameEn, menuIds, ...top }) => {
      const words = wordsOf({ name: top.name, nameEn });
      return { ...top, name: say(words, language), words, menuIds: menuIds.filter((id) => pages.has(id)) };
    });
  }

  private topMenuRows({ tenantId }: Grantee) {
    return this.db.read({ tenantId }, () => topMenuRows(this.db));
  }

  /** The entry of a code or of a page's address, as it is judged for somebody; undefined where the menu has none. */
  async judge(grantee: Grantee, about: { readonly code: string } | { readonly path: string }): Promise<JudgedEntry | undefined> {
    const { rows, judgement } = await this.judging(grantee);
    const row = rows.find((each) => ('code' in about ? each.code === about.code : each.category === 1 && each.path === about.path));
    if (!row) return undefined;
    const shown = row.category === 1 ? await this.routes(grantee, 'zh') : await this.buttons(grantee, 'zh');
    return { row, ...judgement(row), isShown: idsOf(shown).includes(row.id) };
  }

  /** Entries that may be asked about in a tenant: those of plugins, switched off or not, that are not the platform's own. */
  async entries({ tenantId }: Pick<Grantee, 'tenantId'>): Promise<MenuRow[]> {
    const { rows, judgement } = await this.judging({ tenantId, roleIds: [], roles: [] });
    return rows
      .map((row) => ({ row, ...judgement(row) }))
      .filter(({ isServed, isOff, tenant }) => (isServed || isOff) && tenant !== 'platformOnly')
      .map(({ row }) => row);
  }

  private async granted(grantee: Grantee) {
    const { rows, judgement } = await this.judging(grantee);
    const judged = rows.map((row) => ({ row, ...judgement(row) }));
    const had = new Set(judged.filter(({ row, isGranted }) => isGranted && grantee.within?.has(row.code) !== false).map(({ row }) => row));
    return { rows: judged.filter(isWithin).map(({ row }) => row), isGranted: (row: MenuRow) => had.has(row) };
  }

  private async judging({ tenantId, roleIds, roles }: Grantee) {
    const { rows, granted, packaged } = await this.db.read({ tenantId }, () => this.menu.grantedTo(this.db, tenantId, roleIds));
    const hasAll = isAdministrator(roles);
    const off = this.offIn(tenantId);
    const judgement = (row: MenuRow): MenuJudgement => {
      const isEverybodys = this.everybodys.has(row.seededAs ?? '');
      const tenant = tenantId === platformTenant ? 'unlimited' : this.allowedTo(row, packaged);
      const isOff = off.has(row.seededAs ?? row.code);
      return {
        isServed: !isOff && (row.seededAs === null || this.declared.has(row.seededAs)),
        isOff,
        tenant,
        isEverybodys,
        isGranted: hasAll || granted.has(row.id) || isEverybodys,
      };
    };
    return { rows, judgement };
  }

  /** What a tenant never has, whatever its roles were granted: the platform's own pages, and what is not in the package it was given. */
  private allowedTo({ id, code, seededAs }: MenuRow, packaged: ReadonlySet<string> | undefined): MenuJudgement['tenant'] {
    if (this.platformOnly.has(code) || this.platformOnly.has(seededAs ?? '')) return 'platformOnly';
    if (packaged === undefined) return 'unlimited';
    return isGroup({ seededAs }) || packaged.has(id) ? 'packaged' : 'notPackaged';
  }
}

/** Whether an entry is there at all for somebody, granted or not. */
const isWithin = ({ isServed, isEverybodys, tenant }: MenuJudgement) => isServed && (isEverybodys || tenant === 'unlimited' || tenant === 'packaged');

const idsOf = (items: readonly MenuItem[]): string[] => items.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

/** The pages somebody has and what stands above them; a group alone leads nowhere. */
function shownOf(pages: readonly MenuRow[], isGranted: (page: MenuRow) => boolean): MenuRow[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const shown = new Set<string>();
  for (const page of pages.filter((each) => isGranted(each) && !isGroup(each))) {
    for (let next: MenuRow | undefined = page; next && !shown.has(next.id); next = byId.get(next.parentId)) shown.add(next.id);
  }
  return pages.filter(({ id }) => shown.has(id));
}

const isGroup = ({ seededAs }: Pick<MenuRow, 'seededAs'>) => seededAs !== null && groupCodes.has(seededAs);
