import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { Done, get, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** The grants of the token endpoint, `wire.md` §2.2. */
export interface TokenInput {
  grant_type?: string;
  tenantId?: string;
  username?: string;
  /** Plain, md5 hex or SM2 hex. */
  password?: string;
  refresh_token?: string;
  scope?: string;
  type?: string;
}

/** What the token endpoint answers when it grants. */
export interface TokenReply {
  tenant_id: string;
  user_id: string;
  dept_id: string;
  post_id: string;
  role_id: string;
  oauth_id: string;
  account: string;
  user_name: string;
  nick_name: string;
  real_name: string;
  /** Comma list of role aliases. */
  role_name: string;
  avatar: string;
  access_token: string;
  refresh_token: string;
  token_type: 'bearer';
  /** Life of the access token in seconds. */
  expires_in: number;
  /** 0 for an administrator, 1 otherwise: elements marked for administrators are removed when it is greater than 0. */
  is_admin: number;
  depart_id: string;
  company_id: string;
  /** True: the generated password must be changed before anything else. */
  password_expired: boolean;
  detail: { type: string };
}

/** A refused grant; HTTP 400, outside the envelope, never saying which part was wrong. */
export interface TokenFailure {
  error: string;
  error_description: string;
}

/** The calls a session begins and ends with. Every path is served under `/api/blade-auth` as well. */
export const oauth = {
  token: post('/api/things-auth/oauth/token', {
    title: ['登录', 'Sign in'],
    who: 'open',
    bare: true,
    input: Unsafe<TokenInput>({
      type: 'object',
      properties: Object.fromEntries(
        ['grant_type', 'tenantId', 'username', 'scope', 'type']
          .map((name) => [name, text(128)])
          .concat([
            ['password', text(512)],
            ['refresh_token', text(4096)],
          ]),
      ),
    }),
    reply: Unsafe<TokenReply>({ type: 'object', additionalProperties: true }),
  }),
  captcha: get('/api/things-auth/oauth/captcha', {
    title: ['验证码', 'Captcha'],
    who: 'open',
    bare: true,
    input: Nothing,
    /** `key` is empty where the deployment asks for no captcha. Read at the top level by one family of clients, under `data` by another. */
    reply: Unsafe<{ key: string; image: string }>({ type: 'object', additionalProperties: true }),
  }),
  logout: get('/api/things-auth/oauth/logout', { title: ['退出登录', 'Sign out'], who: 'open', input: Nothing, reply: Done }),
  userInfo: get('/api/blade-auth/oauth/user-info', {
    title: ['当前用户', 'Current user'],
    who: 'signedIn',
    input: Nothing,
    reply: Unsafe<UserInfo>({ type: 'object', additionalProperties: true }),
  }),
};

/** The signed-in user as the console knows it. */
export interface UserInfo extends Omit<TokenReply, 'access_token' | 'refresh_token' | 'token_type' | 'expires_in'> {
  /** Role aliases. */
  roles: string[];
}

/** Sets a new password for oneself; each may be plain, md5 hex or SM2 hex, but a new one that is plain must be at least 8 characters. */
export const updatePassword = post('/api/oms-system/user/update-password', {
  title: ['修改密码', 'Change password'],
  who: 'signedIn',
  input: Shape({ id: Omissible(text(19)), oldPassword: text(512), newPassword: text(512), newPassword1: text(512) }),
  reply: Done,
});

export const authProblems = {
  wrongCredentials: problem(400, ['用户名或密码错误', 'Wrong account or password.']),
  wrongCaptcha: problem(400, ['验证码不正确', 'The code is not correct.']),
  tooManyFailures: problem(400, ['用户登录失败次数过多', 'Too many failed sign-ins. Please try again in 30 minutes.']),
  tooManyFailuresFromAddress: problem(400, ['用户登录失败次数过多，请稍后再试', 'Too many failed sign-ins. Please try again later.']),
  unknownClient: problem(401, ['客户端认证失败', 'Client authentication failed.']),
  grantNotAllowed: problem(400, ['不支持的授权类型', 'This grant type is not allowed.']),
  refreshExpired: problem(400, ['登录已过期,请重新登录', 'Your session has expired. Please sign in again.']),
  confirmationDiffers: problem(400, ['请输入正确的确认密码!', 'The two new passwords are not the same.']),
  wrongOldPassword: problem(400, ['原密码不正确!', 'The old password is not correct.']),
  weakPassword: problem(400, ['密码至少8位,且须同时包含字母和数字', 'A password needs at least 8 characters with letters and digits.']),
  samePassword: problem(400, ['新密码不能与原密码相同', 'The new password must differ from the old one.']),
};
