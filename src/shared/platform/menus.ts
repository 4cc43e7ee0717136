import * as Type from 'typebox';
import { get, NoInput } from '../contract/contract.ts';
import type { LocalizedText } from '../text/text.ts';

/** A menu entry on the wire. Top entries have `parentId` '0'; empty `children` are omitted. */
export interface MenuItem {
  id: string;
  parentId: string;
  code: string;
  /** Name in the requested language. */
  name: string;
  /** Name in both languages. Only this server sends it. */
  words?: LocalizedText;
  alias: string;
  path: string;
  /** Parameters of the page; this server sends objects, other BladeX-compatible servers send text. */
  query?: Readonly<Record<string, string>> | string | null;
  /** Icon name. */
  source: string;
  sort: number;
  /** 1 for a menu, 2 for a button. */
  category: number;
  /** Position of a button: 0 hidden, 1 toolbar, 2 row, 3 both. */
  action?: number;
  /** 1 opens in the console, 2 opens a new window. */
  isOpen: number;
  /** 1 unmounts the page when another tab is shown, 2 keeps it alive. Only this server sends it. */
  keepAlive?: number;
  remark: string | null;
  /** Aliases of the roles that see the entry. Some servers do not send them. */
  meta?: { readonly roles?: readonly string[] };
  children?: MenuItem[];
}

/** A section of the console that is selected in the top bar and shows only its own pages. */
export interface TopMenu {
  id: string;
  code: string;
  name: string;
  words?: LocalizedText;
  /** Icon name. */
  source: string;
  path: string;
  sort: number;
  /** Ids of the pages in the caller's menu that belong to the section. Only this server sends it. */
  menuIds?: readonly string[];
}

const anyObject = { type: 'object', properties: {}, additionalProperties: true } as const;
const Tree = Type.Unsafe<MenuItem[]>({ type: 'array', items: anyObject });

/** Returns the pages that the caller can open as a sorted tree, including their parent groups. `topMenuId` limits them to one top menu. */
export const menuRoutes = get('/api/things-system/menu/routes', {
  title: ['菜单路由', 'Menu routes'],
  access: 'signedIn',
  input: Type.Object({ topMenuId: Type.Optional(Type.Unsafe<string>({ type: 'string' })) }),
  reply: Tree,
});

/** Returns the top menus, ordered by `sort`; empty until an administrator creates one. */
export const topMenus = get('/api/blade-system/menu/top-menu', {
  title: ['顶部菜单', 'Top menus'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Unsafe<TopMenu[]>({ type: 'array', items: anyObject }),
});

/** Returns the buttons of the caller, nested under their pages; pages without buttons are omitted. */
export const menuButtons = get('/api/blade-system/menu/buttons', {
  title: ['按钮权限', 'Button permissions'],
  access: 'signedIn',
  input: NoInput,
  reply: Tree,
});

/** Maps the path of a page to the aliases of the roles that grant it. */
export type PageAuthority = Record<string, { authority: string[] }>;

/** Returns the pages and groups that the caller can see, each with the caller's roles that grant it. */
export const authRoutes = get('/api/blade-system/menu/auth-routes', {
  title: ['路由权限', 'Page roles'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Unsafe<PageAuthority[]>({ type: 'array', items: anyObject }),
});
