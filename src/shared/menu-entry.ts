import type { Words } from './text.ts';

/** The permission codes of a page: its own, and `{page}_{verb}` for the verbs of a generic screen. */
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

/** A button with its own permission code; the common ones are named by their verb alone. */
export type Button = 'add' | 'edit' | 'delete' | 'view' | 'export' | 'import' | { readonly code: string; readonly title: Words };

/** An entry of the menu, declared once: the server seeds it, the console's page answers to it. */
export interface Menu {
  readonly code: string;
  readonly title: Words;
  /** A page's address; `/index` is appended by the console. */
  readonly path: string;
  /** The code of the entry above; a group stands at the top. */
  readonly under?: string;
  readonly icon?: string;
  readonly sort?: number;
  readonly buttons?: readonly Button[];
  /** True: nobody but the platform's own tenant ever has the page or its buttons. */
  readonly isPlatformOnly?: boolean;
  /** Whoever is signed in has it, granted or not. */
  readonly isForEveryone?: boolean;
}

/** Declares a page or a group of the menu. */
export const menu = (entry: Menu): Menu => entry;
