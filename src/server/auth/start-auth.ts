import type { Configuration } from '../configuration.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../http/app.ts';
import type { Route } from '../http/route.ts';
import type { Parameters } from '../parameters.ts';
import type { GrantedMenus } from '../permission/granted-menus.ts';
import type { SecretKeys } from '../secret-key.ts';
import { Captchas } from './captchas.ts';
import { ExpiredRows } from './expired-rows.ts';
import { SignInFailures } from './failures.ts';
import { Identity } from './identity.ts';
import { OwnPassword } from './own-password.ts';
import type { Passwords } from './passwords.ts';
import { PrincipalCache } from './principal-cache.ts';
import { authRoutes } from './routes.ts';
import { Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { Tokens } from './tokens.ts';

/** What signing in is built from. */
export interface AuthNeeds {
  readonly db: Database;
  readonly keys: SecretKeys;
  readonly passwords: Passwords;
  readonly parameters: Parameters;
  readonly menus: GrantedMenus;
  readonly log: Log;
  readonly configuration: Pick<Configuration, 'captcha' | 'captchaTestAnswer'>;
}

/** Puts signing in together: the calls of a session, and who a request's token proves to be. */
export function startAuth({ db, keys, passwords, parameters, menus, log, configuration }: AuthNeeds): { routes: Route[]; identity: Identity } {
  const tokens = new Tokens(keys.token);
  const principals = new PrincipalCache(db);
  const sessions = new Sessions(db);
  const captchas = new Captchas(db, configuration);
  const failures = new SignInFailures(db, parameters);
  const signIn = new SignIn({ db, passwords, tokens, sessions, captchas, failures, expired: new ExpiredRows(db, log) });
  const ownPassword = new OwnPassword({ db, passwords, sessions });
  return { routes: authRoutes({ db, signIn, sessions, captchas, ownPassword }), identity: new Identity(db, tokens, principals, menus) };
}
