import type { Words } from '#shared/text';
import type { JsonStorage } from '../storage.ts';
import { keyOf, type OpenPage, type Wanted } from './tab-rules.ts';

const version = 2;

type Remembered = Pick<OpenPage, 'location' | 'title' | 'words' | 'icon'>;

/** Where tabs are kept, and whose. */
export interface TabMemoryPlace {
  /** Of this window: its open pages survive a reload. */
  readonly window: JsonStorage;
  /** Of this browser: pinned tabs are in every new window. */
  readonly browser: JsonStorage;
  /** Tenant and user. */
  readonly owner: string;
  /** Which build wrote: another one's pages may be other pages. */
  readonly build: string;
}

/** Keeps the open pages and the pinned tabs of one user and tenant; what another build wrote of open pages, or another version of either, is left out. */
export class TabMemory {
  private readonly name: string;
  private readonly pinsName: string;

  constructor(private readonly place: TabMemoryPlace) {
    this.name = `tabs:${place.owner}`;
    this.pinsName = `pins:${place.owner}`;
  }

  /** What was open in this window, when that is wanted, and whatever is pinned. */
  read(restores: boolean): Wanted[] {
    const pins = this.pins();
    const pages = restores ? this.pages() : [];
    const isPinned = ({ location }: Remembered) => pins.some((pin) => keyOf(pin.location) === keyOf(location));
    return [...pages.map((page) => ({ ...page, pinned: isPinned(page) })), ...pins.map((pin) => ({ ...pin, pinned: true }))];
  }

  write(pages: readonly OpenPage[]): void {
    this.place.window.write(this.name, { version, build: this.place.build, pages: pages.map(remembered) });
  }

  /** Another window may have pinned something since: one page is added or taken out, the others stay as they are. */
  pin(page: OpenPage, pinned: boolean): void {
    const others = this.pins().filter(({ location }) => keyOf(location) !== page.key);
    this.place.browser.write(this.pinsName, { version, pages: pinned ? [...others, remembered(page)] : others });
  }

  /** Forgets the open pages; pinned ones are a liking and stay. */
  forget(): void {
    this.place.window.remove(this.name);
  }

  forgetPins(): void {
    this.place.browser.remove(this.pinsName);
  }

  private pages(): Remembered[] {
    const stored = this.place.window.read<{ version?: unknown; build?: unknown; pages?: unknown }>(this.name);
    return stored?.version === version && stored.build === this.place.build ? readable(stored.pages) : [];
  }

  private pins(): Remembered[] {
    const stored = this.place.browser.read<{ version?: unknown; pages?: unknown }>(this.pinsName);
    return stored?.version === version ? readable(stored.pages) : [];
  }
}

const remembered = ({ location, title, words, icon }: OpenPage): Remembered => ({ location, title, words, icon });

const readable = (pages: unknown): Remembered[] => (Array.isArray(pages) ? pages.filter(isRemembered).map((page) => remembered(page as OpenPage)) : []);

function isRemembered(page: unknown): page is Remembered {
  const { location, title, words, icon } = (page ?? {}) as Record<string, unknown>;
  const isPlace = typeof location === 'string' && /^\/(?!\/)/.test(location);
  return isPlace && typeof title === 'string' && (words === undefined || isWords(words)) && (icon === undefined || typeof icon === 'string');
}

const isWords = (value: unknown): value is Words => Array.isArray(value) && value.length === 2 && value.every((word) => typeof word === 'string');
