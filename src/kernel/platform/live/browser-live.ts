import { distinctUntilChanged, filter, map, type Observable, ReplaySubject, Subject } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { LiveOpened, type LiveOpening, PermissionChanged } from '#shared/live';
import { PluginsSwitched } from '#shared/plugin-switches';
import { Live } from './live.ts';
import { shareTabs } from './live-leader-election.ts';
import { isAfter, type LiveMessage } from './live-message.ts';
import type { LiveReaderDeps } from './live-reader.ts';

const remembered = 2000;

/** Dependencies of the service. */
export interface BrowserLiveDeps extends Omit<LiveReaderDeps, 'place' | 'began' | 'hear' | 'signal'> {
  /** Name of the channel that the tabs of one user in one browser share; each user has another one. */
  readonly shareName: string;
}

/** Implements `Live`: reads the server's stream, or receives it from the tab that does, and drops duplicates. */
export class BrowserLive extends Live {
  private readonly messages = new Subject<LiveMessage>();
  private readonly builds = new ReplaySubject<string>(1);
  readonly build$: Observable<string> = this.builds.pipe(distinctUntilChanged());
  private readonly ending = new AbortController();
  private readonly heard = new Set<string>();
  /** Id at which this tab began to listen; events up to it are dropped. */
  private floor = '';
  private place = '';
  private permissions: string | undefined;
  /** Ids of disabled plugins, once the server has sent them. */
  private off: readonly string[] | undefined;
  private safe = false;

  constructor(deps: BrowserLiveDeps) {
    super();
    const { signal } = this.ending;
    const began = Date.now();
    shareTabs({
      name: deps.shareName,
      signal,
      lead: async (pass, leading) => {
        const { readLive } = await import('./live-reader.ts');
        await readLive({
          ...deps,
          signal: leading,
          place: () => this.place,
          began,
          hear: (message) => {
            this.hear(message);
            pass(message);
          },
        });
      },
      follow: (message) => this.hear(message),
      greeting: () => this.greeting(),
    });
  }

  stream<Payload>({ name }: EventToken<Payload>): Observable<Payload> {
    return this.messages.pipe(
      filter((message) => message.name === name),
      map(({ payload }) => payload as Payload),
    );
  }

  dispose(): void {
    this.ending.abort();
    this.messages.complete();
    this.builds.complete();
  }

  private hear(message: LiveMessage): void {
    if (this.ending.signal.aborted) return;
    if (message.name === LiveOpened.name) this.opened(message.payload as LiveOpening, message.id);
    else if (message.id !== undefined && !this.isNew(message.id)) return;
    if (message.name === PluginsSwitched.name) this.off = (message.payload as { off: readonly string[] }).off;
    this.messages.next(message);
  }

  private opened({ build, permissions, off, safe = false }: LiveOpening, id: string | undefined): void {
    if (id !== undefined) {
      this.floor = id;
      this.place = id;
    }
    this.off = off;
    this.safe = safe;
    this.builds.next(build);
    const haveChanged = this.permissions !== undefined && this.permissions !== permissions;
    this.permissions = permissions;
    if (haveChanged) this.messages.next({ name: PermissionChanged.name, payload: {} });
  }

  private isNew(id: string): boolean {
    if (this.heard.has(id) || !isAfter(id, this.floor)) return false;
    this.heard.add(id);
    if (this.heard.size > remembered) this.heard.delete(this.heard.values().next().value as string);
    if (isAfter(id, this.place)) this.place = id;
    return true;
  }

  /** Returns the state a joining tab starts from. That tab has received everything passed on since it joined. */
  private greeting(): LiveMessage | undefined {
    if (this.permissions === undefined) return undefined;
    let build = '';
    this.builds.subscribe((latest) => (build = latest)).unsubscribe();
    const plugins = { safe: this.safe, ...(this.off ? { off: this.off } : {}) };
    return { id: this.place, name: LiveOpened.name, payload: { build, permissions: this.permissions, ...plugins, resumed: true } satisfies LiveOpening };
  }
}
