import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../../platform/browser/storage.ts';

const version = 1;
const limit = 8;

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
    this.update((draft) => {
      draft.locations = [location, ...draft.locations.filter((other) => other !== location)].slice(0, limit);
    });
    this.storage.write(this.key, { version, locations: this.state.locations });
  }

  clear(): void {
    this.update((draft) => {
      draft.locations = [];
    });
    this.storage.remove(this.key);
  }
}
