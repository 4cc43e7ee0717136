import type { LocalizedText } from '../text/text.ts';

/** Returns the permission codes of a page: its own, and `{page}_{verb}` for the actions of a generic screen. */
export const codes = <const Menu extends string>(page: Menu) =>
  ({
    page,
    add: `${page}_add`,
    edit: `${page}_edit`,
    delete: `${page}_delete`,
    view: `${page}_view`,
    export: `${page}_export`,
    import: `${page}_import`,
  }) as const;

/** A button with its own permission code; the standard ones are named by their verb. */
export type Button = 'add' | 'edit' | 'delete' | 'view' | 'export' | 'import' | CodedButton;

/** A button that only this page has. */
export interface CodedButton {
  readonly code: string;
  readonly title: LocalizedText;
  /** True to grant the button, when it first reaches a deployment, to all roles that have the page. */
  readonly isGrantedWithPage?: boolean;
}

/** Returns the button of a page that shows the masked values of an entity's rows. No role has it until it is granted. */
export const showButton = (code: string): CodedButton => ({ code, title: ['查看个人信息', 'Show personal data'] });

/** Icons that a menu entry can have. */
export type MenuIconName =
  | 'apps'
  | 'book'
  | 'bug'
  | 'calendar-clock'
  | 'check-square'
  | 'code'
  | 'common'
  | 'dashboard'
  | 'desktop'
  | 'email'
  | 'file'
  | 'folder'
  | 'history'
  | 'home'
  | 'idcard'
  | 'image'
  | 'layout'
  | 'link'
  | 'list'
  | 'location'
  | 'lock'
  | 'menu'
  | 'message'
  | 'mobile'
  | 'notification'
  | 'ordered-list'
  | 'safe'
  | 'schedule'
  | 'settings'
  | 'storage'
  | 'tag'
  | 'tool'
  | 'trophy'
  | 'user'
  | 'user-group';

/** A menu entry, declared once: the server seeds it and the console registers the page under it. */
export interface Menu {
  readonly code: string;
  readonly title: LocalizedText;
  /** Path of the page; the console appends `/index`. */
  readonly path: string;
  /** Earlier paths of the page; the console redirects from them. */
  readonly formerPaths?: readonly string[];
  /** Group or page above it, or its code where another plugin declares it; a group has none. */
  readonly under?: Menu | string;
  readonly icon?: MenuIconName;
  readonly sort?: number;
  readonly buttons?: readonly Button[];
  /** True for a page that only the platform tenant can have, with its buttons. */
  readonly isPlatformOnly?: boolean;
  /** True for a page that every signed-in user has without a grant. */
  readonly isForEveryone?: boolean;
  /** Code of an older page: roles that have it when this one first reaches a deployment get this one too, with the same standard buttons. */
  readonly grantedWith?: string;
}

/** Returns the code of the entry above. */
export const parentCode = ({ under }: Menu): string | undefined => (typeof under === 'object' ? under.code : under);

/** Returns the groups that pages are declared under; a group is shown when it contains a page. */
export const groupsOf = (menus: readonly Menu[]): readonly Menu[] => [
  ...new Map(menus.flatMap(({ under }) => (typeof under === 'object' ? [[under.code, under] as const] : []))).values(),
];

/** Declares a page or a group of the menu. */
export const menu = (entry: Menu): Menu => entry;
