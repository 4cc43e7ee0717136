import type { Observable } from 'rxjs';
import type { Words } from '#shared/text';

/** One open page. `key` is the tab's instance (address and parameters): two details of one route are two tabs. */
export interface Tab {
  readonly key: string;
  /** Path with query, as the router sees it. */
  readonly location: string;
  /** In the reader's language; it follows a change of it. */
  readonly title: string;
  readonly icon?: string | undefined;
  readonly closable: boolean;
  /** Stands in front and is spared when many are closed; only unpinned can it be closed. */
  readonly pinned: boolean;
  /** Counts up on refresh, so the pane alone starts anew. */
  readonly generation: number;
  /** True while the page holds changes nobody has saved. */
  readonly dirty: boolean;
}

/** The open pages and the rules of opening and closing them, `product.md` §4. Every closing asks first when unsaved changes would be lost. */
export abstract class Tabs {
  /** In the order of the bar. */
  abstract readonly tabs$: Observable<readonly Tab[]>;
  abstract readonly active$: Observable<string | undefined>;
  /** Adds a tab unless an equal one exists, and shows it. It is called as the menu calls its page, or by `words`. */
  abstract open(tab: { location: string; words?: Words | undefined; icon?: string | undefined }): void;
  abstract close(key: string): void;
  /** Closes what stands before or after a tab, but for home and pinned ones. */
  abstract closeSide(key: string, side: 'left' | 'right'): void;
  /** Keeps this tab (the one on screen unless said), home and pinned ones. */
  abstract closeOthers(key?: string): void;
  /** Shows home; pinned tabs stay. False when the operator would rather keep unsaved changes. */
  abstract closeAll(): Promise<boolean>;
  abstract refresh(key: string): void;
  abstract pin(key: string, pinned: boolean): void;
  /** Puts a tab at a place of the bar, as near as home and pinned tabs in front allow. */
  abstract move(key: string, to: number): void;
}
