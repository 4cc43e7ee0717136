import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { get, menu, Nothing } from './contract.ts';
import type { Words } from './text.ts';

/** An entry of the menu as the wire carries it, `wire.md` §3.1. Top entries have `parentId` '0'; empty `children` are left out. */
export interface MenuItem {
  id: string;
  parentId: string;
  code: string;
  /** In the language that was asked for. */
  name: string;
  /** Its name in both languages; ours, the family's servers send none. */
  words?: Words;
  alias: string;
  path: string;
  /** What the page is handed in its address; ours are objects, others send text. */
  query?: Readonly<Record<string, string>> | string | null;
  /** Icon. */
  source: string;
  sort: number;
  /** 1 menu, 2 button. */
  category: number;
  /** 1 no, 2 opens a new window. */
  isOpen: number;
  /** 1: the page ends when another tab is shown, 2: it lives on; ours. */
  keepAlive?: number;
  remark: string | null;
  /** Who sees the entry, where a server says so. */
  meta?: { readonly roles?: readonly string[] };
  children?: MenuItem[];
}

/** A part of the console with pages of its own, chosen in the top bar; `wire.md` §4.4. */
export interface TopMenu {
  id: string;
  code: string;
  name: string;
  words?: Words;
  /** Icon. */
  source: string;
  path: string;
  sort: number;
  /** Which pages of the caller's menu belong to it; ours. */
  menuIds?: readonly string[];
}

const item = { type: 'object', properties: {}, additionalProperties: true } as const;
const Tree = Unsafe<MenuItem[]>({ type: 'array', items: item });

/** The pages this user has, as a tree with all ancestors, sorted; with `topMenuId` only those of that top menu. */
export const menuRoutes = get('/api/things-system/menu/routes', {
  title: ['菜单路由', 'Menu routes'],
  who: 'signedIn',
  input: Shape({ topMenuId: Omissible(Unsafe<string>({ type: 'string' })) }),
  reply: Tree,
});

/** The parts of the console, by `sort`; none where nobody has made any. */
export const topMenus = get('/api/blade-system/menu/top-menu', {
  title: ['顶部菜单', 'Top menus'],
  who: 'signedIn',
  input: Nothing,
  reply: Unsafe<TopMenu[]>({ type: 'array', items: item }),
});

/** The buttons this user has, nested under their pages; a page without any is left out. */
export const menuButtons = get('/api/blade-system/menu/buttons', { title: ['按钮权限', 'Button permissions'], who: 'signedIn', input: Nothing, reply: Tree });

/** The groups at the top of the menu, `wire.md` §3.3; one shows when a page stands under it. */
export const menuGroups = [
  menu({ code: 'desk', title: ['工作台', 'Workbench'], path: '/desk', icon: 'desktop', sort: 1 }),
  menu({ code: 'task', title: ['任务管理', 'Tasks'], path: '/task', icon: 'ordered-list', sort: 2 }),
  menu({ code: 'monitor', title: ['系统监控', 'Monitoring'], path: '/monitor', icon: 'dashboard', sort: 3 }),
  menu({ code: 'tool', title: ['研发工具', 'Developer tools'], path: '/tool', icon: 'tool', sort: 4 }),
  menu({ code: 'resource', title: ['资源管理', 'Resources'], path: '/resource', icon: 'folder', sort: 6 }),
  menu({ code: 'job', title: ['任务调度', 'Job scheduling'], path: '/job', icon: 'schedule', sort: 7 }),
  menu({ code: 'miniapp', title: ['小程序', 'Mini-app'], path: '/miniapp', icon: 'mobile', sort: 8 }),
  menu({ code: 'base', title: ['基础配置', 'Base data'], path: '/base', icon: 'storage', sort: 97 }),
  menu({ code: 'authority', title: ['权限管理', 'Permissions'], path: '/authority', icon: 'safe', sort: 98 }),
  menu({ code: 'system', title: ['系统管理', 'System'], path: '/system', icon: 'settings', sort: 99 }),
];
