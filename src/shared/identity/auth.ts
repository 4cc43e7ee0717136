import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import type { SecondFactorKind } from './second-factor.ts';
import { type SessionEnding, sessionEndings } from './session-ended.ts';
import type { GrantInput } from './sign-in-options.ts';

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

/** Credential that works once; it is never logged. */
const oneTimeSecret = Type.Unsafe<string>({ type: 'string', maxLength: 2048, writeOnly: true });

/** Input of the token endpoint for all its grants. */
export interface TokenInput extends GrantInput {
  /** Grant type. A username without it means `captcha` where the request has the header `Captcha-Key`, else `password`. */
  grant_type?: string;
  tenantId?: string;
  username?: string;
  /** Password in plain text, as MD5 hex or as SM2 hex. */
  password?: string;
  refresh_token?: string;
  scope?: string;
  /** Client id, for a request without a Basic header. */
  client_id?: string;
  client_secret?: string;
  type?: string;
  /** `totp` grant: the `mfa_token` of the `mfa_required` failure, and a code of the authenticator app or a recovery code. */
  mfa_token?: string;
  code?: string;
  /** `passkey` grant: the id of the attempt from the challenge, and the credential of the authenticator as JSON. Together with `mfa_token` the passkey is the second factor. */
  attempt?: string;
  credential?: string;
}

/** Successful reply of the token endpoint. */
export interface TokenReply {
  tenant_id: string;
  /** Name of the tenant; absent for the platform tenant. */
  tenant_name?: string;
  user_id: string;
  dept_id: string;
  post_id: string;
  role_id: string;
  oauth_id: string;
  account: string;
  user_name: string;
  nick_name: string;
  real_name: string;
  /** Role aliases, separated by commas. */
  role_name: string;
  /** Role names, separated by commas. Only this server sends it. */
  roleName?: string;
  /** The same names in English, where they differ. Only this server sends it. */
  roleNameEn?: string;
  avatar: string;
  access_token: string;
  refresh_token: string;
  token_type: 'bearer';
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** 0 for an administrator, 1 otherwise. Clients remove elements marked for administrators when it is greater than 0. */
  is_admin: number;
  depart_id: string;
  company_id: string;
  /** True while the generated password must be changed before anything else. */
  password_expired: boolean;
  /** True while a role of the user requires a second factor and the user has none; until it is set up, nothing else is allowed. Only this server sends it. */
  second_factor_missing?: boolean;
  detail: {
    type: string;
    /** Reason why the account request of an unlinked identity was refused; '' where no reason was given. */
    refused?: string;
  };
  /** True in a role preview: the console shows the roles of `roleName`, and nothing can be changed. Only this server sends it. */
  is_preview?: boolean;
  /** Time zone in which the deployment reads and sends times, such as `Asia/Shanghai`. Only this server sends it. */
  time_zone?: string;
}

/** Failed grant: HTTP 400, outside the envelope. It never says which part of the credentials was wrong. */
export interface TokenFailure {
  /** `mfa_required` where the password was right and a second factor is required. */
  error: string;
  error_description: string;
  mfa_token?: string;
  /** Second factors of the account: `totp`, `passkey`. */
  mfa_methods?: SecondFactorKind[];
  /** Reason why the session has ended, if the request had one of its refresh tokens. */
  ending?: SessionEnding;
}

const Failure = Type.Unsafe<TokenFailure>({
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: '`invalid_grant`, `invalid_client` (401), `mfa_required` or `server_error`.' },
    error_description: { type: 'string', description: 'Message for users, in the requested language.' },
    mfa_token: { type: 'string', description: 'With `mfa_required`: token for the grants `totp` and `passkey`.' },
    mfa_methods: {
      type: 'array',
      items: { type: 'string', enum: ['totp', 'passkey'] satisfies SecondFactorKind[] },
      description: 'With `mfa_required`: second factors of the account.',
    },
    ending: { type: 'string', enum: [...sessionEndings], description: 'With `refresh_token`: reason why the session has ended. Absent if it has expired.' },
  },
});

/**
 * Proof-of-work challenge (altcha, version 1) that a browser can solve instead of showing the picture. The solution goes into `Captcha-Code`, with the same
 * `Captcha-Key`.
 */
export interface WorkChallenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** Reply of the captcha call; `key` is empty where the deployment requires no captcha. */
export interface CaptchaReply {
  key: string;
  image: string;
  work?: WorkChallenge;
}

/** Calls that begin and end a session. Every path is also served under `/api/blade-auth`. */
export const oauth = {
  token: post('/api/things-auth/oauth/token', {
    title: ['登录', 'Sign in'],
    access: 'open',
    bare: true,
    input: Type.Unsafe<TokenInput>({
      type: 'object',
      properties: Object.fromEntries(
        ['tenantId', 'username', 'scope', 'type', 'mfa_token', 'source', 'id', 'name', 'email', 'client_id']
          .map((name) => [name, text(128)])
          .concat(['redirect_uri', 'iss', 'phone'].map((name) => [name, text(2048)]))
          .concat(['code', 'state', 'value', 'code_verifier', 'client_secret'].map((name) => [name, oneTimeSecret]))
          .concat([
            [
              'grant_type',
              Type.Unsafe<string>({
                type: 'string',
                maxLength: 128,
                description: 'Defaults, with a username, to `captcha` if the header Captcha-Key is sent, else to `password`.',
              }),
            ],
            ['attempt', oneTimeSecret],
            ['credential', Type.Unsafe<string>({ type: 'string', maxLength: 10_000, writeOnly: true })],
            ['password', text(512)],
            ['refresh_token', text(4096)],
          ]),
      ),
    }),
    reply: Type.Unsafe<TokenReply>({ type: 'object', additionalProperties: true }),
    refusal: Failure,
  }),
  captcha: get('/api/things-auth/oauth/captcha', {
    title: ['验证码', 'Captcha'],
    access: 'open',
    bare: true,
    clientHeader: false,
    input: NoInput,
    /** `key` is empty where the deployment requires no captcha. Some clients read the fields at the top level, others under `data`; the reply has both. */
    reply: Type.Unsafe<CaptchaReply>({ type: 'object', additionalProperties: true }),
  }),
  logout: get('/api/things-auth/oauth/logout', { title: ['退出登录', 'Sign out'], access: 'open', clientHeader: false, input: NoInput, reply: NoContent }),
  userInfo: get('/api/blade-auth/oauth/user-info', {
    title: ['当前用户', 'Current user'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Unsafe<UserInfo>({ type: 'object', additionalProperties: true }),
  }),
};

/** The signed-in user in the form the console uses. */
export interface UserInfo extends Omit<TokenReply, 'access_token' | 'refresh_token' | 'token_type' | 'expires_in'> {
  /** Role aliases. */
  roles: string[];
  /** Departments and roles to choose from; only the `userInfo` call sends them. */
  choices?: ActingChoices;
}

/** Fields of an account in replies. */
export type UserFacts = Omit<UserInfo, 'roles' | 'choices' | 'time_zone'>;

/** Departments and roles of the user. A refresh with the headers `Dept-Id` and `Role-Id` selects one of each for the session. */
export interface ActingChoices {
  readonly depts: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
}

/** Changes the caller's own password. Each password can be plain, MD5 hex or SM2 hex; a plain new password needs at least 8 characters. */
export const updatePassword = post('/api/oms-system/user/update-password', {
  title: ['修改密码', 'Change password'],
  access: 'signedIn',
  input: Type.Object({ id: Type.Optional(text(19)), oldPassword: text(512), newPassword: text(512), newPassword1: text(512) }),
  reply: NoContent,
});

export const authProblems = {
  wrongCredentials: problem(400, ['用户名或密码错误', 'Incorrect account or password.']),
  wrongCaptcha: problem(400, ['验证码不正确', 'Incorrect verification code.']),
  wrongOldPassword: problem(400, ['原密码不正确!', 'Incorrect current password.']),
};
