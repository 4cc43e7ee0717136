import { createContext } from 'react';
import type { Subscription } from 'rxjs';

/** What the tab around a page lends it. Outside a tab there is none of it: marking does nothing and a page lives as long as it is mounted. */
export interface Pane {
  /** True while `source` (the page itself unless said) holds changes nobody has saved: as long as any does, closing the tab asks first. */
  setDirty(dirty: boolean, source?: object): void;
  /** Ends when the tab is closed or refreshed, not when it is hidden: page stores add their teardown here. */
  readonly lifetime?: Subscription;
}

/** The tab a page is shown in. */
export const PaneContext = createContext<Pane>({ setDirty: () => {} });
