import type { Observable } from 'rxjs';
import type { MenuItem, TopMenu } from '#shared/menus';

/** What the server gave; `topMenus` where the deployment has any. */
export interface KnownMenu {
  readonly items: readonly MenuItem[];
  readonly topMenus?: readonly TopMenu[];
}

/** No guard decides on `unknown` or on a first `loading`; `stale` is the last known menu while it is asked for again. */
export type MenuState =
  | { readonly status: 'unknown' }
  | { readonly status: 'loading' }
  | ({ readonly status: 'ready' } & KnownMenu)
  /** `failure` says why asking again has brought nothing. */
  | ({ readonly status: 'stale'; readonly failure?: string } & KnownMenu)
  | { readonly status: 'failed'; readonly message: string };

/** The menu the server gives this user. */
export abstract class MenuTree {
  abstract readonly state$: Observable<MenuState>;
  abstract readonly state: MenuState;
  abstract load(): Promise<void>;
}
