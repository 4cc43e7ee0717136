import { authRoutes, type MenuItem, menuButtons, menuRoutes, type PageAuthority, type TopMenu, topMenus } from '#shared/menus';
import { type Language, localize } from '#shared/text';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { type MenuRow, MenuRows, menuTree, titleOfMenu, topMenuRows } from './menu-rows.ts';

/** User whose menu is requested. */
export interface MenuSubject {
  readonly tenantId: string;
  readonly roleIds: readonly string[];
  readonly roles: readonly string[];
  /** Limits the result to these codes, regardless of the granted roles. */
  readonly within?: ReadonlySet<string>;
}

/** Decision of each step about one menu entry for a user. */
export interface MenuEvaluation {
  /** False if the plugin of the entry does not run here or is disabled. */
  readonly isServed: boolean;
  readonly isOff: boolean;
  /** Permission of the tenant: the last two withhold the entry regardless of grants. */
  readonly tenant: 'unlimited' | 'packaged' | 'notPackaged' | 'platformOnly';
  readonly isPublic: boolean;
  readonly isGranted: boolean;
}

/** A menu entry with the decisions about it for a user. */
export interface EvaluatedMenuEntry extends MenuEvaluation {
  readonly row: MenuRow;
  /** True if the entry appears in the user's menu or among their buttons. */
  readonly isShown: boolean;
}

/** Codes of the menu that the kernel and the running plugins declare. */
export interface DeclaredCodes {
  readonly served: ReadonlySet<string>;
  /** Codes reserved for the platform. */
  readonly platformOnly: ReadonlySet<string>;
  /** Codes that every user has. */
  readonly forEveryone: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Returns the codes of the plugins that are disabled in a tenant. */
  offIn(tenantId: string): ReadonlySet<string>;
}

/** Tests for the platform's administrator, who has every permission without grants. */
export const isAdministrator = (roles: readonly string[]) => roles.includes('administrator');

/** The menu of users. Entries of plugins that are not installed, or are disabled in the tenant, are hidden; their rows and grants remain for the plugin's return. */
export class GrantedMenus {
  private readonly menu = new MenuRows();
  private declared: DeclaredCodes = { served: new Set(), platformOnly: new Set(), forEveryone: new Set(), groups: new Set(), offIn: () => new Set() };

  constructor(private readonly db: Database) {}

  /** Sets the codes that the kernel and the running plugins declare. */
  declare(codes: DeclaredCodes): void {
    this.declared = codes;
  }

  /** Codes of the groups of the menu. */
  get groups(): ReadonlySet<string> {
    return this.declared.groups;
  }

  /** Returns the codes of pages and buttons in one namespace; all declared ones for an administrator. */
  async codes(grantee: MenuSubject): Promise<ReadonlySet<string>> {
    const { rows, isGranted } = await this.granted(grantee);
    const codes = rows.filter(isGranted).map(({ code }) => code);
    if (!isAdministrator(grantee.roles)) return new Set(codes);
    const off = this.declared.offIn(grantee.tenantId);
    return new Set([...this.declared.served, ...codes].filter((code) => !off.has(code)));
  }

  /** Returns pages with all their ancestors, as a tree; only those of one top menu if its id is set. */
  async routes(grantee: MenuSubject, language: Language, topMenuId?: string): Promise<MenuItem[]> {
    const { rows, isGranted } = await this.granted(grantee);
    const pages = rows.filter(({ category }) => category === 1);
    if (!topMenuId) return menuTree(this.shownOf(pages, isGranted), language);
    const top = (await this.topMenuRows(grantee)).find(({ id }) => id === topMenuId);
    const allowedMenuIds = new Set(top?.menuIds);
    return menuTree(
      this.shownOf(pages, (page) => isGranted(page) && allowedMenuIds.has(page.id)),
      language,
    );
  }

  /** Returns pages and their ancestors by path, each with the aliases of the roles that grant it. */
  async authorities(grantee: MenuSubject): Promise<PageAuthority[]> {
    const { roleIds, roles } = grantee;
    const found = new Map<string, Set<string>>();
    for (const [index, roleId] of roleIds.entries()) {
      const alias = roles[index] ?? '';
      for (const path of pathsOf(await this.routes({ ...grantee, roleIds: [roleId], roles: [alias] }, 'zh'))) {
        found.set(path, (found.get(path) ?? new Set()).add(alias));
      }
    }
    return [...found].map(([path, aliases]) => ({ [path]: { authority: [...aliases] } }));
  }

  /** Returns buttons under their pages; pages without buttons are left out, because consoles read a leaf as a permission. */
  async buttons(grantee: MenuSubject, language: Language): Promise<MenuItem[]> {
    const { rows, isGranted } = await this.granted(grantee);
    const buttons = rows.filter((row) => row.category === 2 && isGranted(row));
    const parents = new Set(buttons.map(({ parentId }) => parentId));
    const pages = rows.filter(({ id, category }) => category === 1 && parents.has(id)).map((page) => ({ ...page, parentId: '0' }));
    return menuTree([...pages, ...buttons], language).filter(({ children }) => children);
  }

  /** Returns every top menu with the user's pages that belong to it. */
  async topMenus(grantee: MenuSubject, language: Language): Promise<TopMenu[]> {
    const tops = await this.topMenuRows(grantee);
    if (tops.length === 0) return [];
    const { rows, isGranted } = await this.granted(grantee);
    const pages = new Set(rows.filter((row) => row.category === 1 && isGranted(row) && !this.isGroup(row)).map(({ id }) => id));
    return tops.map(({ nameEn, menuIds, ...top }) => {
      const title = titleOfMenu({ name: top.name, nameEn });
      return { ...top, name: localize(title, language), words: title, menuIds: menuIds.filter((id) => pages.has(id)) };
    });
  }

  private topMenuRows({ tenantId }: MenuSubject) {
    return this.db.read({ tenantId }, () => topMenuRows(this.db));
  }

  /** Finds an entry by code or page path, with the decisions about it for a user; undefined if the menu has none. */
  async evaluateRows(grantee: MenuSubject, about: { readonly code: string } | { readonly path: string }): Promise<EvaluatedMenuEntry | undefined> {
    const { rows, evaluate } = await this.createEvaluator(grantee);
    const row = rows.find((each) => ('code' in about ? each.code === about.code : each.category === 1 && each.path === about.path));
    if (!row) return undefined;
    const shown = row.category === 1 ? await this.routes(grantee, 'zh') : await this.buttons(grantee, 'zh');
    return { row, ...evaluate(row), isShown: idsOf(shown).includes(row.id) };
  }

  /** Lists the entries a question in a tenant can be about: those of installed plugins, enabled or not, without those reserved for the platform. */
  async entries({ tenantId }: Pick<MenuSubject, 'tenantId'>): Promise<MenuRow[]> {
    const { rows, evaluate } = await this.createEvaluator({ tenantId, roleIds: [], roles: [] });
    return rows
      .map((row) => ({ row, ...evaluate(row) }))
      .filter(({ isServed, isOff, tenant }) => (isServed || isOff) && tenant !== 'platformOnly')
      .map(({ row }) => row);
  }

  private async granted(grantee: MenuSubject) {
    const { rows, evaluate } = await this.createEvaluator(grantee);
    const evaluatedRows = rows.map((row) => ({ row, ...evaluate(row) }));
    const grantedRows = new Set(evaluatedRows.filter(({ row, isGranted }) => isGranted && grantee.within?.has(row.code) !== false).map(({ row }) => row));
    return { rows: evaluatedRows.filter(isWithin).map(({ row }) => row), isGranted: (row: MenuRow) => grantedRows.has(row) };
  }

  private async createEvaluator({ tenantId, roleIds, roles }: MenuSubject) {
    const { rows, granted, packaged } = await this.db.read({ tenantId }, () => this.menu.grantedTo(this.db, tenantId, roleIds));
    const hasAll = isAdministrator(roles);
    const { served, forEveryone, offIn } = this.declared;
    const off = offIn(tenantId);
    const evaluate = (row: MenuRow): MenuEvaluation => {
      const isPublic = forEveryone.has(row.seededAs ?? '');
      const tenant = tenantId === platformTenant ? 'unlimited' : this.allowedTo(row, packaged);
      const isOff = off.has(row.seededAs ?? row.code);
      return {
        isServed: !isOff && (row.seededAs === null || served.has(row.seededAs)),
        isOff,
        tenant,
        isPublic,
        isGranted: hasAll || granted.has(row.id) || isPublic,
      };
    };
    return { rows, evaluate };
  }

  /** Determines whether the tenant may have an entry at all: never pages of the platform, nor pages missing in its package. */
  private allowedTo({ id, code, seededAs }: MenuRow, packaged: ReadonlySet<string> | undefined): MenuEvaluation['tenant'] {
    const { platformOnly } = this.declared;
    if (platformOnly.has(code) || platformOnly.has(seededAs ?? '')) return 'platformOnly';
    if (packaged === undefined) return 'unlimited';
    return this.isGroup({ seededAs }) || packaged.has(id) ? 'packaged' : 'notPackaged';
  }

  /** Selects the user's pages and their ancestors; a group alone is hidden. */
  private shownOf(pages: readonly MenuRow[], isGranted: (page: MenuRow) => boolean): MenuRow[] {
    const byId = new Map(pages.map((page) => [page.id, page]));
    const shown = new Set<string>();
    for (const page of pages.filter((each) => isGranted(each) && !this.isGroup(each))) {
      for (let next: MenuRow | undefined = page; next && !shown.has(next.id); next = byId.get(next.parentId)) shown.add(next.id);
    }
    return pages.filter(({ id }) => shown.has(id));
  }

  private isGroup({ seededAs }: Pick<MenuRow, 'seededAs'>): boolean {
    return seededAs !== null && this.groups.has(seededAs);
  }
}

/** Tests whether an entry is available to a user, before grants. */
const isWithin = ({ isServed, isPublic, tenant }: MenuEvaluation) => isServed && (isPublic || tenant === 'unlimited' || tenant === 'packaged');

const pathsOf = (items: readonly MenuItem[]): string[] => items.flatMap(({ path, children = [] }) => [...(path === '' ? [] : [path]), ...pathsOf(children)]);

const idsOf = (items: readonly MenuItem[]): string[] => items.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

/** Serves the caller's menu under both service names. */
export function permissionRoutes(menus: GrantedMenus): Route[] {
  return [
    route(menuRoutes, ({ principal, language, input }) => menus.routes(subjectOf(principal), language, input.topMenuId), {
      aliases: ['/api/blade-system/menu/routes'],
    }),
    route(menuButtons, ({ principal, language }) => menus.buttons(subjectOf(principal), language), { aliases: ['/api/things-system/menu/buttons'] }),
    route(authRoutes, ({ principal }) => menus.authorities(subjectOf(principal)), { aliases: ['/api/things-system/menu/auth-routes'] }),
    route(topMenus, ({ principal, language }) => menus.topMenus(subjectOf(principal), language), { aliases: ['/api/things-system/menu/top-menu'] }),
  ];
}

/** Limits the menu of a role preview to the user's own permissions. */
const subjectOf = (principal: Principal): MenuSubject => (principal.preview ? { ...principal, within: principal.codes } : principal);
