import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../../platform/browser/storage.ts';

/** Options of the layout. */
export const layouts = ['side', 'top', 'mixed'] as const;
/** Position of the menu: beside the page, above it, or split (groups above the page, their pages beside it). */
export type ShellLayout = (typeof layouts)[number];

/** Settings of the shell of one user. */
export interface ShellPreferences {
  readonly layout: ShellLayout;
  readonly tagBar: boolean;
  readonly sidebarCollapsed: boolean;
  /** True when the home tab can be closed. */
  readonly homeTabClosable: boolean;
  /** True when open pages are restored after a reload of the window. */
  readonly restoreTabs: boolean;
  /** Minutes without activity after which the screen locks itself; 0 means never. */
  readonly idleLockMinutes: number;
  /** True to draw the user's name and the time over every page. */
  readonly watermark: boolean;
}

const version = 1;
const defaults: ShellPreferences = {
  layout: 'side',
  tagBar: false,
  sidebarCollapsed: false,
  homeTabClosable: false,
  restoreTabs: true,
  idleLockMinutes: 0,
  watermark: false,
};

/** Settings of the shell, stored in this browser for each user; settings of another version are ignored. */
export class Preferences extends Store<ShellPreferences> {
  constructor(
    private readonly storage: JsonStorage,
    private readonly key: string,
  ) {
    const stored = storage.read<{ version: number; preference: Partial<ShellPreferences> }>(key);
    super(stored?.version === version ? { ...defaults, ...stored.preference } : defaults);
  }

  change(change: Partial<ShellPreferences>): void {
    this.set(change);
    this.storage.write(this.key, { version, preference: this.state });
  }

  reset(): void {
    this.update(() => defaults);
    this.storage.remove(this.key);
  }
}
