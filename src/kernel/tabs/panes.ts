import { Subscription } from 'rxjs';
import type { Words } from '#shared/text';
import { dirtySources } from './dirty-sources.ts';
import type { Pane } from './pane-context.ts';

/** What a page may say of itself. */
export interface PaneListener {
  onDirty(dirty: boolean): void;
  onTitle?(words: Words | undefined): void;
}

/** A pane with its end. */
export type LivingPane = Pane & { readonly lifetime: Subscription };

/** A pane for one page; what a page that has ended still says is not heard. */
export function livingPane({ onDirty, onTitle }: PaneListener, key?: string): LivingPane {
  const lifetime = new Subscription();
  const ending = new AbortController();
  lifetime.add(() => ending.abort());
  return {
    ...(key === undefined ? {} : { key }),
    lifetime,
    signal: ending.signal,
    setDirty: dirtySources((dirty) => lifetime.closed || onDirty(dirty)),
    setTitle: (words) => lifetime.closed || onTitle?.(words),
  };
}

/** The panes of living tabs, by key: one object for as long as the page lives. */
export class Panes {
  private readonly panes = new Map<string, LivingPane>();

  constructor(private readonly listenerOf: (key: string) => PaneListener) {}

  of(key: string): Pane {
    const known = this.panes.get(key);
    if (known) return known;
    const pane = livingPane(this.listenerOf(key), key);
    this.panes.set(key, pane);
    return pane;
  }

  end(key: string): void {
    this.panes.get(key)?.lifetime.unsubscribe();
    this.panes.delete(key);
  }

  /** Ends those that are not among the living. */
  keep(alive: readonly string[]): void {
    for (const key of [...this.panes.keys()]) if (!alive.includes(key)) this.end(key);
  }
}
