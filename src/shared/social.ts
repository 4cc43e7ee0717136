import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, get, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';
import type { Words } from './text.ts';
import { longestBack } from './way-back.ts';

/** The source of those who come from a tenant's own mini-program: it brings a code by itself, no browser is sent anywhere. */
export const miniProgramSource = 'wechat_mini_program';

/** The providers this product speaks with, in the order in which they are offered. */
export const socialSources = {
  wechat_open: ['微信', 'WeChat'],
  dingtalk: ['钉钉', 'DingTalk'],
  qq: ['QQ', 'QQ'],
  gitee: ['码云', 'Gitee'],
  github: ['GitHub', 'GitHub'],
  [miniProgramSource]: ['微信小程序', 'WeChat mini-program'],
} as const satisfies Record<string, Words>;
export type SocialSource = keyof typeof socialSources;

/** Those that browsers are sent to. */
export type BrowserSource = Exclude<SocialSource, typeof miniProgramSource>;
export const browserSources = (Object.keys(socialSources) as SocialSource[]).filter((source): source is BrowserSource => source !== miniProgramSource);

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });
const source = text(32);
/** Proves somebody, once; no log keeps it. */
const once = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength, writeOnly: true });

const Binding = Shape({
  /** `sso` for single sign-on. */
  source,
  /** What the provider calls them. */
  name: text(128),
  /** '' where the provider gives none. */
  avatar: text(1024),
  createTime: text(19),
});

/** An identity elsewhere that signs one in here. */
export type SocialBinding = Static<typeof Binding>;

/** Sends the browser to a source, or to single sign-on (`sso`): an address for `location`. It comes back to `{web}/oauth/redirect/{source}`. */
export const render = (name: string) =>
  get(`/api/blade-auth/oauth/render/${name}`, {
    title: ['第三方登录', 'Sign in elsewhere'],
    who: 'open',
    redirect: true,
    input: Shape({
      tenantId: Omissible(text(12)),
      /** Set on the way to the address that providers send browsers back to, so that nobody goes there twice. */
      moved: Omissible(text(1)),
      /** Where to go in the console afterwards, from its path on. Used where the browser has to leave the host it came by. */
      back: Omissible(text(longestBack)),
    }),
    reply: text(4096),
  });

/** One's own identities elsewhere. */
export const socialBindings = {
  list: get('/api/blade-auth/oauth/binding/list', {
    title: ['第三方账号', 'Linked identities'],
    who: 'signedIn',
    input: Nothing,
    reply: List(Binding),
  }),
  /** Where to send the browser; it comes back to `{web}/oauth/redirect/{source}` with `code` and `state`, for `bind`. */
  start: post('/api/blade-auth/oauth/binding/start', {
    title: ['绑定第三方账号', 'Begin to link an identity'],
    who: 'signedIn',
    input: Shape({
      source,
      /** The origin of the console that asks. */
      from: Omissible(text(255)),
    }),
    reply: Shape({ location: text(4096) }),
  }),
  bind: post('/api/blade-auth/oauth/binding/bind', {
    title: ['完成绑定', 'Link an identity'],
    who: 'signedIn',
    input: Shape({ source, code: once(2048), state: once(256), iss: Unsafe<string>({ type: 'string', maxLength: 512, default: '' }) }),
    reply: Done,
  }),
  unbind: post('/api/blade-auth/oauth/binding/unbind', {
    title: ['解除绑定', 'Unlink an identity'],
    who: 'signedIn',
    input: Shape({ source }),
    reply: Done,
  }),
};

/** Why an identity is not linked. */
export const socialProblems = {
  boundToAnother: problem(409, ['该第三方账号已绑定其他用户', 'This identity is linked to another user.']),
  /** The browser would come back to a console that does not know whose it is. */
  openElsewhere: problem(409, ['请从 {address} 打开控制台后再绑定', 'Open the console at {address} to link an identity.']),
  boundAlready: problem(409, ['您已绑定该平台的账号', 'You have already linked an identity of this provider.']),
};
