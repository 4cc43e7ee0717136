import { createContext } from 'react';
import type { Subscription } from 'rxjs';
import type { LocalizedText } from '#shared/text';
import type { PageAddress } from './page-address.ts';

/** The tab or panel around a page, as the page sees it. Outside a tab, `setDirty` does nothing and a page lives as long as it is mounted. */
export interface Pane {
  /** Key of the tab, as `Tab.key`. */
  readonly key?: string;
  /** Address of the page; absent in a panel over the page, because the address does not describe the panel. */
  readonly address?: PageAddress;
  /** Describes what the address selects beyond the page, such as filters, in the current language; it distinguishes tabs with the same title. Empty for nothing. */
  setDetails?(details: string): void;
  /** True in a panel over the page; the page's address does not describe the panel. */
  readonly isPanel?: boolean;
  /** Marks `source` (the page itself by default) as having unsaved changes: while any source has some, closing the tab asks first. */
  setDirty(dirty: boolean, source?: object): void;
  /** Sets the title of the tab; `undefined` restores the menu's. */
  setTitle?(title: LocalizedText | undefined): void;
  /** Ends when the tab is closed or refreshed, not when it is hidden: page stores add their teardown here. */
  readonly lifetime?: Subscription;
  /** Aborted when `lifetime` ends. */
  readonly signal?: AbortSignal;
}

/** Context of the tab or panel in which a page is shown. */
export const PaneContext = createContext<Pane>({ setDirty: () => {} });

/** Returns a `setDirty` that collects the sources of unsaved changes and calls `onChange` after each call with whether there is any. */
export function createSetDirty(onChange: (dirty: boolean) => unknown): (dirty: boolean, source?: object) => void {
  const sources = new Set<object>();
  const page = {};
  return (dirty, source = page) => {
    if (dirty) sources.add(source);
    else sources.delete(source);
    onChange(sources.size > 0);
  };
}
