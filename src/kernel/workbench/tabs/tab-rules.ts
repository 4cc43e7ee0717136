import type { LocalizedText } from '#shared/text';

/** State of an open page; the rest of a `Tab` follows from the rules. */
export interface OpenPage {
  readonly key: string;
  readonly location: string;
  /** Title of the tab in the language in which it was last set. */
  readonly title: string;
  readonly details?: string | undefined;
  /** Title that the page has set; it takes precedence over the menu's. */
  readonly ownTitle?: LocalizedText | undefined;
  readonly icon?: string | undefined;
  readonly pinned: boolean;
  /** True when the page closes once another is shown, unless changes would be lost. */
  readonly isTransient?: boolean | undefined;
  /** Counts pages in the order in which they are opened: panes keep this order, tabs the order of the list. */
  readonly serial: number;
  readonly generation: number;
  readonly dirty: boolean;
}

/** The open pages in the order of their tabs, the current one, and the mounted ones, the latest shown first. There is always at least one page. */
export interface OpenPages {
  readonly home: string;
  readonly pages: readonly OpenPage[];
  readonly active: string | undefined;
  readonly alive: readonly string[];
}

/** A page to open. */
export interface PageToOpen extends Pick<OpenPage, 'location'>, Partial<Pick<OpenPage, 'title' | 'ownTitle' | 'icon' | 'pinned' | 'isTransient'>> {
  /** Key of the tab; by default the location. */
  readonly key?: string | undefined;
  /** True when an open page must show this location, even one without parameters. */
  readonly isExact?: boolean;
}

/** Number of pages that stay mounted; pages with unsaved changes and pinned ones stay beyond it. */
export const aliveLimit = 20;

/** Returns the key of a tab that is opened with this location: its path and parameters. */
export const keyOf = (location: string): string => location.replace(/#.*$/, '');

/** True for two locations of one page, whatever their parameters. */
export const isSamePath = (one: string, other: string): boolean => one.replace(/[?#].*$/, '') === other.replace(/[?#].*$/, '');

/** Returns the open page a location leads to: the one with this key, otherwise one that shows the location. */
export function findPage(pages: readonly OpenPage[], { key, location }: PageToOpen): OpenPage | undefined {
  const ownKey = keyOf(location);
  return pages.find((page) => page.key === (key ?? ownKey)) ?? (key === undefined ? pages.find((page) => page.location === ownKey) : undefined);
}

/** Returns the initial state: home, followed by the given pages. */
export function initialPages(home: string, pagesToOpen: readonly PageToOpen[] = []): OpenPages {
  const pages = pagesToOpen.reduce<readonly OpenPage[]>(addPage, addPage([], { location: home }));
  return { home, pages: inOrder(pages, home), active: undefined, alive: [] };
}

/** Shows a page; adds it unless it is open. An open page goes to the location, unless that has no parameters. */
export function openPage(state: OpenPages, target: PageToOpen): OpenPages {
  const key = findPage(state.pages, target)?.key ?? target.key ?? keyOf(target.location);
  const hasExactLocation = target.isExact || (target.key === undefined && target.location.includes('?'));
  const navigate = (page: OpenPage): OpenPage => {
    const { isTransient = page.isTransient } = target;
    const location = hasExactLocation ? keyOf(target.location) : page.location;
    return page.isTransient === isTransient && keyOf(page.location) === location ? page : { ...page, isTransient, location };
  };
  const pages = inOrder(
    addPage(state.pages, target).map((page) => (page.key === key ? navigate(page) : page)),
    state.home,
  );
  return { ...state, pages, active: key, alive: limitAlive([key, ...keptAlive(state.alive, pages).filter((other) => other !== key)], pages) };
}

/** Shows a page that is no tab. */
export const leaveTabs = (state: OpenPages): OpenPages => ({ ...state, active: undefined, alive: keptAlive(state.alive, state.pages) });

/** Returns the pages that stay mounted behind another page. */
function keptAlive(alive: readonly string[], pages: readonly OpenPage[]): readonly string[] {
  const transient = new Set(pages.filter((page) => page.isTransient && !page.dirty).map((page) => page.key));
  return alive.filter((key) => !transient.has(key));
}

/** Removes pages; if the current one is among them, `replacementKey` or the page before it replaces it. Home returns when no other page is left. */
export function removePages(state: OpenPages, removedKeys: readonly string[], replacementKey?: string): OpenPages {
  const pages = state.pages.filter((page) => !removedKeys.includes(page.key));
  const alive = state.alive.filter((key) => !removedKeys.includes(key));
  if (pages.length === 0) return { ...initialPages(state.home), active: state.active === undefined ? undefined : state.home };
  if (state.active === undefined || !removedKeys.includes(state.active)) return { ...state, pages, alive };
  const position = state.pages.findIndex((page) => page.key === state.active);
  const replacement = pages.find((page) => page.key === replacementKey);
  const before = state.pages.slice(0, position).findLast((page) => !removedKeys.includes(page.key));
  return { ...state, pages, active: (replacement ?? before ?? pages[0])?.key, alive };
}

/** Changes the state of one page. */
export function changePage(state: OpenPages, key: string, change: Partial<OpenPage>): OpenPages {
  const pages = inOrder(
    state.pages.map((page) => (page.key === key ? { ...page, ...change } : page)),
    state.home,
  );
  return { ...state, pages, alive: limitAlive(state.alive, pages) };
}

/** Moves a tab to an index, as near to it as the order allows: home is first, pinned tabs precede the others. */
export function movePage(state: OpenPages, key: string, to: number): OpenPages {
  const page = state.pages.find((open) => open.key === key);
  if (!page || key === state.home) return state;
  const others = state.pages.filter((open) => open !== page);
  const pages = inOrder([...others.slice(0, Math.max(0, to)), page, ...others.slice(Math.max(0, to))], state.home);
  return pages.every((open, index) => open === state.pages[index]) ? state : { ...state, pages };
}

/** Returns the pages that a bulk close removes: never home and never pinned ones. */
export function closedBeside(state: OpenPages, key: string, side: 'left' | 'right' | 'both'): readonly OpenPage[] {
  const position = state.pages.findIndex((page) => page.key === key);
  const isIncluded = (index: number) => (side === 'both' ? index !== position : side === 'left' ? index < position : index > position);
  return state.pages.filter((page, index) => isIncluded(index) && !page.pinned && page.key !== state.home);
}

function addPage(pages: readonly OpenPage[], target: PageToOpen): readonly OpenPage[] {
  if (findPage(pages, target)) return pages;
  const { location, key = keyOf(location), title = '', ownTitle, icon, pinned = false, isTransient = false } = target;
  const serial = Math.max(0, ...pages.map((page) => page.serial)) + 1;
  return [...pages, { key, location, title, ownTitle, icon, pinned, serial, generation: 0, dirty: false, isTransient }];
}

function inOrder(pages: readonly OpenPage[], home: string): readonly OpenPage[] {
  const rank = ({ key, pinned }: OpenPage) => (key === home ? 0 : pinned ? 1 : 2);
  return pages.toSorted((one, other) => rank(one) - rank(other));
}

/** Unmounts the least recently shown pages beyond the limit; the one just shown and those that must stay are kept. */
function limitAlive(alive: readonly string[], pages: readonly OpenPage[]): readonly string[] {
  const mustStay = new Set(pages.filter((page) => page.dirty || page.pinned).map((page) => page.key));
  let excess = alive.length - aliveLimit;
  if (excess <= 0) return alive;
  const staying = alive.toReversed().filter((key) => {
    const isRemoved = excess > 0 && key !== alive[0] && !mustStay.has(key);
    if (isRemoved) excess -= 1;
    return !isRemoved;
  });
  return staying.toReversed();
}
