import type { EventToken } from '#shared/contract';
import type { Log } from './log.ts';

type Listener = { readonly plugin: string; readonly handle: (payload: unknown) => void | Promise<void> };

/** Event bus between server plugins. Events are delivered after their transaction has committed; a listener that fails does not stop the others. */
export class ServerBus {
  private readonly listeners = new Map<string, Listener[]>();
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly db: { afterCommit(work: () => void): void },
    private readonly log: Log,
  ) {}

  emit<Payload>(event: EventToken<Payload>, payload: Payload): void {
    this.db.afterCommit(() => {
      for (const listener of this.listeners.get(event.name) ?? []) this.deliver(event.name, listener, payload);
    });
  }

  on<Payload>(plugin: string, event: EventToken<Payload>, handle: (payload: Payload) => void | Promise<void>): void {
    const listeners = this.listeners.get(event.name) ?? [];
    this.listeners.set(event.name, [...listeners, { plugin, handle: handle as Listener['handle'] }]);
  }

  /** Removes every listener of a plugin. */
  unregister(plugin: string): void {
    for (const [name, listeners] of this.listeners) {
      this.listeners.set(
        name,
        listeners.filter((listener) => listener.plugin !== plugin),
      );
    }
  }

  /** Waits for listeners that are still running. */
  async settle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private deliver(event: string, { plugin, handle }: Listener, payload: unknown): void {
    const work: Promise<void> = (async () => handle(payload))()
      .catch((error) => this.log.error({ err: error, plugin, event }, 'a listener failed'))
      .then(() => void this.pending.delete(work));
    this.pending.add(work);
  }
}
