import type { TokenInput, TokenReply } from '#shared/auth';
import { oauth, type TokenFailure, updatePassword } from '#shared/auth';
import { authorization } from '#shared/authorize';
import { type BladeToken, type BladeTokenInput, bladeAuth } from '#shared/blade-auth';
import { uploadErrors } from '#shared/error-log';
import { ApiError, problems } from '#shared/errors';
import { screenLock } from '#shared/lock';
import { updateInfo } from '#shared/profile';
import { type SecondFactorKind, secondFactorProblems } from '#shared/second-factor';
import type { SessionEnding } from '#shared/session-ended';
import { signInOptions, tenantInfo } from '#shared/sign-in-options';
import type { Language } from '#shared/text';
import { localize } from '#shared/text';
import type { Database } from '../../../data/database/database.ts';
import type { ErrorLog } from '../../audit/error-log.ts';
import { type Route, route } from '../../http/route.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { findSessionAccount } from '../accounts/accounts.ts';
import { activeRoleChoices } from '../accounts/active-role.ts';
import { updateProfile } from '../accounts/profile.ts';
import type { Authorization } from '../authorization/authorization.ts';
import { type Captchas, captchaReply } from '../captcha/captchas.ts';
import type { SignInFailures } from '../passwords/failures.ts';
import type { ChangePassword } from '../sessions/change-password.ts';
import { userFacts } from '../sessions/replies.ts';
import type { ScreenLocks } from '../sessions/screen-locks.ts';
import type { SecondFactors } from '../sessions/second-factors.ts';
import { sessionRoutes } from '../sessions/session-routes.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type ProofRoutesDeps, proofRoutes } from './proof-routes.ts';
import type { SignIn } from './sign-in.ts';
import type { TenantSignInMethods } from './sign-in-methods.ts';

/** Dependencies of the session calls. */
export interface AuthRoutesDeps extends ProofRoutesDeps {
  readonly db: Database;
  readonly errorLog: ErrorLog;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly changePassword: ChangePassword;
  readonly locks: ScreenLocks;
  readonly failures: SignInFailures;
  readonly secondFactors: SecondFactors;
  readonly tenants: TenantSignInMethods;
  readonly authorizing: Authorization;
}

/** Serves the calls that begin and end a session, each also under the other service name of BladeX-compatible clients. */
export function authRoutes(deps: AuthRoutesDeps): Route[] {
  return [...grantRoutes(deps), ...bladeRoutes(deps), ...sessionRoutes(deps), ...methodRoutes(deps), ...proofRoutes(deps)];
}

function grantRoutes({ db, errorLog, signIn, sessions, captchas, changePassword, locks }: AuthRoutesDeps): Route[] {
  return [
    route(oauth.token, ({ input, origin, setCookie }) => signIn.grant(input, origin, setCookie), {
      ...alias(oauth.token.path),
      manualTransactions: true,
      limit: 'token',
      errorBody: tokenFailure,
    }),
    route(oauth.captcha, async () => captchaReply(await captchas.draw()), { ...alias(oauth.captcha.path), manualTransactions: true, limit: 'captcha' }),
    route(
      oauth.logout,
      async ({ principal }) => {
        if (principal.sessionId !== '') await sessions.logOut(principal.tenantId, principal.sessionId);
      },
      { ...alias(oauth.logout.path), manualTransactions: true, allowExpiredPassword: true, allowMissingSecondFactor: true, signsOut: () => true },
    ),
    route(
      uploadErrors,
      async ({ input, principal, origin }) => {
        if (!Array.isArray(input)) await (principal.sessionId === '' ? undefined : sessions.logOut(principal.tenantId, principal.sessionId));
        else if (principal.userId === '') throw new ApiError(problems.unauthorized);
        else await errorLog.report(input, principal, origin);
      },
      {
        ...alias(uploadErrors.path),
        manualTransactions: true,
        allowExpiredPassword: true,
        allowMissingSecondFactor: true,
        signsOut: (input) => !Array.isArray(input),
      },
    ),
    route(
      oauth.userInfo,
      async ({ principal, language }) => {
        const account = await findSessionAccount(db, principal.tenantId, principal.sessionId);
        if (!account) throw new ApiError(problems.unauthorized);
        return { ...userFacts(account), roles: [...account.roles], choices: await activeRoleChoices(db, account, language) };
      },
      { ...alias(oauth.userInfo.path), allowExpiredPassword: true, allowMissingSecondFactor: true },
    ),
    route(screenLock.lock, ({ input, principal }) => locks.lock(input.password, principal), {
      ...alias(screenLock.lock.path),
      manualTransactions: true,
      allowPreview: true,
    }),
    route(screenLock.unlock, ({ input, principal }) => locks.unlock(input.password, principal), {
      ...alias(screenLock.unlock.path),
      manualTransactions: true,
      allowLocked: true,
      allowPreview: true,
    }),
    route(updateInfo, ({ input, principal }) => updateProfile(db, input, principal)),
    route(updatePassword, ({ input, principal }) => changePassword.change(input, principal), {
      aliases: ['/api/blade-system/user/update-password'],
      manualTransactions: true,
      allowExpiredPassword: true,
      allowMissingSecondFactor: true,
    }),
  ];
}

/** Serves the sign-in methods of a tenant, and the consent to a sign-in at another program. */
function methodRoutes({ tenants, authorizing }: AuthRoutesDeps): Route[] {
  const own = { manualTransactions: true };
  const aliases = ['/api/things-auth/oauth/authorize', '/api/blade-auth/oauth/authorize'];
  return [
    route(tenantInfo, ({ input }) => tenants.forAddress(input.domain), { ...own, limit: 'captcha' }),
    route(signInOptions, ({ input, origin }) => tenants.forTenant(input.tenantId, origin.host), { ...own, limit: 'captcha', ...alias(signInOptions.path) }),
    route(authorization.authorize, ({ input }) => authorizing.authorize(input), { ...own, limit: 'token', aliases }),
    route(authorization.ask, ({ input }) => authorizing.ask(input), own),
    route(authorization.answer, ({ input, principal }) => authorizing.answer(input, principal), own),
  ];
}

/** Adds the other service name: BladeX-compatible clients use either `things-auth` or `blade-auth`. */
function alias(path: string): { aliases: readonly string[] } {
  return { aliases: [path.includes('/things-auth/') ? path.replace('/things-auth/', '/blade-auth/') : path.replace('/blade-auth/', '/things-auth/')] };
}

function tokenFailure(refusal: ApiError, language: Language): TokenFailure {
  const { status } = refusal.problem;
  if (refusal.problem === secondFactorProblems.required)
    return {
      error: 'mfa_required',
      error_description: refusal.text(language),
      mfa_token: String(refusal.values.token),
      mfa_methods: refusal.data as SecondFactorKind[],
    };
  const error = status === 401 ? 'invalid_client' : status >= 500 ? 'server_error' : 'invalid_grant';
  const { ending } = refusal.values;
  return { error, error_description: refusal.text(language), ...(ending === undefined ? {} : { ending: ending as SessionEnding }) };
}

/** Dependencies of the `blade-auth` routes. */
interface BladeRoutesDeps {
  readonly db: Database;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
}

/** Serves the sign-in calls of BladeX-compatible open-source consoles: the same grants under other names. */
function bladeRoutes({ db, signIn, sessions, captchas }: BladeRoutesDeps): Route[] {
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
      { manualTransactions: true, allowExpiredPassword: true, allowMissingSecondFactor: true, signsOut: () => true },
    ),
    route(
      bladeAuth.clearCache,
      async ({ principal: { sessionId } }) => {
        if (sessionId !== '') await invalidatePrincipals(db, { sessionId });
      },
      {
        aliases: [bladeAuth.clearCache.path.replace('/things-auth/', '/blade-auth/')],
        manualTransactions: true,
        allowExpiredPassword: true,
        allowMissingSecondFactor: true,
      },
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
  return { ...failure, data: { mfaToken: refusal.values.token, mfaMethods: refusal.data }, error: 'mfa_required' };
}
