import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../../platform/browser/storage.ts';

const version = 1;
const maxPages = 8;

/** Pages this user has visited recently, newest first. */
export class RecentPages extends Store<{ readonly locations: readonly string[] }> {
  constructor(
    private readonly storage: JsonStorage,
    private readonly key: string,
  ) {
    const stored = storage.read<{ version: number; locations: unknown }>(key);
    const locations = stored?.version === version && Array.isArray(stored.locations) ? stored.locations : [];
    super({ locations: locations.filter((location) => typeof location === 'string') });
  }

  visit(location: string): void {
    if (this.state.locations[0] === location) return;
    const others = this.state.locations.filter((other) => other !== location);
    this.update((state) => void Object.assign(state, { locations: [location, ...others].slice(0, maxPages) }));
    this.storage.write(this.key, { version, locations: this.state.locations });
  }

  clear(): void {
    this.update((state) => void Object.assign(state, { locations: [] }));
    this.storage.remove(this.key);
  }
}
