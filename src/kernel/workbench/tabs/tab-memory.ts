import type { LocalizedText } from '#shared/text';
import type { JsonStorage } from '../../platform/browser/storage.ts';
import { sessionKeys } from '../../platform/session/session-keys.ts';
import { isSamePath, type OpenPage, type PageToOpen } from './tab-rules.ts';

const version = 3;

type StoredTab = Pick<OpenPage, 'key' | 'location' | 'title' | 'ownTitle' | 'icon'>;

/** Storage and owner of the remembered tabs. */
export interface TabMemoryScope {
  /** Storage of this window: its open pages survive a reload. */
  readonly window: JsonStorage;
  /** Storage of this browser: pinned tabs open in every new window. */
  readonly browser: JsonStorage;
  /** Tenant and user. */
  readonly owner: string;
  /** Id of the build: the pages of another build may differ. */
  readonly build: string;
}

/** Stores the open pages and the pinned tabs of one user; open pages of another build, and entries of another version, are ignored. */
export class TabMemory {
  private readonly name: string;
  private readonly pinsName: string;

  constructor(private readonly scope: TabMemoryScope) {
    this.name = `${sessionKeys.tabs}${scope.owner}`;
    this.pinsName = `pins:${scope.owner}`;
  }

  /** Returns the pages that were open in this window, if `restores`, and all pinned ones. */
  read(restores: boolean): PageToOpen[] {
    const pins = this.pins();
    const pages = restores ? this.pages() : [];
    const isPinned = ({ key }: StoredTab) => pins.some((pin) => pin.key === key);
    return [...pages.map((page) => ({ ...page, pinned: isPinned(page) })), ...pins.map((pin) => ({ ...pin, pinned: true }))];
  }

  write(pages: readonly OpenPage[]): void {
    this.scope.window.write(this.name, { version, build: this.scope.build, pages: pages.map(toStored) });
  }

  /** Adds or removes one pinned page, in the state in which it opens, and keeps the others, because another window may have changed them since. */
  pin(page: OpenPage, pinned: boolean): void {
    const others = this.pins().filter(({ key }) => key !== page.key);
    this.scope.browser.write(this.pinsName, { version, pages: pinned ? [...others, toStored({ ...page, location: page.key })] : others });
  }

  /** Removes the open pages; pinned ones are a preference and stay. */
  clear(): void {
    this.scope.window.remove(this.name);
  }

  removePins(): void {
    this.scope.browser.remove(this.pinsName);
  }

  private pages(): StoredTab[] {
    const stored = this.scope.window.read<{ version?: unknown; build?: unknown; pages?: unknown }>(this.name);
    return stored?.version === version && stored.build === this.scope.build ? parseStored(stored.pages) : [];
  }

  private pins(): StoredTab[] {
    const stored = this.scope.browser.read<{ version?: unknown; pages?: unknown }>(this.pinsName);
    return stored?.version === version ? parseStored(stored.pages) : [];
  }
}

const toStored = ({ key, location, title, ownTitle, icon }: StoredTab): StoredTab => ({ key, location, title, ownTitle, icon });

const parseStored = (pages: unknown): StoredTab[] => (Array.isArray(pages) ? pages.filter(isStoredTab).map(toStored) : []);

function isStoredTab(page: unknown): page is StoredTab {
  const { key, location, title, ownTitle, icon } = (page ?? {}) as Record<string, unknown>;
  const isPath = typeof location === 'string' && typeof key === 'string' && /^\/(?!\/)/.test(location) && isSamePath(key, location);
  return isPath && typeof title === 'string' && (ownTitle === undefined || isLocalizedText(ownTitle)) && (icon === undefined || typeof icon === 'string');
}

const isLocalizedText = (value: unknown): value is LocalizedText =>
  Array.isArray(value) && value.length === 2 && value.every((word) => typeof word === 'string');
