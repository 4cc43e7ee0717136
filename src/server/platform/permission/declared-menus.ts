import { type Button, groupsOf, type Menu, parentCode } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';

/** One initial row of the menu table. */
export interface DeclaredMenu {
  readonly plugin: string;
  readonly code: string;
  readonly under: string | undefined;
  readonly title: LocalizedText;
  readonly alias: string;
  readonly path: string;
  readonly icon: string;
  readonly sort: number;
  /** 1 for a menu, 2 for a button. */
  readonly category: 1 | 2;
  /** 0 for none, 1 for toolbar, 2 for row, 3 for both. */
  readonly action: 0 | 1 | 2 | 3;
  readonly isPlatformOnly: boolean;
  readonly isForEveryone?: boolean;
  readonly isGroup?: boolean;
  /** Code of an entry: every role that has it when this one is seeded gets this one too. */
  readonly grantedWith?: string | undefined;
}

const verbs: Record<Extract<Button, string>, { title: LocalizedText; action: DeclaredMenu['action'] }> = {
  add: { title: ['新增', 'Add'], action: 1 },
  edit: { title: ['修改', 'Edit'], action: 2 },
  delete: { title: ['删除', 'Delete'], action: 3 },
  view: { title: ['查看', 'View'], action: 2 },
  export: { title: ['导出', 'Export'], action: 1 },
  import: { title: ['导入', 'Import'], action: 1 },
};

/** Lists every menu entry this deployment declares: the deployment's own groups, the groups that pages name, and each plugin's pages with their buttons, parents before children. */
export function declaredMenus(plugins: readonly { readonly id: string; readonly menus?: readonly Menu[] }[], own: readonly Menu[] = []): DeclaredMenu[] {
  const named = groupsOf(plugins.flatMap(({ menus = [] }) => menus)).filter(({ code }) => !own.some((group) => group.code === code));
  const groups = [...own, ...named].map((group) => ({ ...pageRow('kernel', group, group.sort ?? 1), isGroup: true }));
  const pages = plugins.flatMap(({ id, menus = [] }) => menus.flatMap((menu, index) => [pageRow(id, menu, menu.sort ?? index + 1), ...buttonRows(id, menu)]));
  return [...groups, ...pages];
}

/** Codes of the entries with a flag: groups, entries reserved for the platform tenant, or pages available to every signed-in user. */
export const codesWith = (flag: 'isGroup' | 'isPlatformOnly' | 'isForEveryone', declared: readonly DeclaredMenu[]): ReadonlySet<string> =>
  new Set(declared.filter((menu) => menu[flag]).map(({ code }) => code));

function pageRow(plugin: string, menu: Menu, sort: number): DeclaredMenu {
  const { code, title, path, icon = '', isPlatformOnly = false, isForEveryone = false, grantedWith } = menu;
  return { plugin, code, under: parentCode(menu), title, alias: 'menu', path, icon, sort, category: 1, action: 0, isPlatformOnly, isForEveryone, grantedWith };
}

function buttonRows(plugin: string, menu: Menu): DeclaredMenu[] {
  return (menu.buttons ?? []).map((button, index) => {
    const common = { plugin, under: menu.code, icon: '', sort: index + 1, category: 2, isPlatformOnly: menu.isPlatformOnly ?? false } as const;
    if (typeof button !== 'string') {
      const alias = button.code.startsWith(`${menu.code}_`) ? button.code.slice(menu.code.length + 1) : button.code;
      const { code, title, isGrantedWithPage = false } = button;
      return { ...common, code, title, alias, path: `${menu.path}/${alias}`, action: 3, grantedWith: isGrantedWithPage ? menu.code : undefined };
    }
    const { title, action } = verbs[button];
    return {
      ...common,
      code: `${menu.code}_${button}`,
      title,
      alias: button,
      path: `${menu.path}/${button}`,
      action,
      grantedWith: menu.grantedWith && `${menu.grantedWith}_${button}`,
    };
  });
}
