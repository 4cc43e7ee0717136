import type { Observable } from 'rxjs';
import type { MenuItem } from '#shared/menus';

/** No guard decides on `unknown` or on a first `loading`; `stale` is the last known menu while it is asked for again. */
export type MenuState =
  | { readonly status: 'unknown' }
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly items: readonly MenuItem[] }
  | { readonly status: 'stale'; readonly items: readonly MenuItem[] }
  | { readonly status: 'failed'; readonly message: string };

/** The menu the server gives this user. */
export abstract class MenuTree {
  abstract readonly state$: Observable<MenuState>;
  abstract readonly state: MenuState;
  abstract load(): Promise<void>;
}
