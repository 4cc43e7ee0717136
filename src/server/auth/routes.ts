import { oauth, type TokenFailure, updatePassword } from '#shared/auth';
import { problems, Refusal } from '#shared/errors';
import type { Language } from '#shared/text';
import type { Database } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import { accountOf } from './accounts.ts';
import type { Captchas } from './captchas.ts';
import type { OwnPassword } from './own-password.ts';
import { userFacts } from './replies.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

/** What the calls of a session are answered with. */
export interface AuthParts {
  readonly db: Database;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly ownPassword: OwnPassword;
}

/** The calls a session begins and ends with, each also under the family's other name for the same service. */
export function authRoutes({ db, signIn, sessions, captchas, ownPassword }: AuthParts): Route[] {
  return [
    route(oauth.token, ({ input, origin }) => signIn.grant(input, origin), { ...alias(oauth.token.path), ownTransactions: true, refused: tokenFailure }),
    route(oauth.captcha, async () => captchaReply(await captchas.draw()), { ...alias(oauth.captcha.path), ownTransactions: true }),
    route(
      oauth.logout,
      async ({ principal }) => {
        if (principal.sessionId !== '') await sessions.logOut(principal.tenantId, principal.sessionId);
        return null;
      },
      { ...alias(oauth.logout.path), ownTransactions: true, despiteExpiredPassword: true },
    ),
    route(
      oauth.userInfo,
      async ({ principal }) => {
        const account = await accountOf(db, principal.tenantId, principal.userId);
        if (!account) throw new Refusal(problems.unauthorized);
        return { ...userFacts(account), roles: [...account.roles] };
      },
      { ...alias(oauth.userInfo.path), despiteExpiredPassword: true },
    ),
    route(updatePassword, ({ input, principal }) => ownPassword.change(input, principal), {
      ownTransactions: true,
      despiteExpiredPassword: true,
    }),
  ];
}

/** One family of clients says `things-auth`, the other `blade-auth`. */
function alias(path: string): { aliases: readonly string[] } {
  return { aliases: [path.includes('/things-auth/') ? path.replace('/things-auth/', '/blade-auth/') : path.replace('/blade-auth/', '/things-auth/')] };
}

/** Some clients read key and image at the top of the body, others under `data`. */
function captchaReply(captcha: { key: string; image: string }) {
  return { ...captcha, code: 200, success: true, data: captcha, msg: '操作成功' };
}

function tokenFailure(refusal: Refusal, language: Language): TokenFailure {
  const { status } = refusal.problem;
  const error = status === 401 ? 'invalid_client' : status >= 500 ? 'server_error' : 'invalid_grant';
  return { error, error_description: refusal.text(language) };
}
