import { currentPath, withBase } from '../../platform/browser/base-path.ts';
import { safeReturn } from '../../platform/session/safe-return.ts';

/** State of the sign-in page's history entry: the address that the operator has requested. */
interface SignInState {
  readonly returnTo?: string;
}

const here = () => currentPath() + location.search + location.hash;

/** Shows `/login` in the address bar and, if `keepsAddress`, remembers the requested address. */
export function showSignIn(keepsAddress: boolean): void {
  if (currentPath() === '/login') return;
  const state: SignInState = keepsAddress ? { returnTo: here() } : {};
  history.replaceState(state, '', withBase('/login'));
}

/** Returns the address that the operator requested before the sign-in page was shown; `/` without one. */
export function returnToAddress(): string {
  return safeReturn((history.state as SignInState | null)?.returnTo) ?? '/';
}

/** Leaves `/login` for the requested address, or for `/` without one. */
export function leaveSignIn(): void {
  if (currentPath() !== '/login') return;
  history.replaceState(null, '', withBase(returnToAddress()));
}

/** Returns the status of the error page that the address requests; it needs no sign-in. */
export function requestedErrorPage(): 403 | 404 | 500 | undefined {
  const status = Number(/^\/(403|404|500)\/?$/.exec(currentPath())?.[1]);
  return status === 403 || status === 404 || status === 500 ? status : undefined;
}

/** Tests whether the address is that of the lock page, which needs no sign-in. */
export const isLockPageRequested = (): boolean => /^\/lock\/?$/.test(currentPath());

/** Addresses shown in place of the console's own while it waits. */
export type LockedAddress = '/lock' | '/login';

/** Keeps the address at `/lock` or `/login` while the console waits for the user to unlock it or to sign in. */
export interface UrlLock {
  lock(at: LockedAddress): void;
  /** Restores the address of the page. If the user has gone back or forward in the meantime, the console's router is notified now. */
  release(): void;
  dispose(): void;
}

/** Creates the lock. It must be created before the console's router, so that its window listener runs first and can withhold events from the router. */
export function createUrlLock(): UrlLock {
  let lockedAt: LockedAddress | undefined;
  let hasMoved = false;
  const onPopState = (event: PopStateEvent) => {
    if (!lockedAt) return;
    event.stopImmediatePropagation();
    hasMoved = true;
    replaceAddress(lockedAt);
  };
  window.addEventListener('popstate', onPopState);
  return {
    lock(at) {
      lockedAt = at;
      hasMoved = false;
      replaceAddress(at);
    },
    release() {
      if (lockedAt) restoreAddress(lockedAt);
      lockedAt = undefined;
      if (hasMoved) window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    },
    dispose: () => window.removeEventListener('popstate', onPopState),
  };
}

/** Replaces the address, and stores the original one and the router's state in the history entry. */
function replaceAddress(at: LockedAddress): void {
  if (currentPath() === at) return;
  history.replaceState({ returnTo: here(), before: history.state }, '', withBase(at));
}

function restoreAddress(at: LockedAddress): void {
  if (currentPath() !== at) return;
  const { returnTo, before = null } = (history.state ?? {}) as SignInState & { readonly before?: unknown };
  history.replaceState(before, '', withBase(safeReturn(returnTo) ?? '/'));
}
