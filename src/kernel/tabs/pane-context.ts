import { createContext } from 'react';
import type { Subscription } from 'rxjs';
import type { Words } from '#shared/text';

/** What the tab around a page lends it. Outside a tab there is none of it: marking does nothing and a page lives as long as it is mounted. */
export interface Pane {
  /** The tab's instance, as `Tab.key`. */
  readonly key?: string;
  /** True in a panel over the page, which the page's address says nothing about. */
  readonly isPanel?: boolean;
  /** True while `source` (the page itself unless said) holds changes nobody has saved: as long as any does, closing the tab asks first. */
  setDirty(dirty: boolean, source?: object): void;
  /** Calls the tab by the page's own words; `undefined` gives the menu's back. */
  setTitle?(words: Words | undefined): void;
  /** Ends when the tab is closed or refreshed, not when it is hidden: page stores add their teardown here. */
  readonly lifetime?: Subscription;
  /** Aborted with `lifetime`. */
  readonly signal?: AbortSignal;
}

/** The tab a page is shown in. */
export const PaneContext = createContext<Pane>({ setDirty: () => {} });
