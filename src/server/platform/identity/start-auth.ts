import type { Manifest } from '#shared/manifest';
import { Bulkhead } from '../../base/bulkhead.ts';
import type { Configuration } from '../../base/configuration/configuration.ts';
import type { SecretKeys } from '../../base/configuration/secret-key.ts';
import type { SignInMethodsConfiguration } from '../../base/configuration/sign-in-methods.ts';
import type { Log } from '../../base/log.ts';
import type { Parameters } from '../../base/parameters.ts';
import type { Database } from '../../data/database/database.ts';
import type { ErrorLog } from '../audit/error-log.ts';
import type { LoginLog } from '../audit/login-log.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Route } from '../http/route.ts';
import { WireCipher } from '../http/wire-cipher.ts';
import type { GrantedMenus } from '../permission/granted-menus.ts';
import { PrincipalCache } from '../principal/principal-cache.ts';
import { KnownDevices } from './accounts/known-devices.ts';
import { Authorization, AuthorizationCodes } from './authorization/authorization.ts';
import { captchaPicture } from './captcha/captcha-picture.ts';
import { Captchas } from './captcha/captchas.ts';
import { WorkChallenges } from './captcha/work-challenge.ts';
import { Identities } from './oauth/identities.ts';
import { OAuthCallbacks } from './oauth/oauth-callbacks.ts';
import { RateLimiter } from './oauth/rate-limiter.ts';
import { PasskeyChallenges } from './passkeys/passkey-challenges.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { RelyingParties } from './passkeys/relying-parties.ts';
import { StoredPasskeys } from './passkeys/stored-passkeys.ts';
import { SignInFailures } from './passwords/failures.ts';
import type { Passwords } from './passwords/passwords.ts';
import { Reauth } from './passwords/reauth.ts';
import { ChangePassword } from './sessions/change-password.ts';
import { FreshProofs } from './sessions/fresh-proofs.ts';
import { RequestIdentity } from './sessions/identity.ts';
import { endProviderSessions, type ProviderEnding } from './sessions/provider-endings.ts';
import { ScreenLocks } from './sessions/screen-locks.ts';
import { SecondFactors } from './sessions/second-factors.ts';
import { Sessions } from './sessions/sessions.ts';
import { Tokens } from './sessions/tokens.ts';
import { ExpiredRows } from './sign-in/expired-rows.ts';
import { PasskeySignIn } from './sign-in/passkey-sign-in.ts';
import { authRoutes } from './sign-in/routes.ts';
import { assertOpenTenant, SignIn } from './sign-in/sign-in.ts';
import { SignInMethods, type SignInPort, TenantSignInMethods } from './sign-in/sign-in-methods.ts';
import { SignInSteps } from './sign-in/sign-in-steps.ts';
import { TokenIssuer } from './sign-in/token-issuer.ts';
import type { SigningKeys } from './signing/signing-keys.ts';

/** Dependencies of `startAuth`. */
export interface AuthDeps {
  readonly errorLog: ErrorLog;
  readonly loginLog: LoginLog;
  readonly evidence: Pick<Evidence, 'recordPurge'>;
  /** Product name shown in authenticator apps. */
  readonly product: string;
  readonly db: Database;
  readonly keys: SecretKeys;
  readonly signingKeys: SigningKeys;
  readonly passwords: Passwords;
  readonly parameters: Parameters;
  readonly menus: GrantedMenus;
  readonly log: Log;
  readonly signInServices: SignInServices;
  readonly configuration: Pick<Configuration, 'timeZone' | 'tokenCryptoKey'> & Pick<SignInMethodsConfiguration, 'publicUrl'>;
  readonly manifest: Pick<Manifest, 'modes' | 'clientId'>;
  /** Called after an account's password has been changed. */
  readonly passwordChanged: (account: { readonly tenantId: string; readonly account: string }) => void;
}

/** Dependencies of `createSignInServices`. */
export interface SignInServicesDeps {
  readonly db: Database;
  readonly keys: SecretKeys;
  readonly log: Log;
  readonly configuration: Pick<Configuration, 'captcha' | 'captchaTestAnswer'> & SignInMethodsConfiguration;
  /** True if a plugin is disabled in a tenant. */
  readonly isOff: (plugin: string, tenantId: string) => boolean;
}

/** Services of sign-in that plugins receive before the session calls are assembled. */
export type SignInServices = ReturnType<typeof createSignInServices>;

/** Creates the registry of sign-in methods, and the checks that its methods use. */
export function createSignInServices({ db, keys, log, configuration, isOff }: SignInServicesDeps) {
  return {
    methods: new SignInMethods(isOff),
    captchas: new Captchas({ db, configuration, work: new WorkChallenges(...keys.proofOfWork), log, picture: captchaPicture }),
    rateLimiter: new RateLimiter(db),
    identities: new Identities(db),
    endSessions: (ending: ProviderEnding) => endProviderSessions(db, ending),
    configuration,
  };
}

/** Builds the checks that sign-in methods of plugins use. */
export const signInPort = ({ methods, captchas, rateLimiter, identities, configuration, endSessions }: SignInServices): SignInPort => ({
  identities,
  configuration,
  limit: (limits) => rateLimiter.consume(limits),
  checkCaptcha: ({ header }) => captchas.check(header('captcha-key'), header('captcha-code')),
  isOffered: (id, tenantId) => methods.isOffered(id, tenantId),
  endSessions,
});

/**
 * Limits of simultaneous sign-ins: four use one core and leave most connections to other requests; those that could not be answered within some seconds are rejected
 * with a request to retry.
 */
const signInLimits = { concurrency: 4, queueSize: 60 };

/** Assembles sign-in: the session calls, and the identification of a request's token. */
export function startAuth(deps: AuthDeps): { routes: Route[]; identity: RequestIdentity } {
  const { db, errorLog, loginLog, product, keys, passwords, parameters, menus, log, configuration, manifest, passwordChanged } = deps;
  const tokens = new Tokens(keys.token, deps.signingKeys);
  const principals = new PrincipalCache(db);
  const sessions = new Sessions(db);
  const { methods, captchas } = deps.signInServices;
  const failures = new SignInFailures(db, parameters);
  const authorizing = new Authorization({ db, codes: new AuthorizationCodes(db), sessions, consoleClient: manifest.clientId });
  const callbacks = new OAuthCallbacks({ db, tokens, offersAccounts: (tenantId) => methods.isOffered('guests', tenantId) });
  const parties = new RelyingParties(db, configuration.publicUrl);
  const tenants = new TenantSignInMethods({ db, methods, parties, tenantMode: manifest.modes.tenant });
  const steps = new SignInSteps(db);
  const proof = new Reauth({ db, passwords, failures });
  const secondFactors = new SecondFactors({ db, issuer: product, proof });
  const tokenIssuer = new TokenIssuer({ db, tokens, sessions, steps, expired: new ExpiredRows(db, log, deps.evidence), timeZone: configuration.timeZone });
  const storedPasskeys = new StoredPasskeys(db);
  const passkeys = new Passkeys({ stored: storedPasskeys, challenges: new PasskeyChallenges(db), parties, product, log });
  const freshProofs = new FreshProofs({ db, passwords, secondFactors, passkeys, proof });
  const proving = { secondFactors, steps, tokenIssuer, methods, callbacks, authorization: authorizing, bulkhead: new Bulkhead(signInLimits), log: loginLog };
  const devices = new KnownDevices(keys.device, configuration.publicUrl?.protocol === 'https:');
  const isOpen = (tenantId: string) => assertOpenTenant({ db, parameters }, tenantId);
  const passkeySignIn = new PasskeySignIn({ db, passkeys, steps, failures, devices, assertOpenTenant: isOpen });
  const signIn = new SignIn({ db, parameters, passwords, tokens, sessions, captchas, failures, devices, passkeys: passkeySignIn, ...proving });
  const changePassword = new ChangePassword({ db, passwords, sessions, proof, changed: passwordChanged });
  const locks = new ScreenLocks({ db, passwords, sessions });
  const cipher = configuration.tokenCryptoKey === undefined ? undefined : new WireCipher(configuration.tokenCryptoKey);
  return {
    routes: authRoutes({
      ...{ db, errorLog, signIn, sessions, captchas, changePassword, locks, failures, secondFactors, tenants, authorizing },
      ...{ passkeys, storedPasskeys, passkeySignIn, freshProofs },
    }),
    identity: new RequestIdentity({ db, tokens, principals, menus, sessions, cipher }),
  };
}
