import { returnCookie } from '#shared/return-cookie';
import { currentPath, withBase } from '../browser/base-path.ts';
import type { JsonStorage } from '../browser/storage.ts';
import { safeReturn } from './safe-return.ts';

/** Reason the browser went to a provider, and the address the operator was going to. */
export interface ProviderVisit {
  readonly purpose: 'signIn' | 'binding';
  readonly back: string;
}

/** Parameters a provider sent the browser back with. */
export interface ProviderReturn extends ProviderVisit {
  /** The provider; `sso` for single sign-on. */
  readonly source: string;
  readonly code: string;
  readonly state: string;
  readonly iss: string;
  /** Error code of the provider when it refused, such as `access_denied`. */
  readonly error: string;
  /** Address the browser came back to. */
  readonly address: string;
}

const name = 'errand';
const pathPattern = /^\/oauth\/redirect\/([\w-]{1,32})\/?$/;

/** Sends the browser to a provider and reads the parameters it comes back with; it removes them from the address bar and the history at once. */
export class IdentityReturns {
  private returned: ProviderReturn | undefined;

  /** `storage` is the session storage of this window, because the same window comes back. */
  constructor(private readonly storage: JsonStorage) {
    const source = pathPattern.exec(currentPath())?.[1];
    if (source === undefined) return;
    const params = new URLSearchParams(location.search);
    const value = (key: string) => params.get(key) ?? '';
    const { purpose = 'signIn', back = '/' } = storage.read<Partial<ProviderVisit>>(name) ?? { back: readReturnCookie() };
    storage.remove(name);
    const address = location.origin + location.pathname;
    this.returned = { purpose, back, source, address, code: value('code'), state: value('state'), iss: value('iss'), error: value('error') };
    history.replaceState(purpose === 'signIn' ? { returnTo: back } : null, '', withBase(purpose === 'signIn' ? '/login' : back));
  }

  leave(to: string, visit: ProviderVisit): void {
    this.storage.write(name, visit);
    location.assign(to);
  }

  /** Returns the parameters that came back for this purpose, once. */
  take(purpose: ProviderVisit['purpose']): ProviderReturn | undefined {
    const { returned } = this;
    if (returned?.purpose !== purpose) return undefined;
    this.returned = undefined;
    return returned;
  }
}

/** Reads the return address of a browser that left from another host, whose storage is not readable here, from a cookie; `/` without one. */
function readReturnCookie(): string {
  const cookieValue = new URLSearchParams(document.cookie.replaceAll('; ', '&')).get(returnCookie.name);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only.
  document.cookie = `${returnCookie.name}=; path=${withBase(returnCookie.path)}; max-age=0`;
  return safeReturn(cookieValue) ?? '/';
}
