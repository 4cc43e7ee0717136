import { createContext } from 'react';
import type { Subscription } from 'rxjs';
import type { LocalizedText } from '#shared/text';
import type { PageAddress } from './page-address.ts';

/** Services of the tab around a page. Outside a tab, `setDirty` does nothing and a page lives as long as it is mounted. */
export interface Pane {
  /** Key of the tab, as `Tab.key`. */
  readonly key?: string;
  /** Address of the page; absent in a panel over the page, which the address does not describe. */
  readonly address?: PageAddress;
  /** Describes, in the current language, the state that the address adds to the page, such as filters; empty when it adds none. */
  setDetails?(details: string): void;
  /** True in a panel over the page, which the page's address does not describe. */
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

/** The tab a page is shown in. */
export const PaneContext = createContext<Pane>({ setDirty: () => {} });

/** Counts the sources of unsaved changes: calls `onChange` with true for the first and with false after the last. */
export function dirtySources(onChange: (dirty: boolean) => unknown): (dirty: boolean, source?: object) => void {
  const sources = new Set<object>();
  const page = {};
  return (dirty, source = page) => {
    if (dirty) sources.add(source);
    else sources.delete(source);
    onChange(sources.size > 0);
  };
}
