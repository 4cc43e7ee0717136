import type { TokenInput, TokenReply } from '#shared/auth';
import { type BladeToken, type BladeTokenInput, bladeAuth } from '#shared/blade-auth';
import type { ApiError } from '#shared/errors';
import { secondFactorProblems } from '#shared/second-factor';
import { type Language, localize } from '#shared/text';
import type { Database } from '../../../data/database/database.ts';
import { type Route, route } from '../../http/route.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { type Captchas, captchaReply } from '../captcha/captchas.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignIn } from './sign-in.ts';

/** Dependencies of the `blade-auth` routes. */
export interface BladeRoutesDeps {
  readonly db: Database;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
}

/** Serves the sign-in calls of BladeX-compatible open-source consoles: the same grants under other names. */
export function bladeRoutes({ db, signIn, sessions, captchas }: BladeRoutesDeps): Route[] {
  return [
    route(bladeAuth.token, async ({ input, origin, setCookie }) => bladeToken(await signIn.grant(tokenInput(input), origin, setCookie)), {
      manualTransactions: true,
      limit: 'token',
      errorBody: bladeFailure,
    }),
    route(bladeAuth.captcha, async () => captchaReply(await captchas.draw()), { manualTransactions: true, limit: 'captcha' }),
    route(
      bladeAuth.logout,
      async ({ principal, language }) => {
        if (principal.sessionId !== '') await sessions.logOut(principal.tenantId, principal.sessionId);
        return { code: '200', msg: localize(['退出成功', 'Signed out'], language) };
      },
      { manualTransactions: true, allowExpiredPassword: true, signsOut: () => true },
    ),
    route(
      bladeAuth.clearCache,
      async ({ principal: { sessionId } }) => {
        if (sessionId !== '') await invalidatePrincipals(db, { sessionId });
      },
      { aliases: [bladeAuth.clearCache.path.replace('/things-auth/', '/blade-auth/')], manualTransactions: true, allowExpiredPassword: true },
    ),
  ];
}

function tokenInput({ grantType = 'password', account, refreshToken, mfaToken, ...same }: BladeTokenInput): TokenInput {
  const renamed = { username: account, refresh_token: refreshToken, mfa_token: mfaToken };
  const definedFields = Object.entries(renamed).filter(([, value]) => value !== undefined);
  return { ...same, ...Object.fromEntries(definedFields), grant_type: grantType };
}

function bladeToken(reply: TokenReply): BladeToken {
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token,
    tokenType: reply.token_type,
    expiresIn: reply.expires_in,
    userId: reply.user_id,
    tenantId: reply.tenant_id,
    oauthId: reply.oauth_id,
    account: reply.account,
    userName: reply.real_name,
    avatar: reply.avatar,
    authority: reply.role_name,
    deptId: reply.dept_id,
    roleId: reply.role_id,
    license: '',
  };
}

function bladeFailure(refusal: ApiError, language: Language): object {
  const failure = { code: refusal.problem.status, success: false, data: null, msg: refusal.text(language) };
  if (refusal.problem !== secondFactorProblems.required) return failure;
  return { ...failure, data: { mfaToken: refusal.values.token }, error: 'mfa_required' };
}
