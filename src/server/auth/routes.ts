import { oauth, type TokenFailure, updatePassword } from '#shared/auth';
import { uploadErrors } from '#shared/error-log';
import { problems, Refusal } from '#shared/errors';
import { screenLock } from '#shared/lock';
import { updateInfo } from '#shared/own-profile';
import { secondFactorProblems } from '#shared/second-factor';
import type { SessionEnding } from '#shared/session-ended';
import type { Language } from '#shared/text';
import type { ErrorLog } from '../audit/error-log.ts';
import type { Database } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import { accountInSession } from './accounts.ts';
import { choicesOf } from './acting-as.ts';
import { bladeRoutes } from './blade-routes.ts';
import { captchaReply } from './captcha-reply.ts';
import type { Captchas } from './captchas.ts';
import type { SignInFailures } from './failures.ts';
import type { OwnPassword } from './own-password.ts';
import { updateOwnProfile } from './own-profile.ts';
import { userFacts } from './replies.ts';
import type { ScreenLocks } from './screen-locks.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import type { SecondFactors } from './second-factors.ts';
import { sessionRoutes } from './session-routes.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

/** What the calls of a session are answered with. */
export interface AuthParts {
  readonly db: Database;
  readonly errorLog: ErrorLog;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly ownPassword: OwnPassword;
  readonly locks: ScreenLocks;
  readonly failures: SignInFailures;
  readonly secondFactors: SecondFactors;
}

/** The calls a session begins and ends with, each also under the family's other name for the same service. */
export function authRoutes(parts: AuthParts): Route[] {
  return [...grantRoutes(parts), ...bladeRoutes(parts), ...sessionRoutes(parts), ...secondFactorRoutes(parts.secondFactors)];
}

function grantRoutes({ db, errorLog, signIn, sessions, captchas, ownPassword, locks }: AuthParts): Route[] {
  return [
    route(oauth.token, ({ input, origin }) => signIn.grant(input, origin), {
      ...alias(oauth.token.path),
      ownTransactions: true,
      limit: 'token',
      refused: tokenFailure,
    }),
    route(oauth.captcha, async () => captchaReply(await captchas.draw()), { ...alias(oauth.captcha.path), ownTransactions: true, limit: 'captcha' }),
    route(
      oauth.logout,
      async ({ principal }) => {
        if (principal.sessionId !== '') await sessions.logOut(principal.tenantId, principal.sessionId);
        return null;
      },
      { ...alias(oauth.logout.path), ownTransactions: true, despiteExpiredPassword: true },
    ),
    route(
      uploadErrors,
      async ({ input, principal, origin }) => {
        if (!Array.isArray(input)) await (principal.sessionId === '' ? undefined : sessions.logOut(principal.tenantId, principal.sessionId));
        else if (principal.userId === '') throw new Refusal(problems.unauthorized);
        else await errorLog.report(input, principal, origin);
        return null;
      },
      { ...alias(uploadErrors.path), ownTransactions: true, despiteExpiredPassword: true },
    ),
    route(
      oauth.userInfo,
      async ({ principal }) => {
        const account = await accountInSession(db, principal.tenantId, principal.sessionId);
        if (!account) throw new Refusal(problems.unauthorized);
        return { ...userFacts(account), roles: [...account.roles], choices: await choicesOf(db, account) };
      },
      { ...alias(oauth.userInfo.path), despiteExpiredPassword: true },
    ),
    route(screenLock.lock, ({ input, principal }) => locks.lock(input.password, principal), {
      ...alias(screenLock.lock.path),
      ownTransactions: true,
      despitePreview: true,
    }),
    route(screenLock.unlock, ({ input, principal }) => locks.unlock(input.password, principal), {
      ...alias(screenLock.unlock.path),
      ownTransactions: true,
      despiteLock: true,
      despitePreview: true,
    }),
    route(updateInfo, ({ input, principal }) => updateOwnProfile(db, input, principal)),
    route(updatePassword, ({ input, principal }) => ownPassword.change(input, principal), {
      aliases: ['/api/blade-system/user/update-password'],
      ownTransactions: true,
      despiteExpiredPassword: true,
    }),
  ];
}

/** One family of clients says `things-auth`, the other `blade-auth`. */
function alias(path: string): { aliases: readonly string[] } {
  return { aliases: [path.includes('/things-auth/') ? path.replace('/things-auth/', '/blade-auth/') : path.replace('/blade-auth/', '/things-auth/')] };
}

function tokenFailure(refusal: Refusal, language: Language): TokenFailure {
  const { status } = refusal.problem;
  if (refusal.problem === secondFactorProblems.required)
    return { error: 'mfa_required', error_description: refusal.text(language), mfa_token: String(refusal.values.token) };
  const error = status === 401 ? 'invalid_client' : status >= 500 ? 'server_error' : 'invalid_grant';
  const { ending } = refusal.values;
  return { error, error_description: refusal.text(language), ...(ending === undefined ? {} : { ending: ending as SessionEnding }) };
}
