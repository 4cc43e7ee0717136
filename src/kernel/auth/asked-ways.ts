import { type SignInWays, signInWays, tenantInfo } from '#shared/sign-in-ways';
import type { Http } from '../http/http.ts';

/** The ways into a tenant, which the address of the console may name. */
export interface KnownWays {
  /** Given where the address is a tenant's. */
  readonly tenantId?: string | undefined;
  readonly ways?: SignInWays | undefined;
  /** A picture of the tenant's, for beside the form. */
  readonly backgroundUrl?: string | undefined;
}

/** Resolves when a picture can be shown at once; rejects for one that cannot be shown. */
export async function loadedPicture(address: string): Promise<string> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return address;
}

/** Asks by the address of the console first; one that is nobody's is asked about once more by the tenant. */
export async function askedWays(http: Http, tenantId: string): Promise<KnownWays> {
  const answer = await http.send(tenantInfo, { domain: location.host }, { quiet: true });
  const known = answer.success ? (answer.data ?? {}) : {};
  return known.tenantId || known.ways ? known : { ways: await askedWaysOf(http, tenantId) };
}

/** The ways into a tenant that was named; nothing where nobody answers. */
export async function askedWaysOf(http: Http, tenantId: string): Promise<SignInWays | undefined> {
  const answer = await http.send(signInWays, { tenantId }, { quiet: true });
  return answer.success ? answer.data : undefined;
}
