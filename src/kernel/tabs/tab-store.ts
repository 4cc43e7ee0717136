import { BehaviorSubject, map, type Observable, Subscription } from 'rxjs';
import { dirtySources } from './dirty-sources.ts';
import type { Pane } from './pane-context.ts';
import type { TabMemory } from './tab-memory.ts';
import { keyOf, type OpenPage, type OpenPages, opened, without } from './tab-rules.ts';
import { type Tab, Tabs } from './tabs.ts';

/** What the store asks of its surroundings. */
export interface TabSurroundings {
  readonly homePath: string;
  readonly memory: TabMemory;
  /** Asks before the unsaved changes of these pages are lost; true when they may be. */
  mayDiscard(pages: readonly OpenPage[]): Promise<boolean>;
  isHomeClosable(): boolean;
}

/** The open pages of one user. Whoever shows them follows `active$`; nothing in here knows the router. */
export class TabStore extends Tabs {
  private readonly state$: BehaviorSubject<OpenPages>;
  private readonly panes = new Map<string, Pane & { readonly lifetime: Subscription }>();
  readonly tabs$: Observable<readonly Tab[]>;
  readonly active$: Observable<string | undefined>;
  /** Keys of pages that are rendered, hidden or not; the order of `tabs$` is the order of creation. */
  readonly alive$: Observable<readonly string[]>;

  constructor(private readonly around: TabSurroundings) {
    super();
    const home: OpenPage = { key: around.homePath, location: around.homePath, title: '', generation: 0, dirty: false };
    const restored = around.memory.read().filter((page) => page.key !== home.key);
    this.state$ = new BehaviorSubject<OpenPages>({ pages: [home, ...restored], active: undefined, alive: [] });
    this.tabs$ = this.state$.pipe(map(({ pages }) => pages.map((page) => ({ ...page, closable: this.isClosable(page) }))));
    this.active$ = this.state$.pipe(map(({ active }) => active));
    this.alive$ = this.state$.pipe(map(({ alive }) => alive));
  }

  /** The tab on screen, by its key. */
  get active(): string | undefined {
    return this.state$.value.active;
  }

  open(page: { location: string; title: string; icon?: string }): void {
    this.become(opened(this.state$.value, page));
  }

  /** Says that what is on screen is no tab; the open ones wait. */
  leave(): void {
    if (this.state$.value.active !== undefined) this.become({ ...this.state$.value, active: undefined });
  }

  close(key: string): void {
    const page = this.page(key);
    if (page && this.isClosable(page)) void this.drop([page]);
  }

  closeOthers(): void {
    const { active } = this.state$.value;
    void this.drop(this.state$.value.pages.filter((page) => page.key !== active && page.key !== this.around.homePath));
  }

  /** False when the operator would rather keep unsaved changes. */
  async closeAll(): Promise<boolean> {
    const isDropped = await this.drop(this.state$.value.pages.filter((page) => page.key !== this.around.homePath));
    if (isDropped) this.open({ location: this.around.homePath, title: '' });
    return isDropped;
  }

  refresh(key: string): void {
    const page = this.page(key);
    if (!page) return;
    const again = () => this.change(key, { generation: page.generation + 1, dirty: false });
    if (!page.dirty) again();
    else void this.around.mayDiscard([page]).then((may) => may && again());
  }

  /** True while any page holds changes nobody has saved. */
  get isDirty(): boolean {
    return this.isLoosePageDirty || this.state$.value.pages.some((page) => page.dirty);
  }

  /** What a page that is no tab is lent; it lives as long as it is on screen. */
  readonly loosePane: Pane = {
    setDirty: dirtySources((dirty) => {
      this.isLoosePageDirty = dirty;
    }),
  };
  isLoosePageDirty = false;

  /** Closes, without asking, what is no longer anybody's page. */
  retain(isKnown: (page: OpenPage) => boolean): void {
    const gone = this.state$.value.pages.filter((page) => page.key !== this.around.homePath && !isKnown(page)).map((page) => page.key);
    if (gone.length > 0) this.become(without(this.state$.value, gone));
  }

  /** What the tab lends its page: one object for as long as the page lives. */
  pane(key: string): Pane {
    const known = this.panes.get(key);
    if (known) return known;
    const lifetime = new Subscription();
    // What a page that has ended still says is not about the one that took its place.
    const pane = { lifetime, setDirty: dirtySources((dirty) => void (lifetime.closed || this.change(key, { dirty }))) };
    this.panes.set(key, pane);
    return pane;
  }

  /** Ends every page and forgets what was kept: signing out, clearing the cache. */
  clear(): void {
    this.become({ pages: this.state$.value.pages.filter((page) => page.key === this.around.homePath), active: undefined, alive: [] });
    this.around.memory.forget();
  }

  private async drop(pages: readonly OpenPage[]): Promise<boolean> {
    const dirty = pages.filter((page) => page.dirty);
    if (dirty.length > 0 && !(await this.around.mayDiscard(dirty))) return false;
    const gone = pages.map((page) => page.key);
    this.become(without(this.state$.value, gone));
    return true;
  }

  private isClosable(page: OpenPage): boolean {
    return this.state$.value.pages.length > 1 && (page.key !== this.around.homePath || this.around.isHomeClosable());
  }

  private page(key: string): OpenPage | undefined {
    return this.state$.value.pages.find((page) => page.key === keyOf(key));
  }

  private change(key: string, change: Partial<OpenPage>): void {
    const { pages, ...rest } = this.state$.value;
    const page = this.page(key);
    if (!page || Object.entries(change).every(([name, value]) => page[name as keyof OpenPage] === value)) return;
    if (change.generation !== undefined) this.end(key);
    this.become({ ...rest, pages: pages.map((open) => (open === page ? { ...page, ...change } : open)) });
  }

  private become(state: OpenPages): void {
    for (const key of [...this.panes.keys()]) if (!state.alive.includes(key)) this.end(key);
    this.state$.next(state);
    this.around.memory.write(state.pages);
  }

  private end(key: string): void {
    this.panes.get(key)?.lifetime.unsubscribe();
    this.panes.delete(key);
  }
}
