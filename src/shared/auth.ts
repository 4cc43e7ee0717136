import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { Done, get, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';
import { type SessionEnding, sessionEndings } from './session-ended.ts';
import type { WayInput } from './sign-in-ways.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** Signs somebody in, once; no log keeps it. */
const once = Unsafe<string>({ type: 'string', maxLength: 2048, writeOnly: true });

/** The grants of the token endpoint, `wire.md` §2.2. */
export interface TokenInput extends WayInput {
  grant_type?: string;
  tenantId?: string;
  username?: string;
  /** Plain, md5 hex or SM2 hex. */
  password?: string;
  refresh_token?: string;
  scope?: string;
  /** Where no Basic header says it: which program asks. */
  client_id?: string;
  client_secret?: string;
  type?: string;
  /** With grant `totp`: what `mfa_required` came with, and a code of the app or a recovery code. */
  mfa_token?: string;
  code?: string;
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
  /** Comma list of what the roles are called; ours. */
  roleName?: string;
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
  detail: {
    type: string;
    /** Of somebody who is nobody's yet: why they were refused an account before; '' without a reason. */
    refused?: string;
  };
  /** The console is looked at as `roleName`, which are not one's own: nothing can be changed; ours. */
  is_preview?: boolean;
  /** The zone in which the deployment reads and sends times, `Asia/Shanghai`; ours. */
  time_zone?: string;
}

/** A refused grant; HTTP 400, outside the envelope, never saying which part was wrong. */
export interface TokenFailure {
  /** `mfa_required` where the password was right and a second factor is asked for. */
  error: string;
  error_description: string;
  mfa_token?: string;
  /** How the session has ended, to the holder of a refresh token of it. */
  ending?: SessionEnding;
}

const Failure = Unsafe<TokenFailure>({
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: '`invalid_grant`, `invalid_client` (401), `mfa_required` or `server_error`.' },
    error_description: { type: 'string', description: 'For people, in the language asked for.' },
    mfa_token: { type: 'string', description: 'With `mfa_required`: what the grant `totp` goes on with.' },
    ending: { type: 'string', enum: [...sessionEndings], description: 'With `refresh_token`: how the session has ended. Absent where it ran out.' },
  },
});

/** Work a browser can do instead of reading the picture (altcha's challenge, version 1). Its solution goes into `Captcha-Code`, with the same `Captcha-Key`. */
export interface WorkChallenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** A captcha; `key` is empty where the deployment asks for none. */
export interface CaptchaReply {
  key: string;
  image: string;
  work?: WorkChallenge;
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
        ['grant_type', 'tenantId', 'username', 'scope', 'type', 'mfa_token', 'source', 'id', 'name', 'email', 'client_id']
          .map((name) => [name, text(128)])
          .concat(['redirect_uri', 'iss', 'phone'].map((name) => [name, text(2048)]))
          .concat(['code', 'state', 'value', 'code_verifier', 'client_secret'].map((name) => [name, once]))
          .concat([
            ['password', text(512)],
            ['refresh_token', text(4096)],
          ]),
      ),
    }),
    reply: Unsafe<TokenReply>({ type: 'object', additionalProperties: true }),
    refusal: Failure,
  }),
  captcha: get('/api/things-auth/oauth/captcha', {
    title: ['验证码', 'Captcha'],
    who: 'open',
    bare: true,
    input: Nothing,
    /** `key` is empty where the deployment asks for no captcha. Read at the top level by one family of clients, under `data` by another. */
    reply: Unsafe<CaptchaReply>({ type: 'object', additionalProperties: true }),
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
  /** Told by `userInfo` alone. */
  choices?: ActingChoices;
}

/** What replies say of an account. */
export type UserFacts = Omit<UserInfo, 'roles' | 'choices' | 'time_zone'>;

/** The departments and roles somebody has; a refresh with the headers `Dept-Id` and `Role-Id` chooses one of each for the session. */
export interface ActingChoices {
  readonly depts: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
}

/** Sets a new password for oneself; each may be plain, md5 hex or SM2 hex, but a new one that is plain must be at least 8 characters. */
export const updatePassword = post('/api/oms-system/user/update-password', {
  title: ['修改密码', 'Change password'],
  who: 'signedIn',
  input: Shape({ id: Omissible(text(19)), oldPassword: text(512), newPassword: text(512), newPassword1: text(512) }),
  reply: Done,
});

export const authProblems = {
  wrongCredentials: problem(400, ['用户名或密码错误', 'The account or password is not correct.']),
  wrongCaptcha: problem(400, ['验证码不正确', 'The verification code is not correct.']),
  wrongOldPassword: problem(400, ['原密码不正确!', 'The current password is not correct.']),
};
