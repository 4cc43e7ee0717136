import type { JsonStorage } from '../storage.ts';
import { Store } from '../store.ts';

/** Where the menu stands: beside the page, above it, or its groups above and their pages beside. */
export type ShellLayout = 'side' | 'top' | 'mixed';

/** How one operator likes the shell. */
export interface Preference {
  readonly layout: ShellLayout;
  readonly tagBar: boolean;
  readonly sidebarCollapsed: boolean;
  /** The home tab may be closed like any other. */
  readonly homeTabClosable: boolean;
  /** Open pages are there again after a reload of the window. */
  readonly restoreTabs: boolean;
  /** Minutes without activity after which the screen locks itself; 0 never. */
  readonly idleLockMinutes: number;
  /** Name and time over every page. */
  readonly watermark: boolean;
}

const version = 1;
const defaults: Preference = {
  layout: 'side',
  tagBar: false,
  sidebarCollapsed: false,
  homeTabClosable: false,
  restoreTabs: true,
  idleLockMinutes: 0,
  watermark: false,
};

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
