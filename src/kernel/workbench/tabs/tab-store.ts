import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable, Subject } from 'rxjs';
import { searchOf, writeRecord } from '#shared/list-address';
import type { HistoryChange } from '../../ui/pane/page-address.ts';
import type { Pane } from '../../ui/pane/pane-context.ts';
import { createPane, type PaneHandle, Panes, searchIn } from './panes.ts';
import type { TabMemory } from './tab-memory.ts';
import {
  changePage,
  closedBeside,
  findPage,
  initialPages,
  keyOf,
  leaveTabs,
  movePage,
  type OpenPage,
  type OpenPages,
  openPage,
  type PageToOpen,
  removePages,
} from './tab-rules.ts';
import { type Tab, Tabs } from './tabs.ts';

/** The operator's preferences for tabs. */
export interface TabPreferences {
  readonly homeTabClosable: boolean;
  readonly restoreTabs: boolean;
}

/** Dependencies of `TabStore`. */
export interface TabStoreDeps {
  readonly homePath: string;
  readonly memory: TabMemory;
  /** Asks before the unsaved changes of these pages are lost; resolves with true when they may be. Without pages it asks for the page that is no tab. */
  mayDiscard(pages: readonly OpenPage[]): Promise<boolean>;
  /** Emits the preferences at once and with every change. */
  readonly preferences$: Observable<TabPreferences>;
}

/** A change of the address that the visible page has made. */
export interface AddressChange {
  readonly key: string;
  readonly location: string;
  readonly change: HistoryChange;
}

/** The open pages of one user. The router follows `active$`; the store does not depend on the router. */
export class TabStore extends Tabs {
  private readonly state$: BehaviorSubject<OpenPages>;
  private readonly panes = new Panes((key) => ({
    onDirty: (dirty) => this.change(key, { dirty }),
    onTitle: (title) => this.change(key, { ownTitle: title }),
    onDetails: (details) => this.change(key, { details }),
    onAddress: (search, change) => this.changeAddress(key, search, change),
  }));
  private readonly subscription;
  private isAsking = false;
  private preferences: TabPreferences = { homeTabClosable: false, restoreTabs: true };
  private readonly moves = new Subject<{ readonly key: string; readonly index: number }>();
  readonly tabs$: Observable<readonly (Tab & OpenPage)[]>;
  readonly active$: Observable<string | undefined>;
  /** Keys of mounted pages, hidden or not. */
  readonly alive$: Observable<readonly string[]>;
  private readonly addressChanges = new Subject<AddressChange>();
  /** Emits when the visible page has changed its parameters. */
  readonly addressChanged$ = this.addressChanges.asObservable();
  /** Emits a tab that was moved in the bar, with its new index from 0. */
  readonly moved$ = this.moves.asObservable();

  constructor(private readonly deps: TabStoreDeps) {
    super();
    this.subscription = deps.preferences$.subscribe((preferences) => this.setPreferences(preferences));
    this.state$ = new BehaviorSubject(initialPages(deps.homePath, deps.memory.read(this.preferences.restoreTabs)));
    this.tabs$ = combineLatest([this.state$.pipe(map(({ pages }) => pages)), deps.preferences$.pipe(map(({ homeTabClosable }) => homeTabClosable))]).pipe(
      distinctUntilChanged(([pages, closable], [nextPages, nextClosable]) => pages === nextPages && closable === nextClosable),
      map(([pages]) => pages.map((page) => ({ ...page, closable: this.isClosable(page) }))),
    );
    this.active$ = this.state$.pipe(
      map(({ active }) => active),
      distinctUntilChanged(),
    );
    this.alive$ = this.state$.pipe(
      map(({ alive }) => alive),
      distinctUntilChanged(),
    );
  }

  get home(): string {
    return this.deps.homePath;
  }

  /** Key of the current tab. */
  get active(): string | undefined {
    return this.state$.value.active;
  }

  /** Location of the current tab. */
  get activeLocation(): string | undefined {
    const { active, pages } = this.state$.value;
    return active === undefined ? undefined : pages.find(({ key }) => key === active)?.location;
  }

  /** Returns the key of the open tab that a location leads to. */
  keyAt(page: PageToOpen): string | undefined {
    return findPage(this.state$.value.pages, page)?.key;
  }

  open(page: PageToOpen): void {
    this.setState(openPage(this.state$.value, page));
  }

  /** Reports that the current page is no tab; the open tabs stay. */
  leave(): void {
    if (this.state$.value.active !== undefined) this.setState(leaveTabs(this.state$.value));
  }

  close(key: string): void {
    const page = this.page(key);
    if (page && this.isClosable(page)) void this.closePages([page]);
  }

  closeSide(key: string, side: 'left' | 'right'): void {
    void this.closePages(closedBeside(this.state$.value, key, side), key);
  }

  closeOthers(key = this.active): void {
    if (key !== undefined) void this.closePages(closedBeside(this.state$.value, key, 'both'), key);
  }

  async closeAll(): Promise<boolean> {
    const { pages, home } = this.state$.value;
    const areClosed = await this.closePages(pages.filter((page) => page.key !== home && !page.pinned));
    if (areClosed) this.open({ location: home });
    return areClosed;
  }

  refresh(key: string): void {
    const page = this.page(key);
    if (!page) return;
    const remount = () => this.change(page.key, { generation: page.generation + 1, dirty: false });
    if (!page.dirty) remount();
    else
      void this.mayDiscard([page]).then((may) => {
        if (!may) return;
        remount();
        // The form whose input was discarded does not open again.
        const parameters = new URLSearchParams(searchIn(page.location));
        writeRecord(parameters, {});
        this.changeAddress(page.key, searchOf(parameters), 'replace');
      });
  }

  pin(key: string, pinned: boolean): void {
    const page = this.page(key);
    if (!page || page.pinned === pinned || page.key === this.state$.value.home) return;
    this.deps.memory.pin(page, pinned);
    this.change(page.key, { pinned });
  }

  move(key: string, to: number): void {
    const next = movePage(this.state$.value, key, to);
    if (next === this.state$.value) return;
    this.setState(next);
    this.moves.next({ key, index: next.pages.findIndex((page) => page.key === key) });
  }

  /** True while any page has unsaved changes. */
  get isDirty(): boolean {
    return this.isDetachedPageDirty || this.state$.value.pages.some((page) => page.dirty);
  }

  /** Creates the pane of a page that is no tab; the component that renders the page ends its lifetime. */
  createDetachedPane(location: string, onAddress: (search: string, change: HistoryChange) => void): PaneHandle {
    const onDirty = (dirty: boolean) => {
      this.isDetachedPageDirty = dirty;
    };
    const pane = createPane({ onDirty, onAddress }, location);
    pane.lifetime.add(() => {
      this.isDetachedPageDirty = false;
    });
    return pane;
  }
  isDetachedPageDirty = false;

  /** Asks before the unsaved changes of some pages, or of the page that is no tab, are lost; true when there are none, or they may be lost. */
  async confirmDiscard(isAffected: (page: OpenPage) => boolean, isDetachedPageAffected: boolean): Promise<boolean> {
    const dirty = this.state$.value.pages.filter((page) => page.dirty && isAffected(page));
    return (dirty.length === 0 && !(isDetachedPageAffected && this.isDetachedPageDirty)) || this.mayDiscard(dirty);
  }

  /** Updates the title of each page; an empty title is unknown and changes nothing. */
  name(titleOf: (page: OpenPage) => string): void {
    const { pages } = this.state$.value;
    const titles = pages.map((page) => titleOf(page) || page.title);
    if (pages.every((page, index) => page.title === titles[index])) return;
    this.setState({ ...this.state$.value, pages: pages.map((page, index) => ({ ...page, title: titles[index] ?? '' })) });
  }

  /** Closes unknown pages without asking; pinned ones among them are unpinned permanently. */
  retain(isKnown: (page: OpenPage) => boolean): void {
    const removed = this.state$.value.pages.filter((page) => page.key !== this.deps.homePath && !isKnown(page));
    if (removed.length === 0) return;
    for (const page of removed) if (page.pinned) this.deps.memory.pin(page, false);
    this.setState(removePages(this.state$.value, keysOf(removed)));
  }

  /** Returns the pane of a tab: one object for the life of the page. */
  pane(key: string): Pane {
    return this.panes.of(key, this.page(key)?.location ?? key);
  }

  /** Closes every tab, pinned ones too, and deletes the stored list; resolves false when the operator keeps unsaved changes. */
  async reset(): Promise<boolean> {
    const { pages, home } = this.state$.value;
    if (!(await this.closePages(pages.filter((page) => page.key !== home)))) return false;
    this.deps.memory.removePins();
    this.open({ location: home });
    return true;
  }

  /** Unmounts every page and clears the list of open ones at sign-out. Pinned ones open again next time. */
  clear(): void {
    this.setState(initialPages(this.deps.homePath));
    this.deps.memory.clear();
  }

  dispose(): void {
    this.clear();
    this.subscription.unsubscribe();
  }

  private async closePages(pages: readonly OpenPage[], replacementKey?: string): Promise<boolean> {
    const dirty = pages.filter((page) => page.dirty);
    if (dirty.length > 0 && !(await this.mayDiscard(dirty))) return false;
    if (pages.length > 0) this.setState(removePages(this.state$.value, keysOf(pages), replacementKey));
    return true;
  }

  /** Allows one question at a time: a request while one is open is refused. */
  private async mayDiscard(pages: readonly OpenPage[]): Promise<boolean> {
    if (this.isAsking) return false;
    this.isAsking = true;
    try {
      return await this.deps.mayDiscard(pages);
    } finally {
      this.isAsking = false;
    }
  }

  private isClosable({ key, pinned }: OpenPage): boolean {
    const { pages, home } = this.state$.value;
    return pages.length > 1 && !pinned && (key !== home || this.preferences.homeTabClosable);
  }

  private page(key: string): OpenPage | undefined {
    return this.state$.value.pages.find((page) => page.key === keyOf(key));
  }

  private change(key: string, change: Partial<OpenPage>): void {
    const page = this.page(key);
    if (!page || Object.entries(change).every(([name, value]) => page[name as keyof OpenPage] === value)) return;
    if (change.generation !== undefined) this.panes.end(key);
    this.setState(changePage(this.state$.value, key, change));
  }

  private changeAddress(key: string, search: string, change: HistoryChange): void {
    const page = this.page(key);
    if (!page) return;
    const location = page.location.replace(/[?#].*$/, '') + search;
    this.change(key, { location });
    if (key === this.active) this.addressChanges.next({ key, location, change });
  }

  private setState(state: OpenPages): void {
    this.panes.keepOnly(state.alive);
    const before = new Map(this.state$.value.pages.map(({ key, location }) => [key, location]));
    this.state$.next(state);
    for (const { key, location } of state.pages) if (before.get(key) !== location) this.panes.follow(key, location);
    if (this.preferences.restoreTabs) this.deps.memory.write(state.pages);
  }

  private setPreferences(preferences: TabPreferences): void {
    const { restoreTabs } = this.preferences;
    this.preferences = preferences;
    if (restoreTabs && !preferences.restoreTabs) this.deps.memory.clear();
    else if (!restoreTabs && preferences.restoreTabs && this.state$) this.deps.memory.write(this.state$.value.pages);
  }
}

const keysOf = (pages: readonly OpenPage[]) => pages.map(({ key }) => key);
