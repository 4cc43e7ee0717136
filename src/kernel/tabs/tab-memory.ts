import type { JsonStorage } from '../storage.ts';
import { keyOf, type OpenPage } from './tab-rules.ts';

const version = 1;

type Remembered = Pick<OpenPage, 'location' | 'title' | 'icon'>;

/** Keeps the open pages of one user and tenant over a reload of this window; what another version wrote is left alone. */
export class TabMemory {
  constructor(
    private readonly storage: JsonStorage,
    private readonly key: string,
  ) {}

  read(): OpenPage[] {
    const stored = this.storage.read<{ version?: unknown; pages?: unknown }>(this.key);
    if (stored?.version !== version || !Array.isArray(stored.pages)) return [];
    return stored.pages.filter(isRemembered).map((page) => ({ ...page, key: keyOf(page.location), generation: 0, dirty: false }));
  }

  write(pages: readonly OpenPage[]): void {
    this.storage.write(this.key, { version, pages: pages.map(({ location, title, icon }) => ({ location, title, icon })) });
  }

  forget(): void {
    this.storage.remove(this.key);
  }
}

function isRemembered(page: unknown): page is Remembered {
  const { location, title, icon } = (page ?? {}) as Record<string, unknown>;
  return typeof location === 'string' && location.startsWith('/') && typeof title === 'string' && (icon === undefined || typeof icon === 'string');
}
