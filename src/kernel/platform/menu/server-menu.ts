import { BehaviorSubject, Subscription } from 'rxjs';
import { menuRoutes, type TopMenu, topMenus } from '#shared/menus';
import type { Bus } from '../../base/bus/bus.ts';
import type { JsonStorage } from '../browser/storage.ts';
import type { Http } from '../http/http.ts';
import { TransportError } from '../http/transport-error.ts';
import type { Locale } from '../i18n/locale.ts';
import { RolesChanged, type Session, SignedIn, SignedOut } from '../session/session.ts';
import { sessionKeys } from '../session/session-keys.ts';
import { ownerOf } from '../session/stored-session.ts';
import { type LoadedMenu, type MenuState, MenuTree } from './menu.ts';
import { visibleItems } from './menu-items.ts';

const key = sessionKeys.menu;
interface CachedMenu extends LoadedMenu {
  readonly version: 1;
  readonly owner: string;
}

/** Dependencies of `ServerMenu`. */
export interface ServerMenuDeps {
  readonly http: Http;
  readonly session: Session;
  readonly bus: Bus;
  readonly locale: Locale;
  /** Stores the last known menu for a reload of this tab. */
  readonly storage: JsonStorage;
}

/** Implements `MenuTree`: the server's menu for this user; after a reload the last known menu is shown at once. */
export class ServerMenu extends MenuTree {
  private readonly subject = new BehaviorSubject<MenuState>({ status: 'unknown' });
  readonly state$ = this.subject.asObservable();
  private readonly lifetime = new Subscription();
  private request: AbortController | undefined;

  constructor(private readonly deps: ServerMenuDeps) {
    super();
    this.lifetime.add(deps.bus.on(SignedOut, ({ reason }) => this.reset(reason === 'refused')));
    this.lifetime.add(deps.bus.on(SignedIn, () => void this.load()));
    this.lifetime.add(deps.bus.on(RolesChanged, () => void this.load()));
  }

  get state(): MenuState {
    return this.subject.value;
  }

  async load(): Promise<void> {
    const user = this.deps.session.user;
    if (!user) return;
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    const cachedMenu = this.readCachedMenu();
    this.subject.next(cachedMenu ? { status: 'stale', ...cachedMenu } : { status: 'loading' });
    const outcome = await this.fetchMenu(request.signal);
    if (this.request !== request) return;
    this.request = undefined;
    if (typeof outcome === 'string') {
      this.subject.next(cachedMenu ? { status: 'stale', ...cachedMenu, failure: outcome } : { status: 'failed', message: outcome });
      return;
    }
    const menu = { ...outcome, items: visibleItems(outcome.items, (this.deps.session.user ?? user).roles) };
    this.deps.storage.write(key, { version: 1, owner: this.owner(), ...menu } satisfies CachedMenu);
    this.subject.next({ status: 'ready', ...menu });
  }

  dispose(): void {
    this.request?.abort();
    this.request = undefined;
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  /** Fetches the menu; resolves with an error message after a failure. */
  private async fetchMenu(signal: AbortSignal): Promise<LoadedMenu | string> {
    try {
      const [answer, loadedTopMenus] = await Promise.all([this.deps.http.send(menuRoutes, {}, { signal, quiet: true }), this.fetchTopMenus(signal)]);
      if (!answer.success) return answer.msg;
      return { items: answer.data ?? [], ...(loadedTopMenus.length > 0 ? { topMenus: loadedTopMenus } : {}) };
    } catch (error) {
      return error instanceof TransportError ? this.deps.locale.t(error.localizedMessage) : String(error);
    }
  }

  /** Falls back to no top menus, because the menu works without them. */
  private async fetchTopMenus(signal: AbortSignal): Promise<readonly TopMenu[]> {
    const answer = await this.deps.http.send(topMenus, {}, { signal, quiet: true }).catch(() => undefined);
    return answer?.success ? (answer.data ?? []) : [];
  }

  private readCachedMenu(): LoadedMenu | undefined {
    const stored = this.deps.storage.read<CachedMenu>(key);
    const known = 'items' in this.state ? this.state : stored?.version === 1 && stored.owner === this.owner() ? stored : undefined;
    return known && { items: known.items, ...(known.topMenus ? { topMenus: known.topMenus } : {}) };
  }

  private owner(): string {
    const { user } = this.deps.session;
    return user ? ownerOf(user) : '';
  }

  /** Drops the menu. An expired session may be continued, so the last known menu stays on screen until someone signs in. */
  private reset(mayContinue: boolean): void {
    this.request?.abort();
    this.request = undefined;
    const cachedMenu = this.readCachedMenu();
    this.deps.storage.remove(key);
    this.subject.next(mayContinue && cachedMenu ? { status: 'stale', ...cachedMenu } : { status: 'unknown' });
  }
}
