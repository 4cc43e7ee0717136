import { Subscription } from 'rxjs';
import { Store } from '#kernel';

/** State of an open panel or page. It loads once, however often it is shown, and ignores replies that arrive after it was closed. */
export abstract class PanelStore<State extends object> extends Store<State> {
  readonly lifetime = new Subscription();
  private hasLoaded = false;

  loadOnce(): void {
    if (this.hasLoaded) return;
    this.hasLoaded = true;
    void this.load();
  }

  abstract load(): Promise<void>;

  protected patch(part: Partial<State>): void {
    if (!this.lifetime.closed) this.update(() => ({ ...this.state, ...part }));
  }
}
