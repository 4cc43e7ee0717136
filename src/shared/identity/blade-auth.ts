import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '../contract/contract.ts';
import { oauth } from './auth.ts';

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

/** Input of the token endpoint as open-source BladeX-compatible consoles send it, in camel case. */
export interface BladeTokenInput {
  /** Defaults to `password`. */
  grantType?: string;
  tenantId?: string;
  account?: string;
  password?: string;
  refreshToken?: string;
  mfaToken?: string;
  code?: string;
  source?: string;
  state?: string;
  type?: string;
  scope?: string;
}

/** Reply of that endpoint, inside the envelope. */
export interface BladeToken {
  accessToken: string;
  refreshToken: string;
  tokenType: 'bearer';
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
  userId: string;
  tenantId: string;
  oauthId: string;
  account: string;
  /** Real name of the user. */
  userName: string;
  avatar: string;
  /** Role aliases, separated by commas. */
  authority: string;
  deptId: string;
  roleId: string;
  license: string;
}

const lengths = { password: 512, refreshToken: 4096, mfaToken: 128, code: 512, state: 512 } as const;
/** Parameters that work as credentials once; they are never logged. */
const oneTimeSecrets: readonly string[] = ['code', 'state'];
const names = ['grantType', 'tenantId', 'account', 'password', 'refreshToken', 'mfaToken', 'code', 'source', 'state', 'type', 'scope'] as const;

/** Sign-in calls in the camel-case variant of the BladeX-compatible API: every reply inside the envelope. */
export const bladeAuth = {
  token: post('/api/blade-auth/token', {
    title: ['登录（开源版）', 'Sign in (open-source edition)'],
    access: 'open',
    input: Type.Unsafe<BladeTokenInput>({
      type: 'object',
      properties: Object.fromEntries(
        names.map((name) => [
          name,
          { ...text((lengths as Record<string, number>)[name] ?? 128), ...(oneTimeSecrets.includes(name) ? { writeOnly: true } : {}) },
        ]),
      ),
    }),
    reply: Type.Unsafe<BladeToken>({ type: 'object', additionalProperties: true }),
  }),
  captcha: get('/api/blade-auth/captcha', {
    title: ['验证码（开源版）', 'Captcha (open-source edition)'],
    access: 'open',
    bare: true,
    clientHeader: false,
    input: NoInput,
    reply: oauth.captcha.reply,
  }),
  logout: post('/api/blade-auth/logout', {
    title: ['退出登录（开源版）', 'Sign out (open-source edition)'],
    access: 'open',
    clientHeader: false,
    input: NoInput,
    reply: Type.Object({ code: text(8), msg: text(64) }),
  }),
  /** Reloads the caller's menu and permission codes. Consoles call it after a sign-in and when the user clears caches. */
  clearCache: get('/api/things-auth/oauth/clear-cache', {
    title: ['清空缓存', 'Clear caches'],
    access: 'open',
    clientHeader: false,
    input: NoInput,
    reply: NoContent,
  }),
};
