import { distinctUntilChanged, filter, map, type Observable, ReplaySubject, Subject } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { LiveOpened, type LiveOpening, PermissionChanged } from '#shared/live';
import { electLeader } from './leader-election.ts';
import { Live } from './live.ts';
import { isAfter, type LiveMessage } from './live-message.ts';
import type { LiveReaderDeps } from './live-reader.ts';

const maxSeenIds = 2000;

/** Dependencies of the service. */
export interface BrowserLiveDeps extends Omit<LiveReaderDeps, 'lastEventId' | 'listeningSince' | 'onMessage' | 'signal'> {
  /** Name of the channel that the tabs of one user in one browser share; each user has another one. */
  readonly shareName: string;
}

/** Implements `Live`: reads the server's stream, or receives it from the tab that does, and drops duplicates. */
export class BrowserLive extends Live {
  private readonly messages = new Subject<LiveMessage>();
  private readonly builds = new ReplaySubject<string>(1);
  readonly build$: Observable<string> = this.builds.pipe(distinctUntilChanged());
  private readonly disposal = new AbortController();
  private readonly seenIds = new Set<string>();
  /** Id at which this tab began to listen; events up to it are dropped. */
  private firstId = '';
  private lastEventId = '';
  private permissions: string | undefined;
  /** Ids of disabled plugins, once the server has sent them. */
  private disabledPlugins: readonly string[] | undefined;
  private isSafeMode = false;

  constructor(deps: BrowserLiveDeps) {
    super();
    const { signal } = this.disposal;
    const listeningSince = Date.now();
    electLeader({
      name: deps.shareName,
      signal,
      lead: async (broadcast, leading) => {
        const { readLive } = await import('./live-reader.ts');
        await readLive({
          ...deps,
          signal: leading,
          lastEventId: () => this.lastEventId,
          listeningSince,
          onMessage: (message) => {
            this.onMessage(message);
            broadcast(message);
          },
        });
      },
      onMessage: (message) => this.onMessage(message),
      snapshot: () => this.snapshot(),
    });
  }

  stream<Payload>({ name }: EventToken<Payload>): Observable<Payload> {
    return this.messages.pipe(
      filter((message) => message.name === name),
      map(({ payload }) => payload as Payload),
    );
  }

  dispose(): void {
    this.disposal.abort();
    this.messages.complete();
    this.builds.complete();
  }

  private onMessage(message: LiveMessage): void {
    if (this.disposal.signal.aborted) return;
    if (message.name === LiveOpened.name) this.onOpened(message.payload as LiveOpening, message.id);
    else if (message.id !== undefined && !this.isNew(message.id)) return;
    if (message.name === PluginsSwitched.name) this.disabledPlugins = (message.payload as { disabledPlugins: readonly string[] }).disabledPlugins;
    this.messages.next(message);
  }

  private onOpened({ build, permissions, off: disabledPlugins, safe: isSafeMode = false }: LiveOpening, id: string | undefined): void {
    if (id !== undefined) {
      this.firstId = id;
      this.lastEventId = id;
    }
    this.disabledPlugins = disabledPlugins;
    this.isSafeMode = isSafeMode;
    this.builds.next(build);
    const haveChanged = this.permissions !== undefined && this.permissions !== permissions;
    this.permissions = permissions;
    if (haveChanged) this.messages.next({ name: PermissionChanged.name, payload: {} });
  }

  private isNew(id: string): boolean {
    if (this.seenIds.has(id) || !isAfter(id, this.firstId)) return false;
    this.seenIds.add(id);
    if (this.seenIds.size > maxSeenIds) this.seenIds.delete(this.seenIds.values().next().value as string);
    if (isAfter(id, this.lastEventId)) this.lastEventId = id;
    return true;
  }

  /** Returns the state from which a new tab starts. That tab has received every message broadcast since it joined. */
  private snapshot(): LiveMessage | undefined {
    if (this.permissions === undefined) return undefined;
    let build = '';
    this.builds.subscribe((latest) => (build = latest)).unsubscribe();
    const plugins = { isSafeMode: this.isSafeMode, ...(this.disabledPlugins ? { disabledPlugins: this.disabledPlugins } : {}) };
    return { id: this.lastEventId, name: LiveOpened.name, payload: { build, permissions: this.permissions, ...plugins, resumed: true } satisfies LiveOpening };
  }
}
