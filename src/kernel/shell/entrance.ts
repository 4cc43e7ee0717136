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
