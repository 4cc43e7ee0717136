import { BehaviorSubject, Subscription } from 'rxjs';
import { menuRoutes, type TopMenu, topMenus } from '#shared/menus';
import { RolesChanged, type Session, SignedIn, SignedOut } from '../auth/session.ts';
import type { Bus } from '../bus.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Http } from '../http/http.ts';
import type { Locale } from '../i18n/locale.ts';
import type { JsonStorage } from '../storage.ts';
import { type KnownMenu, type MenuState, MenuTree } from './menu.ts';
import { visibleItems } from './visible-items.ts';

const key = 'menu';
interface Kept extends KnownMenu {
  readonly version: 1;
  readonly owner: string;
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
    this.lifetime.add(parts.bus.on(SignedOut, ({ reason }) => this.forget(reason === 'refused')));
    this.lifetime.add(parts.bus.on(SignedIn, () => void this.load()));
    this.lifetime.add(parts.bus.on(RolesChanged, () => void this.load()));
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
    this.subject.next(known ? { status: 'stale', ...known } : { status: 'loading' });
    const outcome = await this.asked(request.signal);
    if (this.request !== request) return;
    this.request = undefined;
    if (typeof outcome === 'string') {
      this.subject.next(known ? { status: 'stale', ...known, failure: outcome } : { status: 'failed', message: outcome });
      return;
    }
    const menu = { ...outcome, items: visibleItems(outcome.items, (this.parts.session.user ?? user).roles) };
    this.parts.storage.write(key, { version: 1, owner: this.owner(), ...menu } satisfies Kept);
    this.subject.next({ status: 'ready', ...menu });
  }

  dispose(): void {
    this.request?.abort();
    this.request = undefined;
    this.lifetime.unsubscribe();
    this.subject.complete();
  }

  /** The menu, or in words why there is none. */
  private async asked(signal: AbortSignal): Promise<KnownMenu | string> {
    try {
      const [answer, tops] = await Promise.all([this.parts.http.send(menuRoutes, {}, { signal, quiet: true }), this.askedTops(signal)]);
      if (!answer.success) return answer.msg;
      return { items: answer.data ?? [], ...(tops.length > 0 ? { topMenus: tops } : {}) };
    } catch (error) {
      return error instanceof TransportError ? this.parts.locale.say(error.words) : String(error);
    }
  }

  /** A menu without its parts is still a menu. */
  private async askedTops(signal: AbortSignal): Promise<readonly TopMenu[]> {
    const answer = await this.parts.http.send(topMenus, {}, { signal, quiet: true }).catch(() => undefined);
    return answer?.success ? (answer.data ?? []) : [];
  }

  private known(): KnownMenu | undefined {
    const kept = this.parts.storage.read<Kept>(key);
    const from = 'items' in this.state ? this.state : kept?.version === 1 && kept.owner === this.owner() ? kept : undefined;
    return from && { items: from.items, ...(from.topMenus ? { topMenus: from.topMenus } : {}) };
  }

  private owner(): string {
    const user = this.parts.session.user;
    return user ? `${user.tenant_id}/${user.user_id}` : '';
  }

  /** A session that ran out may be continued: what is on screen stays until somebody has signed in. */
  private forget(mayContinue: boolean): void {
    this.request?.abort();
    this.request = undefined;
    const known = this.known();
    this.parts.storage.remove(key);
    this.subject.next(mayContinue && known ? { status: 'stale', ...known } : { status: 'unknown' });
  }
}
