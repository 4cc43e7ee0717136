import { anonymous } from '../http/admission.ts';
import type { Principal } from './principal.ts';
import type { Tokens } from './tokens.ts';

/** How long a guest may take to ask for an account, in seconds. */
export const guestSeconds = 1800;

/** Nobody of any tenant, but the holder of an identity elsewhere; nothing for any other token. */
export async function guestOf(tokens: Tokens, token: string): Promise<Principal | undefined> {
  const claims = await tokens.readGuest(token);
  return claims && { ...anonymous, guest: { tenantId: claims.tenant_id, oauthId: claims.oauth_id } };
}
