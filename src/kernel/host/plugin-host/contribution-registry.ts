import { BehaviorSubject } from 'rxjs';
import { Slots } from '../../ui/slots/slots.ts';
import type { PluginInstance } from './plugin-instance.ts';
import { RegisteredPages } from './registered-pages.ts';

/** Publishes the pages and slot contributions of running plugins. */
export class ContributionRegistry {
  private readonly pages = new BehaviorSubject(new RegisteredPages());
  readonly slots: Slots;
  private willPublish = false;
  private isHeld = false;

  readonly pages$ = this.pages.asObservable();

  constructor(
    private readonly running: () => readonly PluginInstance[],
    report: (pluginId: string, error: unknown) => void,
  ) {
    this.slots = new Slots(report);
  }

  get claimed(): RegisteredPages {
    return this.pages.value;
  }

  /** Batches plugins that start in the same tick, so that two hundred plugins do not publish two hundred lists. */
  soon(): void {
    if (this.willPublish) return;
    this.willPublish = true;
    queueMicrotask(() => this.willPublish && this.now());
  }

  now(): void {
    this.willPublish = false;
    if (this.isHeld) return;
    const running = this.running();
    this.slots.put(running.flatMap(({ fillings }) => fillings));
    // Of two plugins that override one page the later one wins, because it may know of the other.
    const pages = [...running.flatMap(({ overrides }) => overrides).reverse(), ...running.flatMap((run) => run.pages)];
    if (pages.length > 0 || this.pages.value.all.length > 0) this.pages.next(new RegisteredPages(pages));
  }

  /** Publishes nothing until the work is done and then only the result, so that parts that are gone for a moment do not flicker. */
  async after(work: () => Promise<void>): Promise<void> {
    this.isHeld = true;
    try {
      await work();
    } finally {
      this.isHeld = false;
      this.now();
    }
  }

  dispose(): void {
    this.isHeld = true;
    this.pages.complete();
    this.slots.dispose();
  }
}
