import type { TokenReply } from '#shared/auth';
import type { ProviderReturn } from '../../../platform/session/identity-returns.ts';

/** Steps of the sign-in flow. */
export type SignInStep =
  | { readonly kind: 'account' | 'phone' | 'register' }
  /** The password was right. */
  | { readonly kind: 'secondFactor'; readonly token: string; readonly tenantId: string }
  /** The provider's identity is linked to no user. */
  | { readonly kind: 'guest'; readonly reply: TokenReply; readonly source: string }
  /** The browser has come back from a provider. */
  | { readonly kind: 'returned'; readonly returned: ProviderReturn };
