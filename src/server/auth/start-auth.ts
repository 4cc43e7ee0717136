import type { Manifest } from '#shared/manifest';
import type { ErrorLog } from '../audit/error-log.ts';
import type { LoginLog } from '../audit/login-log.ts';
import type { Configuration } from '../configuration.ts';
import type { Database } from '../db/database.ts';
import { forgetFirstPassword } from '../first-start.ts';
import type { Log } from '../http/app.ts';
import type { Route } from '../http/route.ts';
import type { Parameters } from '../parameters.ts';
import type { GrantedMenus } from '../permission/granted-menus.ts';
import type { SecretKeys } from '../secret-key.ts';
import type { SignInWaysConfiguration } from '../sign-in-ways/configuration.ts';
import { startWays } from '../sign-in-ways/start-ways.ts';
import type { Sms } from '../sms/sms.ts';
import { Bulkhead } from './bulkhead.ts';
import { captchaPicture } from './captcha-picture.ts';
import { Captchas } from './captchas.ts';
import { ChangePassword } from './change-password.ts';
import { ExpiredRows } from './expired-rows.ts';
import { SignInFailures } from './failures.ts';
import { Identity } from './identity.ts';
import { KnownDevices } from './known-devices.ts';
import type { Passwords } from './passwords.ts';
import { PrincipalCache } from './principal-cache.ts';
import { Reauth } from './reauth.ts';
import { authRoutes } from './routes.ts';
import { ScreenLocks } from './screen-locks.ts';
import { SecondFactors } from './second-factors.ts';
import { Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { SignInSteps } from './sign-in-steps.ts';
import { TokenIssuer } from './token-issuer.ts';
import { Tokens } from './tokens.ts';
import { WireCipher } from './wire-cipher.ts';
import { WorkChallenges } from './work-challenge.ts';

/** Dependencies of `startAuth`. */
export interface AuthDeps {
  readonly errorLog: ErrorLog;
  readonly loginLog: LoginLog;
  /** Product name shown in authenticator apps. */
  readonly product: string;
  readonly db: Database;
  readonly keys: SecretKeys;
  readonly passwords: Passwords;
  readonly parameters: Parameters;
  readonly menus: GrantedMenus;
  readonly log: Log;
  readonly sms: Sms;
  readonly configuration: Pick<Configuration, 'captcha' | 'captchaTestAnswer' | 'dataDirectory' | 'timeZone' | 'tokenCryptoKey'> & SignInWaysConfiguration;
  readonly manifest: Pick<Manifest, 'modes' | 'clientId'>;
}

/**
 * Limits of simultaneous sign-ins: four use one core and leave most connections to other requests; those that could not be answered within some seconds are rejected
 * with a request to retry.
 */
const signIns = { concurrency: 4, queueSize: 60 };

/** Assembles sign-in: the session calls, and the identification of a request's token. */
export function startAuth({ db, errorLog, loginLog, product, keys, passwords, parameters, menus, log, sms, configuration, manifest }: AuthDeps): {
  routes: Route[];
  identity: Identity;
} {
  const tokens = new Tokens(keys.token);
  const principals = new PrincipalCache(db);
  const sessions = new Sessions(db);
  const captchas = new Captchas({ db, configuration, work: new WorkChallenges(keys.work), log, picture: captchaPicture });
  const failures = new SignInFailures(db, parameters);
  const { ways, routes: wayCalls } = startWays({ db, keys, passwords, parameters, sms, tokens, sessions, captchas, failures, configuration, manifest });
  const steps = new SignInSteps(db);
  const proof = new Reauth({ db, passwords, failures });
  const secondFactors = new SecondFactors({ db, issuer: product, proof });
  const tokenIssuer = new TokenIssuer({ db, tokens, sessions, steps, expired: new ExpiredRows(db, log), timeZone: configuration.timeZone });
  const proving = { secondFactors, steps, tokenIssuer, ways, bulkhead: new Bulkhead(signIns), log: loginLog };
  const devices = new KnownDevices(keys.device, configuration.publicUrl?.protocol === 'https:');
  const signIn = new SignIn({ db, parameters, passwords, tokens, sessions, captchas, failures, devices, ...proving });
  const changePassword = new ChangePassword({
    db,
    passwords,
    sessions,
    proof,
    changed: (account) => forgetFirstPassword(configuration.dataDirectory, account),
  });
  const locks = new ScreenLocks({ db, passwords, sessions });
  const cipher = configuration.tokenCryptoKey === undefined ? undefined : new WireCipher(configuration.tokenCryptoKey);
  return {
    routes: [...authRoutes({ db, errorLog, signIn, sessions, captchas, changePassword, locks, failures, secondFactors }), ...wayCalls],
    identity: new Identity({ db, tokens, principals, menus, sessions, cipher }),
  };
}
