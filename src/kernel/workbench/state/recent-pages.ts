import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../../platform/browser/storage.ts';

const version = 2;
const maxPages = 8;

/** A page that was visited, in its last state. */
export interface RecentPage {
  /** Key of its tab. */
  readonly key: string;
  readonly location: string;
  /** Description of its state, such as filters. */
  readonly details?: string | undefined;
}

/** Pages this user has visited recently, newest first. */
export class RecentPages extends Store<{ readonly pages: readonly RecentPage[] }> {
  constructor(
    private readonly storage: JsonStorage,
    private readonly name: string,
  ) {
    const stored = storage.read<{ version: number; pages: unknown }>(name);
    const pages = stored?.version === version && Array.isArray(stored.pages) ? stored.pages : [];
    super({ pages: pages.filter((page) => typeof page?.key === 'string' && typeof page.location === 'string') });
  }

  /** Puts a page first; it replaces the former state of its tab. A page that has not described itself yet keeps the description of this location. */
  visit({ key, location, details: described }: RecentPage): void {
    const [first] = this.state.pages;
    const details = described ?? this.state.pages.find((other) => other.key === key && other.location === location)?.details;
    if (first?.key === key && first.location === location && first.details === details) return;
    const others = this.state.pages.filter((other) => other.key !== key && other.location !== location);
    this.set({ pages: [{ key, location, details }, ...others].slice(0, maxPages) });
    this.storage.write(this.name, { version, pages: this.state.pages });
  }

  clear(): void {
    this.set({ pages: [] });
    this.storage.remove(this.name);
  }
}
