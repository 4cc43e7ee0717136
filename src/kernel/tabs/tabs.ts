import type { Observable } from 'rxjs';

/** One open page. `key` is the tab's instance (address and parameters): two details of one route are two tabs. */
export interface Tab {
  readonly key: string;
  /** Path with query, as the router sees it. */
  readonly location: string;
  readonly title: string;
  readonly icon?: string;
  readonly closable: boolean;
  /** Counts up on refresh, so the pane alone starts anew. */
  readonly generation: number;
  /** True while the page holds changes nobody has saved. */
  readonly dirty: boolean;
}

/** The open pages and the rules of opening and closing them, `product.md` §4. */
export abstract class Tabs {
  abstract readonly tabs$: Observable<readonly Tab[]>;
  abstract readonly active$: Observable<string | undefined>;
  /** Adds a tab unless an equal one exists, and shows it. */
  abstract open(tab: { location: string; title: string; icon?: string }): void;
  abstract close(key: string): void;
  abstract closeOthers(): void;
  /** False when the operator would rather keep unsaved changes. */
  abstract closeAll(): Promise<boolean>;
  abstract refresh(key: string): void;
}
