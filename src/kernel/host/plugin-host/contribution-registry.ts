import { BehaviorSubject } from 'rxjs';
import { Slots } from '../../ui/slots/slots.ts';
import type { PluginInstance } from './plugin-instance.ts';
import { RegisteredPages } from './registered-pages.ts';

/** Publishes the pages and slot contributions of running plugins. */
export class ContributionRegistry {
  private readonly pages = new BehaviorSubject(new RegisteredPages());
  readonly slots: Slots;
  private willPublish = false;
  private isPaused = false;

  readonly pages$ = this.pages.asObservable();

  constructor(
    private readonly running: () => readonly PluginInstance[],
    report: (pluginId: string, error: unknown) => void,
  ) {
    this.slots = new Slots(report);
  }

  get registeredPages(): RegisteredPages {
    return this.pages.value;
  }

  /** Batches plugins that start in the same tick, so that two hundred plugins do not publish two hundred lists. */
  publishSoon(): void {
    if (this.willPublish) return;
    this.willPublish = true;
    queueMicrotask(() => this.willPublish && this.publish());
  }

  publish(): void {
    this.willPublish = false;
    if (this.isPaused) return;
    const running = this.running();
    this.slots.setContributions(running.flatMap(({ contributions }) => contributions));
    // Of two plugins that override one page the later one wins, because it may know of the other.
    const pages = [...running.flatMap(({ overrides }) => overrides).reverse(), ...running.flatMap((instance) => instance.pages)];
    if (pages.length > 0 || this.pages.value.all.length > 0) this.pages.next(new RegisteredPages(pages));
  }

  /** Publishes nothing during a change and the result after it, so that contributions that a restart removes and adds again do not flicker. */
  async pausePublishingDuring(change: () => Promise<void>): Promise<void> {
    this.isPaused = true;
    try {
      await change();
    } finally {
      this.isPaused = false;
      this.publish();
    }
  }

  dispose(): void {
    this.isPaused = true;
    this.pages.complete();
    this.slots.dispose();
  }
}
