import { BehaviorSubject } from 'rxjs';
import { Slots } from '../slots/slots.ts';
import { ClaimedPages } from './claimed-pages.ts';
import type { PluginRun } from './plugin-run.ts';

/** What running plugins have to show: their pages, and what they put into slots. */
export class Publication {
  private readonly pages = new BehaviorSubject(new ClaimedPages());
  readonly slots: Slots;
  private willPublish = false;
  private isHeld = false;

  readonly pages$ = this.pages.asObservable();

  constructor(
    private readonly running: () => readonly PluginRun[],
    report: (pluginId: string, error: unknown) => void,
  ) {
    this.slots = new Slots(report);
  }

  get claimed(): ClaimedPages {
    return this.pages.value;
  }

  /** Plugins that start at once are published at once: of two hundred, nobody wants two hundred lists. */
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
    // Of two that override one page the one that starts later has it; it may know of the other.
    const pages = [...running.flatMap(({ overrides }) => overrides).reverse(), ...running.flatMap((run) => run.pages)];
    if (pages.length > 0 || this.pages.value.all.length > 0) this.pages.next(new ClaimedPages(pages));
  }

  /** Says nothing until this is done, and then how it has ended: nobody sees what is gone for a moment only. */
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
