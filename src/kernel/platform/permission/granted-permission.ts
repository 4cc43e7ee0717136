import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable, Subscription } from 'rxjs';
import { type MenuItem, menuButtons } from '#shared/menus';
import type { Bus } from '../../base/bus/bus.ts';
import type { JsonStorage } from '../browser/storage.ts';
import type { Http } from '../http/http.ts';
import type { MenuTree } from '../menu/menu.ts';
import { RolesChanged, type Session, SignedIn, SignedOut } from '../session/session.ts';
import { sessionKeys } from '../session/session-keys.ts';
import { ownerOf } from '../session/stored-session.ts';
import { Permission } from './permission.ts';

const storageKey = sessionKeys.permissions;

interface CachedPermission {
  readonly version: 1;
  readonly owner: string;
  readonly codes: readonly string[];
}

/** Dependencies of `GrantedPermission`. */
export interface GrantedPermissionDeps {
  readonly http: Http;
  readonly session: Session;
  readonly menu: MenuTree;
  readonly bus: Bus;
  /** Stores the last known codes for a reload of this tab. */
  readonly storage: JsonStorage;
}

/** Implements `Permission` with the codes of the buttons that the server lists and of the pages in the menu. */
export class GrantedPermission extends Permission {
  private readonly buttons = new BehaviorSubject<readonly string[]>([]);
  private readonly codes = new BehaviorSubject<ReadonlySet<string>>(new Set());
  readonly codes$ = this.codes.asObservable();
  readonly isAdministrator$: Observable<boolean>;
  private readonly lifetime = new Subscription();
  private request: AbortController | undefined;

  constructor(private readonly deps: GrantedPermissionDeps) {
    super();
    this.isAdministrator$ = deps.session.user$.pipe(
      map((user) => user !== undefined && !(user.is_admin > 0)),
      distinctUntilChanged(),
    );
    this.lifetime.add(
      combineLatest([this.buttons, deps.menu.state$])
        .pipe(
          map(([buttons, menu]) => new Set([...buttons, ...('items' in menu ? pageCodes(menu.items) : [])])),
          distinctUntilChanged(isSame),
        )
        .subscribe((codes) => this.codes.next(codes)),
    );
    this.lifetime.add(deps.bus.on(SignedOut, ({ reason }) => this.reset(reason === 'refused')));
    this.lifetime.add(deps.bus.on(SignedIn, () => void this.load()));
    this.lifetime.add(deps.bus.on(RolesChanged, () => void this.load()));
  }

  may(code: string): boolean {
    return this.codes.value.has(code);
  }

  async load(): Promise<void> {
    const { user } = this.deps.session;
    if (!user) return;
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    const owner = ownerOf(user);
    const stored = this.deps.storage.read<CachedPermission>(storageKey);
    if (stored?.version === 1 && stored.owner === owner && this.buttons.value.length === 0) this.buttons.next(stored.codes);
    const answer = await this.deps.http.send(menuButtons, {}, { signal: request.signal, quiet: true }).catch(() => undefined);
    if (this.request !== request || !answer?.success) return;
    const codes = leafCodes((answer.data ?? []) as MenuItem[]);
    this.deps.storage.write(storageKey, { version: 1, owner, codes } satisfies CachedPermission);
    this.buttons.next(codes);
  }

  dispose(): void {
    this.request?.abort();
    this.request = undefined;
    this.lifetime.unsubscribe();
    this.codes.complete();
  }

  private reset(mayContinue: boolean): void {
    this.request?.abort();
    this.request = undefined;
    this.deps.storage.remove(storageKey);
    if (!mayContinue) this.buttons.next([]);
  }
}

function isSame(before: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  return before.size === now.size && [...before].every((code) => now.has(code));
}

/** Returns the codes of a tree's leaves, which are the buttons that the server grants. */
export function leafCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => (item.children?.length ? leafCodes(item.children) : item.code ? [item.code] : []));
}

/** Returns the codes of a menu's entries, groups included. */
export function pageCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => [...(item.code ? [item.code] : []), ...pageCodes(item.children ?? [])]);
}
