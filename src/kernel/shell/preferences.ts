import type { JsonStorage } from '../storage.ts';
import { Store } from '../store.ts';

/** How one operator likes the shell. */
export interface Preference {
  readonly tagBar: boolean;
  readonly sidebarCollapsed: boolean;
  /** The home tab may be closed like any other. */
  readonly homeTabClosable: boolean;
}

const version = 1;
const defaults: Preference = { tagBar: false, sidebarCollapsed: false, homeTabClosable: false };

/** The shell's settings, kept in this browser for each user; what another version wrote is left alone. */
export class Preferences extends Store<Preference> {
  constructor(
    private readonly storage: JsonStorage,
    private readonly key: string,
  ) {
    const stored = storage.read<{ version: number; preference: Partial<Preference> }>(key);
    super(stored?.version === version ? { ...defaults, ...stored.preference } : defaults);
  }

  change(change: Partial<Preference>): void {
    this.update((draft) => void Object.assign(draft, change));
    this.storage.write(this.key, { version, preference: this.state });
  }

  reset(): void {
    this.update(() => defaults);
    this.storage.remove(this.key);
  }
}
