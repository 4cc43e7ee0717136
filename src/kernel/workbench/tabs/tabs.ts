import type { Observable } from 'rxjs';
import type { LocalizedText } from '#shared/text';

/** One open page. `key` is the address with which the tab was opened: two details of one route are two tabs. */
export interface Tab {
  readonly key: string;
  /** Current path with query. The page changes the query, for example when the user searches. */
  readonly location: string;
  /** Title in the current language; it follows changes of the language. */
  readonly title: string;
  /** Description of the state that the address adds to the page, such as filters, in the language in which the page was shown. */
  readonly details?: string | undefined;
  readonly icon?: string | undefined;
  readonly closable: boolean;
  /** True for a tab that stands in front of the others and that bulk closing keeps; it must be unpinned before it can be closed. */
  readonly pinned: boolean;
  /** Incremented on refresh, so that only this page mounts again. */
  readonly generation: number;
  /** True while the page has unsaved changes. */
  readonly dirty: boolean;
}

/** The open pages and the rules of opening and closing them. Closing always asks first when unsaved changes would be lost. */
export abstract class Tabs {
  /** Tabs in the order of the bar. */
  abstract readonly tabs$: Observable<readonly Tab[]>;
  abstract readonly active$: Observable<string | undefined>;
  /**
   * Shows a tab, and adds it unless one with the same key or address is open. A location without parameters does not change the state of an open tab. The title is
   * `ownTitle`, or that of the menu.
   */
  abstract open(tab: { key?: string; location: string; ownTitle?: LocalizedText | undefined; icon?: string | undefined }): void;
  abstract close(key: string): void;
  /** Closes the tabs before or after a tab, except home and pinned ones. */
  abstract closeSide(key: string, side: 'left' | 'right'): void;
  /** Closes all tabs except this one (the current one by default), home and pinned ones. */
  abstract closeOthers(key?: string): void;
  /** Shows home and closes all tabs but pinned ones. Resolves false when the operator keeps unsaved changes. */
  abstract closeAll(): Promise<boolean>;
  abstract refresh(key: string): void;
  abstract pin(key: string, pinned: boolean): void;
  /** Moves a tab to an index, as near as home and the pinned tabs in front allow. */
  abstract move(key: string, to: number): void;
}
