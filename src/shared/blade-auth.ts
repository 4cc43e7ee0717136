import { Object as Shape, Unsafe } from 'typebox';
import { oauth } from './auth.ts';
import { Done, get, Nothing, post } from './contract.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** The token endpoint's input as the open-source consoles of the family write it, `wire.md` §2.3. */
export interface BladeTokenInput {
  /** `password` unless said. */
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

/** What that endpoint grants, inside the envelope. */
export interface BladeToken {
  accessToken: string;
  refreshToken: string;
  tokenType: 'bearer';
  /** Life of the access token in seconds. */
  expiresIn: number;
  userId: string;
  tenantId: string;
  oauthId: string;
  account: string;
  /** The real name. */
  userName: string;
  avatar: string;
  /** Comma list of role aliases. */
  authority: string;
  deptId: string;
  roleId: string;
  license: string;
}

const lengths = { password: 512, refreshToken: 4096, mfaToken: 128, code: 512, state: 512 } as const;
/** They sign somebody in, once; no log keeps them. */
const once: readonly string[] = ['code', 'state'];
const names = ['grantType', 'tenantId', 'account', 'password', 'refreshToken', 'mfaToken', 'code', 'source', 'state', 'type', 'scope'] as const;

/** The same sign-in in the family's other dialect: everything in the envelope, names in camel case. */
export const bladeAuth = {
  token: post('/api/blade-auth/token', {
    title: ['登录（开源版）', 'Sign in (open-source dialect)'],
    who: 'open',
    input: Unsafe<BladeTokenInput>({
      type: 'object',
      properties: Object.fromEntries(
        names.map((name) => [name, { ...text((lengths as Record<string, number>)[name] ?? 128), ...(once.includes(name) ? { writeOnly: true } : {}) }]),
      ),
    }),
    reply: Unsafe<BladeToken>({ type: 'object', additionalProperties: true }),
  }),
  captcha: get('/api/blade-auth/captcha', {
    title: ['验证码（开源版）', 'Captcha (open-source dialect)'],
    who: 'open',
    bare: true,
    input: Nothing,
    reply: oauth.captcha.reply,
  }),
  logout: post('/api/blade-auth/logout', {
    title: ['退出登录（开源版）', 'Sign out (open-source dialect)'],
    who: 'open',
    input: Nothing,
    reply: Shape({ code: text(8), msg: text(64) }),
  }),
  /** What consoles call after a sign-in and when an operator clears caches: the caller's menu and codes are read anew. */
  clearCache: get('/api/things-auth/oauth/clear-cache', { title: ['清空缓存', 'Clear caches'], who: 'open', input: Nothing, reply: Done }),
};
