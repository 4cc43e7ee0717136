import { safeReturn } from '../router/safe-return.ts';

/** What the history entry of the sign-in page carries: where the operator was going. */
interface Wish {
  readonly wanted?: string;
}

const here = () => location.pathname + location.search + location.hash;

/** Shows `/login` in the address bar; the address that was asked for is kept for afterwards where it should be. */
export function showSignIn(keepsAddress: boolean): void {
  if (location.pathname === '/login') return;
  const wish: Wish = keepsAddress ? { wanted: here() } : {};
  history.replaceState(wish, '', '/login');
}

/** Where the operator was going before the sign-in page stood in the way; home where nowhere. */
export function wishedAddress(): string {
  return safeReturn((history.state as Wish | null)?.wanted) ?? '/';
}

/** Leaves `/login` for the address that was asked for, home where there was none. */
export function leaveSignIn(): void {
  if (location.pathname !== '/login') return;
  const wanted = (history.state as Wish | null)?.wanted;
  history.replaceState(null, '', safeReturn(wanted) ?? '/');
}

/** The error page that was opened by its address; nobody has to be signed in for it. */
export function openProblem(): 403 | 404 | 500 | undefined {
  const status = Number(/^\/(403|404|500)\/?$/.exec(location.pathname)?.[1]);
  return status === 403 || status === 404 || status === 500 ? status : undefined;
}

/** The addresses that stand in for the one that is waiting behind them. */
export type HeldAddress = '/lock' | '/login';

/** Holds the address at `/lock` or `/login` while the console waits behind it. */
export interface AddressHold {
  hold(at: HeldAddress): void;
  /** Goes back to the page that waited; the console's router hears only now where the browser's buttons went meanwhile. */
  release(): void;
  dispose(): void;
}

/** Begins before the console's router does: of two listeners of the window the first hears first, and may keep what it heard. */
export function addressHold(): AddressHold {
  let held: HeldAddress | undefined;
  let hasMoved = false;
  const keep = (event: PopStateEvent) => {
    if (!held) return;
    event.stopImmediatePropagation();
    hasMoved = true;
    cover(held);
  };
  window.addEventListener('popstate', keep);
  return {
    hold(at) {
      held = at;
      hasMoved = false;
      cover(at);
    },
    release() {
      if (held) uncover(held);
      held = undefined;
      if (hasMoved) window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    },
    dispose: () => window.removeEventListener('popstate', keep),
  };
}

/** The history entry keeps the address that waits, and whatever the router had put there. */
function cover(at: HeldAddress): void {
  if (location.pathname === at) return;
  history.replaceState({ wanted: here(), before: history.state }, '', at);
}

function uncover(at: HeldAddress): void {
  if (location.pathname !== at) return;
  const { wanted, before = null } = (history.state ?? {}) as Wish & { readonly before?: unknown };
  history.replaceState(before, '', safeReturn(wanted) ?? '/');
}
