import { anonymous } from '../../http/authorize-call.ts';
import type { Principal } from '../../principal/principal.ts';
import type { Tokens } from './tokens.ts';

/** Seconds an unlinked identity has to request an account. */
export const registrationSeconds = 1800;

/** Returns the principal of an unlinked identity; undefined for any other token. */
export async function unlinkedIdentityOf(tokens: Tokens, token: string): Promise<Principal | undefined> {
  const claims = await tokens.readUnlinkedIdentity(token);
  return claims && { ...anonymous, guest: { tenantId: claims.tenant_id, oauthId: claims.oauth_id } };
}
