import { withBase } from '../browser/base-path.ts';

/** Account and one-time password that an invitation link carries. */
export interface Invitation {
  readonly tenantId: string;
  readonly account: string;
  readonly password: string;
}

/** Returns the link by which a person sets their password. Its fragment never leaves the browser, so that no server, proxy or log sees it. */
export const invitationLink = ({ tenantId, account, password }: Invitation): string =>
  `${location.origin}${withBase('/login')}#${new URLSearchParams({ invitation: password, tenant: tenantId, account })}`;

/** Reads the invitation from the address and removes it there and from the history of the browser; undefined for any other address. */
export function takeInvitation(): Invitation | undefined {
  if (!location.hash.startsWith('#invitation=')) return undefined;
  const parts = new URLSearchParams(location.hash.slice(1));
  history.replaceState(history.state, '', location.pathname + location.search);
  const [password, tenantId, account] = [parts.get('invitation'), parts.get('tenant'), parts.get('account')];
  return password && tenantId && account ? { tenantId, account, password } : undefined;
}
