import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import type { LocalizedText } from '../text/text.ts';
import { maxReturnPathLength } from './return-cookie.ts';

/** Source of users of a tenant's own WeChat mini-program, which obtains its code without a browser redirect. */
export const miniProgramSource = 'wechat_mini_program';

/** Supported identity providers, in display order. */
export const socialSources = {
  wechat_open: ['微信', 'WeChat'],
  dingtalk: ['钉钉', 'DingTalk'],
  qq: ['QQ', 'QQ'],
  gitee: ['码云', 'Gitee'],
  github: ['GitHub', 'GitHub'],
  [miniProgramSource]: ['微信小程序', 'WeChat Mini Program'],
} as const satisfies Record<string, LocalizedText>;
export type SocialSource = keyof typeof socialSources;

const providerPattern = /^idp(\d{1,19})$/;

/** Returns the source of the identities of a tenant's identity provider. */
export const providerSource = (id: string) => `idp${id}`;

/** Returns the id of the tenant's identity provider that a source names; undefined for another source. */
export const providerIdOf = (source: string): string | undefined => providerPattern.exec(source)?.[1];

/** Returns the name of a source or of single sign-on; an unknown source is named by its id. */
export function sourceTitle(source: string): LocalizedText {
  if (source === 'sso' || providerIdOf(source)) return ['单点登录', 'Single sign-on'];
  return (socialSources as Readonly<Record<string, LocalizedText>>)[source] ?? [source, source];
}

/** Providers that use a browser redirect. */
export type BrowserSource = Exclude<SocialSource, typeof miniProgramSource>;
export const browserSources = (Object.keys(socialSources) as SocialSource[]).filter((source): source is BrowserSource => source !== miniProgramSource);

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });
const source = text(32);
/** Builds the schema of a credential that works once; it is never logged. */
const oneTimeSecret = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength, writeOnly: true });

const Binding = Type.Object({
  /** `sso` for single sign-on. */
  source,
  /** Name of the user at the provider. */
  name: text(128),
  /** '' where the provider sends none. */
  avatar: text(1024),
  createTime: text(19),
});

/** An external identity that is linked to the account. */
export type SocialBinding = Static<typeof Binding>;

/** Redirects the browser to a provider, or to single sign-on (`sso`). The provider returns it to `{web}/oauth/redirect/{source}`. */
export const socialRedirect = (name: string) =>
  get(`/api/blade-auth/oauth/render/${name}`, {
    title: ['第三方登录', 'Sign in with a provider'],
    access: 'open',
    redirect: true,
    input: Type.Object({
      tenantId: Type.Optional(text(12)),
      /** Set on the redirect to the registered return address, so that it happens only once. */
      moved: Type.Optional(text(1)),
      /** Path in the console to open afterwards, used where the browser must leave the host that it came from. */
      back: Type.Optional(text(maxReturnPathLength)),
    }),
    reply: text(4096),
  });

/** Redirects the browser to an identity provider of a tenant. The provider returns it to `{web}/oauth/redirect/{source}`. */
export const providerRedirect = get('/api/blade-auth/oauth/render/provider', {
  title: ['身份源登录', 'Sign in with an identity provider'],
  access: 'open',
  redirect: true,
  input: Type.Object({ source, ...socialRedirect('').input.properties }),
  reply: text(4096),
});

/** Calls for the caller's own linked identities. */
export const socialBindings = {
  list: get('/api/blade-auth/oauth/binding/list', {
    title: ['第三方账号', 'Linked accounts'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Array(Binding),
  }),
  /** Returns the address of the provider for the browser. The provider redirects it to `{web}/oauth/redirect/{source}` with `code` and `state` for `bind`. */
  start: post('/api/blade-auth/oauth/binding/start', {
    title: ['绑定第三方账号', 'Start linking an account'],
    access: 'signedIn',
    input: Type.Object({
      source,
      /** Origin of the requesting console. */
      from: Type.Optional(text(255)),
    }),
    reply: Type.Object({ location: text(4096) }),
  }),
  bind: post('/api/blade-auth/oauth/binding/bind', {
    title: ['完成绑定', 'Link an account'],
    access: 'signedIn',
    input: Type.Object({
      source,
      code: oneTimeSecret(2048),
      state: oneTimeSecret(256),
      iss: Type.Unsafe<string>({ type: 'string', maxLength: 512, default: '' }),
    }),
    reply: NoContent,
  }),
  unbind: post('/api/blade-auth/oauth/binding/unbind', {
    title: ['解除绑定', 'Unlink an account'],
    access: 'signedIn',
    input: Type.Object({ source }),
    reply: NoContent,
  }),
};

/** Errors of calls that link an identity. */
export const socialProblems = {
  boundToAnother: problem(409, ['该第三方账号已绑定其他用户', 'This account is linked to another user.']),
  /** The browser would return to a console without the user's session. */
  openElsewhere: problem(409, ['请从 {address} 打开控制台后再绑定', 'Open the console at {address} to link an account.']),
  boundAlready: problem(409, ['您已绑定该平台的账号', 'You have already linked an account of this provider.']),
};
