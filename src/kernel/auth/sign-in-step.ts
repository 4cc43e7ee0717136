import type { TokenReply } from '#shared/auth';
import type { Returned } from './identity-returns.ts';

/** Where somebody who signs in has got to. */
export type SignInStep =
  | { readonly kind: 'account' | 'phone' | 'register' }
  /** The password was right. */
  | { readonly kind: 'secondFactor'; readonly token: string; readonly tenantId: string }
  /** An identity of somebody whom nobody here knows. */
  | { readonly kind: 'guest'; readonly reply: TokenReply; readonly source: string }
  /** Back from a provider. */
  | { readonly kind: 'returned'; readonly returned: Returned };
