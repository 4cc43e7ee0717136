import { distinctUntilChanged, filter, map, type Observable, ReplaySubject, Subject } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { LiveOpened, type LiveOpening, PermissionChanged } from '#shared/live';
import { electLeader } from './leader-election.ts';
import { Live } from './live.ts';
import { isAfter, type LiveMessage } from './live-message.ts';
import type { LiveReaderDeps } from './live-reader.ts';

const maxSeenIds = 2000;

/** Dependencies of `BrowserLive`. */
export interface BrowserLiveDeps extends Omit<LiveReaderDeps, 'lastEventId' | 'listeningSince' | 'onMessage' | 'signal'> {
  /** Name of the channel that the tabs of one user in one browser share. */
  readonly channelName: string;
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
      name: deps.channelName,
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
    else if (message.id !== undefined && !this.accept(message.id)) return;
    if (message.name === PluginsSwitched.name) this.disabledPlugins = (message.payload as { off: readonly string[] }).off;
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
    const permissionsChanged = this.permissions !== undefined && this.permissions !== permissions;
    this.permissions = permissions;
    if (permissionsChanged) this.messages.next({ name: PermissionChanged.name, payload: {} });
  }

  /** Remembers the id; returns false for an event that this tab has seen or that precedes its start. */
  private accept(id: string): boolean {
    if (this.seenIds.has(id) || !isAfter(id, this.firstId)) return false;
    this.seenIds.add(id);
    if (this.seenIds.size > maxSeenIds) this.seenIds.delete(this.seenIds.values().next().value as string);
    if (isAfter(id, this.lastEventId)) this.lastEventId = id;
    return true;
  }

  /** Returns the state with which a new tab starts, as the opening event that it has missed. */
  private snapshot(): LiveMessage | undefined {
    if (this.permissions === undefined) return undefined;
    let build = '';
    this.builds.subscribe((latest) => (build = latest)).unsubscribe();
    const payload: LiveOpening = {
      build,
      permissions: this.permissions,
      ...(this.disabledPlugins ? { off: this.disabledPlugins } : {}),
      safe: this.isSafeMode,
      resumed: true,
    };
    return { id: this.lastEventId, name: LiveOpened.name, payload };
  }
}
