import type { Button, Menu } from '#shared/contract';
import { menuGroups } from '#shared/menus';
import type { Words } from '#shared/text';

/** One row the menu table begins with. */
export interface DeclaredMenu {
  readonly plugin: string;
  readonly code: string;
  readonly under: string | undefined;
  readonly title: Words;
  readonly alias: string;
  readonly path: string;
  readonly icon: string;
  readonly sort: number;
  /** 1 menu, 2 button. */
  readonly category: 1 | 2;
  /** 0 none, 1 toolbar, 2 row, 3 both. */
  readonly action: 0 | 1 | 2 | 3;
  readonly isPlatformOnly: boolean;
  readonly isForEveryone?: boolean;
}

const verbs: Record<Extract<Button, string>, { title: Words; action: DeclaredMenu['action'] }> = {
  add: { title: ['新增', 'Add'], action: 1 },
  edit: { title: ['修改', 'Edit'], action: 2 },
  delete: { title: ['删除', 'Delete'], action: 3 },
  view: { title: ['查看', 'View'], action: 2 },
  export: { title: ['导出', 'Export'], action: 1 },
  import: { title: ['导入', 'Import'], action: 1 },
};

/** Every entry this deployment declares: the groups, and each plugin's pages with their buttons, a parent before what is under it. */
export function declaredMenus(plugins: readonly { readonly id: string; readonly menus?: readonly Menu[] }[]): DeclaredMenu[] {
  const groups = menuGroups.map((group) => pageRow('kernel', group, group.sort ?? 1));
  const pages = plugins.flatMap(({ id, menus = [] }) => menus.flatMap((menu, index) => [pageRow(id, menu, menu.sort ?? index + 1), ...buttonRows(id, menu)]));
  return [...groups, ...pages];
}

/** Groups only lead somewhere: one without a page under it is not shown. */
export const groupCodes: ReadonlySet<string> = new Set(menuGroups.map(({ code }) => code));

/** Codes of pages and buttons that no tenant but the platform's own ever has. */
export const platformCodes = (declared: readonly DeclaredMenu[]): ReadonlySet<string> =>
  new Set(declared.filter(({ isPlatformOnly }) => isPlatformOnly).map(({ code }) => code));

/** Codes of pages that whoever is signed in has. */
export const everybodysCodes = (declared: readonly DeclaredMenu[]): ReadonlySet<string> =>
  new Set(declared.filter(({ isForEveryone }) => isForEveryone).map(({ code }) => code));

function pageRow(plugin: string, { code, title, path, under, icon = '', isPlatformOnly = false, isForEveryone = false }: Menu, sort: number): DeclaredMenu {
  return { plugin, code, under, title, alias: 'menu', path, icon, sort, category: 1, action: 0, isPlatformOnly, isForEveryone };
}

function buttonRows(plugin: string, menu: Menu): DeclaredMenu[] {
  return (menu.buttons ?? []).map((button, index) => {
    const common = { plugin, under: menu.code, icon: '', sort: index + 1, category: 2, isPlatformOnly: menu.isPlatformOnly ?? false } as const;
    if (typeof button !== 'string') {
      const alias = button.code.startsWith(`${menu.code}_`) ? button.code.slice(menu.code.length + 1) : button.code;
      return { ...common, code: button.code, title: button.title, alias, path: `${menu.path}/${alias}`, action: 3 };
    }
    const { title, action } = verbs[button];
    return { ...common, code: `${menu.code}_${button}`, title, alias: button, path: `${menu.path}/${button}`, action };
  });
}
