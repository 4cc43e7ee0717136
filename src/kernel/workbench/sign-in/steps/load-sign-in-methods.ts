import { type SignInOptions, type SignInProvider, signInOptions, tenantInfo } from '#shared/sign-in-options';
import type { Http } from '../../../platform/http/http.ts';
import type { OfferedMethod, SignInMethod } from './sign-in-method.ts';

/** Sign-in methods of a tenant, which the address of the console may determine. */
export interface AvailableSignInMethods {
  /** Set when the address belongs to a tenant. */
  readonly tenantId?: string | undefined;
  readonly ways?: SignInOptions | undefined;
  /** Picture of the tenant, shown beside the form. */
  readonly backgroundUrl?: string | undefined;
}

/** Resolves when a picture is decoded and can be shown at once; rejects when it cannot be shown. */
export async function preloadPicture(address: string): Promise<string> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return address;
}

/** Looks the sign-in methods up by the address of the console; an address of no tenant falls back to the given tenant. */
export async function loadSignInMethods(http: Http, tenantId: string): Promise<AvailableSignInMethods> {
  const answer = await http.send(tenantInfo, { domain: location.host }, { quiet: true });
  const info = answer.success ? (answer.data ?? {}) : {};
  return info.tenantId || info.ways ? info : { ways: await loadSignInMethodsOf(http, tenantId) };
}

/** Returns the sign-in methods of a tenant; `undefined` when the request fails. */
export async function loadSignInMethodsOf(http: Http, tenantId: string): Promise<SignInOptions | undefined> {
  const answer = await http.send(signInOptions, { tenantId }, { quiet: true });
  return answer.success ? answer.data : undefined;
}

/** Lists the methods that the server offers, in the order of their plugins in the manifest. */
export function offeredMethods(methods: readonly SignInMethod[], ways: SignInOptions): OfferedMethod[] {
  const fields: Readonly<Record<string, boolean | readonly (string | SignInProvider)[]>> = ways;
  return methods.flatMap((method) => {
    const value = fields[method.id] ?? false;
    const offered = value === true ? [method.id] : value || [];
    const providers = offered.filter((one) => typeof one !== 'string');
    const values = offered.map((one) => (typeof one === 'string' ? one : one.source));
    return values.length === 0 ? [] : [{ method, values, providers }];
  });
}
