import { backCookie } from '#shared/way-back';
import { safeReturn } from '../router/safe-return.ts';
import type { JsonStorage } from '../storage.ts';

/** Why the browser went to a provider, and where the operator was going. */
export interface Errand {
  readonly purpose: 'signIn' | 'binding';
  readonly back: string;
}

/** What a provider sent the browser back with. */
export interface Returned extends Errand {
  /** The provider; `sso` for single sign-on. */
  readonly source: string;
  readonly code: string;
  readonly state: string;
  readonly iss: string;
  /** In the provider's terms, where it refused: `access_denied`. */
  readonly error: string;
  /** The address it came back to. */
  readonly address: string;
}

const name = 'errand';
const path = /^\/oauth\/redirect\/([\w-]{1,32})\/?$/;

/** Sends the browser to a provider and reads, as soon as it is back, what it came back with; the address bar and its history keep none of that. */
export class IdentityReturns {
  private returned: Returned | undefined;

  /** The storage is this window's, for it is this window that comes back. */
  constructor(private readonly storage: JsonStorage) {
    const source = path.exec(location.pathname)?.[1];
    if (source === undefined) return;
    const given = new URLSearchParams(location.search);
    const value = (key: string) => given.get(key) ?? '';
    const { purpose = 'signIn', back = '/' } = storage.read<Partial<Errand>>(name) ?? { back: backFromElsewhere() };
    storage.remove(name);
    const address = location.origin + location.pathname;
    this.returned = { purpose, back, source, address, code: value('code'), state: value('state'), iss: value('iss'), error: value('error') };
    history.replaceState(purpose === 'signIn' ? { wanted: back } : null, '', purpose === 'signIn' ? '/login' : back);
  }

  leave(to: string, errand: Errand): void {
    this.storage.write(name, errand);
    location.assign(to);
  }

  /** What came back for this purpose, once. */
  take(purpose: Errand['purpose']): Returned | undefined {
    const { returned } = this;
    if (returned?.purpose !== purpose) return undefined;
    this.returned = undefined;
    return returned;
  }
}

/** Where a browser was going that set out under another host, whose storage is not ours; home for everybody else. */
function backFromElsewhere(): string {
  const told = new URLSearchParams(document.cookie.replaceAll('; ', '&')).get(backCookie.name);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only.
  document.cookie = `${backCookie.name}=; path=${backCookie.path}; max-age=0`;
  return safeReturn(told) ?? '/';
}
