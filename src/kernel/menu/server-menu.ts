import { BehaviorSubject, Subscription } from 'rxjs';
import { type MenuItem, menuRoutes } from '#shared/menus';
import { type Session, SignedIn, SignedOut } from '../auth/session.ts';
import type { Bus } from '../bus.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Http } from '../http/http.ts';
import type { Locale } from '../i18n/locale.ts';
import type { JsonStorage } from '../storage.ts';
import { type MenuState, MenuTree } from './menu.ts';
import { visibleItems } from './visible-items.ts';

const key = 'menu';
interface Kept {
  readonly version: 1;
  readonly owner: string;
  readonly items: readonly MenuItem[];
}

/** What the menu is made of. */
export interface MenuParts {
  readonly http: Http;
  readonly session: Session;
  readonly bus: Bus;
  readonly locale: Locale;
  /** Keeps the last known menu for a reload of this tab. */
  readonly storage: JsonStorage;
}

/** The kernel's `MenuTree`: the server's menu for this user, its last known form shown at once after a reload. */
export class ServerMenu extends MenuTree {
  private readonly subject = new BehaviorSubject<MenuState>({ status: 'unknown' });
  readonly state$ = this.subject.asObservable();
  private readonly lifetime = new Subscription();
  private request: AbortController | undefined;

  constructor(private readonly parts: MenuParts) {
    super();
    this.lifetime.add(parts.bus.on(SignedOut, () => this.forget()));
    this.lifetime.add(parts.bus.on(SignedIn, () => void this.load()));
  }

  get state(): MenuState {
    return this.subject.value;
  }

  async load(): Promise<void> {
    const user = this.parts.session.user;
    if (!user) return;
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    const known = this.known();
    this.subject.next(known ? { status: 'stale', items: known } : { status: 'loading' });
    const outcome = await this.asked(request.signal);
    if (this.request !== request) return;
    this.request = undefined;
    if (typeof outcome === 'string') {
      if (!known) this.subject.next({ status: 'failed', message: outcome });
      return;
    }
    const items = visibleItems(outcome, user.roles);
    this.parts.storage.write(key, { version: 1, owner: this.owner(), items } satisfies Kept);
    this.subject.next({ status: 'ready', items });
  }

  dispose(): void {
    this.request?.abort();
    this.request = undefined;
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  /** The items, or in words why there are none. */
  private async asked(signal: AbortSignal): Promise<readonly MenuItem[] | string> {
    try {
      const answer = await this.parts.http.send(menuRoutes, {}, { signal, quiet: true });
      return answer.success ? (answer.data ?? []) : answer.msg;
    } catch (error) {
      return error instanceof TransportError ? this.parts.locale.say(error.words) : String(error);
    }
  }

  private known(): readonly MenuItem[] | undefined {
    if (this.state.status === 'ready' || this.state.status === 'stale') return this.state.items;
    const kept = this.parts.storage.read<Kept>(key);
    return kept?.version === 1 && kept.owner === this.owner() ? kept.items : undefined;
  }

  private owner(): string {
    const user = this.parts.session.user;
    return user ? `${user.tenant_id}/${user.user_id}` : '';
  }

  private forget(): void {
    this.request?.abort();
    this.request = undefined;
    this.parts.storage.remove(key);
    this.subject.next({ status: 'unknown' });
  }
}
