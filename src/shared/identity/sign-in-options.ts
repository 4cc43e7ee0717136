import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get } from '../contract/contract.ts';
import { Image } from '../contract/fields.ts';

/** Parameters of the token endpoint for the grants besides account and password. */
export interface GrantInput {
  /** `social`: provider of the code. `ldap`: directory that knows the account. */
  source?: string;
  /** `social`, `authorization_code`: code that the provider returned with the browser. */
  code?: string;
  /** `social`, `authorization_code`: state as the provider returned it; the latter grant also reads it from `tenantId`. */
  state?: string;
  /** `authorization_code`: redirect address of the request. */
  redirect_uri?: string;
  /** `authorization_code`: issuer, where the provider sent one. */
  iss?: string;
  /** `authorization_code` of this server: PKCE verifier of `code_challenge`. */
  code_verifier?: string;
  /** `sms_code`: id of the code, as `send-validate` answered it. */
  id?: string;
  /** `sms_code`, `register`: phone number in plain text or as SM2 hex. */
  phone?: string;
  /** `sms_code`: code that the user typed. */
  value?: string;
  /** `register`: name of the user. */
  name?: string;
  /** `register`: e-mail of the user. */
  email?: string;
}

const text = Type.Unsafe<string>({ type: 'string' });
const domain = Type.Unsafe<string>({ type: 'string', maxLength: 255 });
const tenantId = Type.Unsafe<string>({ type: 'string', maxLength: 12 });

const SignInProviderSchema = Type.Object({
  /** Source of its identities; of one that redirects, the name for `oauth/render/{source}` as well. */
  source: text,
  /** Text of its button. */
  name: text,
  /** `redirect` sends the browser to the provider; `password` asks for the account and password of a directory, for the grant `ldap`. */
  kind: Type.Unsafe<'redirect' | 'password'>({ type: 'string', enum: ['redirect', 'password'] }),
});
/** Identity provider of a tenant on the sign-in page. */
export type SignInProvider = Static<typeof SignInProviderSchema>;

/** Sign-in methods of one tenant, as the sign-in page shows them. */
const SignInOptionsSchema = Type.Object({
  /** True if the user must enter a tenant, unless the address determines it. */
  tenantMode: Type.Boolean(),
  /** True for codes by text message. */
  sms: Type.Boolean(),
  /** Names for `oauth/render/{source}`, in display order. */
  social: Type.Array(text),
  /** True for single sign-on, which starts at `oauth/render/sso`. */
  sso: Type.Boolean(),
  /** Identity providers that the tenant has set up. */
  providers: Type.Array(SignInProviderSchema),
  /** True if the holder of an unlinked social or single sign-on identity can request an account. */
  guests: Type.Boolean(),
  /** True if anyone can request an account, by the grant `register`. */
  register: Type.Boolean(),
  /** True for passkeys without account and password. */
  passkey: Type.Boolean(),
});
export type SignInOptions = Static<typeof SignInOptionsSchema>;

/** Reply for a tenant without further sign-in methods. */
export const noSignInMethods: SignInOptions = {
  tenantMode: false,
  sms: false,
  social: [],
  sso: false,
  providers: [],
  guests: false,
  register: false,
  passkey: false,
};

/** Returns the tenant of an address before sign-in, or an empty object for an unknown address. */
export const tenantInfo = get('/api/blade-system/tenant/info', {
  title: ['租户信息', 'Tenant by address'],
  access: 'open',
  input: Type.Object({ domain: Type.Optional(domain) }),
  reply: Type.Object({
    tenantId: Type.Optional(text),
    domain: Type.Optional(text),
    backgroundUrl: Type.Optional(Image({ title: ['登录背景', 'Sign-in background'] })),
    ways: Type.Optional(SignInOptionsSchema),
  }),
});

/** Returns the sign-in methods of a tenant (default `000000`), for a sign-in page whose address determines none. */
export const signInOptions = get('/api/things-auth/oauth/ways', {
  title: ['登录方式', 'Sign-in methods'],
  access: 'open',
  input: Type.Object({ tenantId: Type.Optional(tenantId) }),
  reply: SignInOptionsSchema,
});
