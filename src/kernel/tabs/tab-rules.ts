/** What is kept of an open page; the rest of a `Tab` follows from the rules. */
export interface OpenPage {
  readonly key: string;
  readonly location: string;
  readonly title: string;
  readonly icon?: string;
  readonly generation: number;
  readonly dirty: boolean;
}

/** The open pages, the one on screen, and which of them are alive, the latest shown first. */
export interface OpenPages {
  readonly pages: readonly OpenPage[];
  readonly active: string | undefined;
  readonly alive: readonly string[];
}

/** How many pages stay alive at once; dirty ones are kept beyond it. */
export const aliveLimit = 12;

/** A tab's instance: its path and parameters. */
export const keyOf = (location: string): string => location.replace(/#.*$/, '');

/** Shows a page: adds it unless an equal one is open. */
export function opened(state: OpenPages, page: { location: string; title: string; icon?: string }): OpenPages {
  const key = keyOf(page.location);
  const known = state.pages.some((open) => open.key === key);
  const { icon } = page;
  const pages = known
    ? state.pages
    : [...state.pages, { key, location: page.location, title: page.title, generation: 0, dirty: false, ...(icon === undefined ? {} : { icon }) }];
  return { pages, active: key, alive: kept([key, ...state.alive.filter((other) => other !== key)], pages) };
}

/** Leaves out some pages; where the one on screen goes, the page before it takes its place. */
export function without(state: OpenPages, gone: readonly string[]): OpenPages {
  const pages = state.pages.filter((page) => !gone.includes(page.key));
  const alive = state.alive.filter((key) => !gone.includes(key));
  if (state.active === undefined || !gone.includes(state.active)) return { pages, active: state.active, alive };
  const position = state.pages.findIndex((page) => page.key === state.active);
  const before = state.pages.slice(0, position).findLast((page) => !gone.includes(page.key));
  return { pages, active: (before ?? pages[0])?.key, alive };
}

function kept(alive: readonly string[], pages: readonly OpenPage[]): string[] {
  const isDirty = (key: string) => pages.some((page) => page.key === key && page.dirty);
  return alive.filter((key, position) => position < aliveLimit || isDirty(key));
}
