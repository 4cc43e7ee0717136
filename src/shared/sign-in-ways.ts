import { Boolean as Bool, Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { get, post } from './contract.ts';
import { problem } from './errors.ts';
import { Image, Phone } from './fields.ts';

/** What the token endpoint takes for the grants beside account and password, `wire.md` §2.2. */
export interface WayInput {
  /** `social`: where the code comes from. */
  source?: string;
  /** `social`, `authorization_code`: what the provider sent the browser back with. */
  code?: string;
  /** `social`, `authorization_code`: as the provider sent it back; the latter is also taken from `tenantId`. */
  state?: string;
  /** `authorization_code`: the address the browser was sent back to. */
  redirect_uri?: string;
  /** `authorization_code`: passed on where the provider sent one. */
  iss?: string;
  /** `authorization_code` of our own: what `code_challenge` was made of. */
  code_verifier?: string;
  /** `sms_code`: which code was sent, as `send-validate` answered. */
  id?: string;
  /** `sms_code`, `register`: plain or SM2 hex. */
  phone?: string;
  /** `sms_code`: the code as it was typed. */
  value?: string;
  /** `register`. */
  name?: string;
  /** `register`. */
  email?: string;
}

const text = Unsafe<string>({ type: 'string' });
const domain = Unsafe<string>({ type: 'string', maxLength: 255 });
const tenantId = Unsafe<string>({ type: 'string', maxLength: 12 });

/** The ways into one tenant, as the sign-in page offers them. */
const Ways = Shape({
  /** Whoever signs in says of which tenant, unless the address tells. */
  tenantMode: Bool(),
  /** Codes by text message. */
  sms: Bool(),
  /** Names for `oauth/render/{source}`, in the order in which they are offered. */
  social: List(text),
  /** Single sign-on; it begins at `oauth/render/sso`. */
  sso: Bool(),
  /** Somebody with a social or single sign-on identity that is nobody's may ask for an account. */
  guests: Bool(),
  /** Anybody may, by the grant `register`. */
  register: Bool(),
});
export type SignInWays = Static<typeof Ways>;

/** The tenant an address belongs to, before anyone is known; an empty object for an address that is nobody's. */
export const tenantInfo = get('/api/blade-system/tenant/info', {
  title: ['租户信息', 'Tenant of an address'],
  who: 'open',
  input: Shape({ domain: Omissible(domain) }),
  reply: Shape({
    tenantId: Omissible(text),
    domain: Omissible(text),
    backgroundUrl: Omissible(Image({ title: ['登录背景', 'Sign-in background'] })),
    ways: Omissible(Ways),
  }),
});

/** The ways into a tenant (`000000` unless said), for a sign-in page whose address names none. */
export const signInWays = get('/api/things-auth/oauth/ways', {
  title: ['登录方式', 'Ways to sign in'],
  who: 'open',
  input: Shape({ tenantId: Omissible(tenantId) }),
  reply: Ways,
});

/** Sends a one-time code for the grant `sms_code`, good for five minutes. Whether the phone is anybody's cannot be told from the answer. */
export const sendSmsCode = post('/api/things-auth/oauth/sms/send-validate', {
  title: ['发送短信验证码', 'Send a code by text message'],
  who: 'open',
  input: Shape({ tenantId: Omissible(tenantId), phone: Omissible(Unsafe<string>({ type: 'string', maxLength: 512 })) }),
  reply: Shape({ id: text }),
});

/** A phone number as whoever signs in types it: `product.md` §5. */
export const SignInPhone = Phone({ title: ['手机号', 'Phone'] });

/** Why a way in stays closed. */
export const wayProblems = {
  wrongCode: problem(400, ['验证码不正确', 'The code is not correct.']),
  sendTooOften: problem(429, ['发送过于频繁，请在 {seconds} 秒后重试', 'Sent too often. Try again in {seconds} seconds.']),
  notOffered: problem(400, ['未开通该登录方式', 'This way to sign in is not available.']),
  staleState: problem(400, ['登录请求已失效，请重新发起', 'This sign-in is no longer valid. Start again.']),
  providerRefused: problem(400, ['第三方登录失败，请重试', 'The provider did not confirm who you are. Try again.']),
  providerAway: problem(503, ['第三方服务暂不可用，请稍后再试', 'The provider does not answer. Try again later.']),
  invalidGrant: problem(400, ['授权码无效或已过期', 'The authorization code is not valid or has expired.']),
  notLinked: problem(400, ['该账号尚未关联本系统用户', 'This identity is linked to no user here.']),
  awaitingApproval: problem(400, ['账号正在等待管理员审核', 'Your account awaits an administrator’s approval.']),
};
