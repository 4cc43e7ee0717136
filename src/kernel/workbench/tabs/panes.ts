import { Subscription } from 'rxjs';
import type { LocalizedText } from '#shared/text';
import { type HistoryChange, PageAddress } from '../../ui/pane/page-address.ts';
import { createSetDirty, type Pane } from '../../ui/pane/pane-context.ts';

/** Callbacks for the state that a page reports. */
export interface PaneListener {
  onDirty(dirty: boolean): void;
  onTitle?(title: LocalizedText | undefined): void;
  onDetails?(details: string): void;
  onAddress?(search: string, change: HistoryChange): void;
}

/** Search part of a location. */
export const searchIn = (location: string): string => /\?[^#]*/.exec(location)?.[0] ?? '';

/** A pane with the subscription that ends it, for its creator. */
export type PaneHandle = Pane & { readonly lifetime: Subscription; readonly address: PageAddress };

/** Creates a pane for one page. Once its lifetime has ended, the pane ignores all calls. */
export function createPane({ onDirty, onTitle, onDetails, onAddress }: PaneListener, location = '', key?: string): PaneHandle {
  const lifetime = new Subscription();
  const controller = new AbortController();
  lifetime.add(() => controller.abort());
  return {
    ...(key === undefined ? {} : { key }),
    lifetime,
    signal: controller.signal,
    setDirty: createSetDirty((dirty) => lifetime.closed || onDirty(dirty)),
    setTitle: (title) => lifetime.closed || onTitle?.(title),
    setDetails: (details) => lifetime.closed || onDetails?.(details),
    address: new PageAddress(searchIn(location), (search, change) => lifetime.closed || onAddress?.(search, change)),
  };
}

/** Panes of mounted tabs by key; a pane is one object for the lifetime of its page. */
export class Panes {
  private readonly panes = new Map<string, PaneHandle>();

  constructor(private readonly listenerOf: (key: string) => PaneListener) {}

  /** Returns the pane of a tab, or creates it at this location. */
  of(key: string, location: string): Pane {
    const existing = this.panes.get(key);
    if (existing) return existing;
    const pane = createPane(this.listenerOf(key), location, key);
    this.panes.set(key, pane);
    return pane;
  }

  /** Passes the location of a tab to its page. */
  follow(key: string, location: string): void {
    this.panes.get(key)?.address.follow(searchIn(location));
  }

  end(key: string): void {
    this.panes.get(key)?.lifetime.unsubscribe();
    this.panes.delete(key);
  }

  /** Ends the panes of all tabs except these. */
  keepOnly(alive: readonly string[]): void {
    for (const key of [...this.panes.keys()]) if (!alive.includes(key)) this.end(key);
  }
}
