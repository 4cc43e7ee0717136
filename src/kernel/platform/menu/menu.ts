import type { Observable } from 'rxjs';
import type { MenuItem, TopMenu } from '#shared/menus';

/** Holds the menu that the server has sent; `topMenus` is set if the deployment has any. */
export interface LoadedMenu {
  readonly items: readonly MenuItem[];
  readonly topMenus?: readonly TopMenu[];
}

/** State of the menu. Route guards must not decide on `unknown` or on a first `loading`; `stale` is the last known menu while it is fetched again. */
export type MenuState =
  | { readonly status: 'unknown' }
  | { readonly status: 'loading' }
  | ({ readonly status: 'ready' } & LoadedMenu)
  /** `failure` holds the message of the failed reload. */
  | ({ readonly status: 'stale'; readonly failure?: string } & LoadedMenu)
  | { readonly status: 'failed'; readonly message: string };

/** The menu the server grants this user. */
export abstract class MenuTree {
  abstract readonly state$: Observable<MenuState>;
  abstract readonly state: MenuState;
  abstract load(): Promise<void>;
}
