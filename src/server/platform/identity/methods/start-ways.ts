import type { TokenInput } from '#shared/auth';
import type { Manifest } from '#shared/manifest';
import { miniProgramSource } from '#shared/social';
import type { SecretKeys } from '../../../base/configuration/secret-key.ts';
import type { SignInWaysConfiguration } from '../../../base/configuration/sign-in-methods.ts';
import type { Parameters } from '../../../base/parameters.ts';
import type { Database } from '../../../data/database/database.ts';
import type { Origin, Route } from '../../http/route.ts';
import type { Sms } from '../../sms/sms.ts';
import type { Captchas } from '../captcha/captchas.ts';
import { Identities } from '../oauth/identities.ts';
import { OAuthCallbacks } from '../oauth/oauth-callbacks.ts';
import { OAuthStateStore } from '../oauth/oauth-state-store.ts';
import { RateLimiter } from '../oauth/rate-limiter.ts';
import { RegistrationPolicy } from '../oauth/registration-policy.ts';
import type { SignInFailures } from '../passwords/failures.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { TokenGrant, TokenGrants } from '../sign-in/token-grants.ts';
import { Bindings } from '../social/bindings.ts';
import { MiniProgramSignIn } from '../social/mini-program.ts';
import { sourceNamed } from '../social/providers.ts';
import { SingleSignOn } from '../social/single-sign-on.ts';
import { SocialApps } from '../social/social-apps.ts';
import { SocialClient } from '../social/social-client.ts';
import { SocialSignIn } from '../social/social-sign-in.ts';
import { Authorization } from './authorization.ts';
import { AuthorizationCodes, isOwnCode } from './authorization-codes.ts';
import { RegistrationService } from './registration-service.ts';
import { SmsCodes } from './sms-codes.ts';
import { SmsSignIn } from './sms-sign-in.ts';
import { TenantSignInMethods } from './tenant-sign-in-methods.ts';
import { wayRoutes } from './way-routes.ts';

/** Dependencies of `startWays`. */
export interface SignInMethodsDeps {
  readonly db: Database;
  readonly keys: SecretKeys;
  readonly passwords: Passwords;
  readonly parameters: Parameters;
  readonly sms: Sms;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly failures: SignInFailures;
  readonly configuration: SignInWaysConfiguration;
  readonly manifest: Pick<Manifest, 'modes' | 'clientId'>;
}

const cookiesOf = (origin: Origin) => origin.header('cookie');

/** Assembles the sign-in methods besides account and password: their grants, and the calls that lead to them. */
export function startWays({ db, keys, configuration, manifest, sms, ...needs }: SignInMethodsDeps): { ways: TokenGrants; routes: Route[] } {
  const { publicUrl, sso: issuer, socialEndpoints } = configuration;
  const { parameters, passwords, failures, tokens, sessions, captchas } = needs;
  const doors = new RegistrationPolicy(parameters);
  const rateLimiter = new RateLimiter(db);
  const identities = new Identities(db);
  const states = new OAuthStateStore(db, keys.state, publicUrl?.protocol === 'https:');
  const apps = new SocialApps(db);
  const miniProgram = new MiniProgramSignIn({ apps, identities, address: socialEndpoints[miniProgramSource]?.token });
  const social = new SocialSignIn({ apps, client: new SocialClient(socialEndpoints), identities, states, publicUrl });
  const sso = new SingleSignOn({ db, identities, states, publicUrl, configuration: issuer });
  const bindings = new Bindings({ db, identities, social, sso });
  const smsSignIn = new SmsSignIn({ db, sms, codes: new SmsCodes(db, keys.oneTime), rateLimiter, failures, passwords, parameters });
  const registering = new RegistrationService({ db, passwords, captchas, identities, rateLimiter, doors });
  const authorizing = new Authorization({ db, codes: new AuthorizationCodes(db), sessions, consoleClient: manifest.clientId });
  const arrivals = new OAuthCallbacks({ db, tokens, doors });
  const tenants = new TenantSignInMethods({ db, sms, social, sso, doors, tenantMode: manifest.modes.tenant });

  const ways = new Map<string, TokenGrant>([
    ['sms_code', (input, { origin }) => smsSignIn.enter(input, origin)],
    ['social', (input, { origin }) => enterElsewhere(input, origin)],
    ['authorization_code', (input, { client, origin }) => (isOwnCode(input.code ?? '') ? authorizing.enter(input, client) : enterBySso(input, origin))],
    ['register', async (input, { origin }) => ({ reply: await registering.open(input, origin) })],
  ]);

  async function enterElsewhere(input: TokenInput, origin: Origin) {
    const { source: named = '', code = '', state = '', tenantId: sent = '' } = input;
    if (MiniProgramSignIn.isMeant(named)) {
      const { tenantId, identity } = await miniProgram.finish(sent, code);
      return arrivals.enter(tenantId, identity);
    }
    const source = sourceNamed(named);
    if (!source) return enterBySso(input, origin);
    const { tenantId, identity } = await social.finish(source, { code, state }, { holder: '', cookies: cookiesOf(origin) });
    return arrivals.enter(tenantId, identity);
  }

  /** Signs in with single sign-on; BladeX-compatible clients send the state as the tenant. */
  async function enterBySso({ code = '', state, tenantId: sent = '', iss = '' }: TokenInput, origin: Origin) {
    const { tenantId, identity } = await sso.finish({ code, state: state || sent, iss }, { holder: '', cookies: cookiesOf(origin) });
    return arrivals.enter(tenantId, identity);
  }

  return { ways, routes: wayRoutes({ tenants, smsSignIn, bindings, registering, authorizing, publicUrl }) };
}
