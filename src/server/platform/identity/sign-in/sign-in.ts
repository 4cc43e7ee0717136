import { sql } from 'drizzle-orm';
import { authProblems, type TokenInput, type TokenReply } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import { ApiError, type Problem, problems } from '#shared/errors';
import { platformContact } from '#shared/kernel-parameters';
import type { LoginOutcome } from '#shared/login-log';
import { passkeyProblems } from '#shared/passkeys';
import { secondFactorProblems } from '#shared/second-factor';
import type { SessionEnding } from '#shared/session-ended';
import type { Bulkhead } from '../../../base/bulkhead.ts';
import type { Parameters } from '../../../base/parameters.ts';
import { isTenantId, platformTenant } from '../../../data/context/identity.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { LoginLog } from '../../audit/login-log.ts';
import type { Origin } from '../../http/route.ts';
import { type Account, findAccountById, findAccountByName } from '../accounts/accounts.ts';
import { type RegistrationRequest, registrationByName, registrationError } from '../accounts/applicants.ts';
import { authenticateClient, type Client } from '../accounts/clients.ts';
import type { KnownDevices } from '../accounts/known-devices.ts';
import { type Authorization, isOwnCode } from '../authorization/authorization.ts';
import type { Captchas } from '../captcha/captchas.ts';
import { emptyTokenReply, type OAuthCallbacks } from '../oauth/oauth-callbacks.ts';
import { failureKey, type SignInFailures } from '../passwords/failures.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { reauthKey } from '../passwords/reauth.ts';
import type { SecondFactors } from '../sessions/second-factors.ts';
import type { RefreshMoment, Sessions } from '../sessions/sessions.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { PasskeySignIn } from './passkey-sign-in.ts';
import type { GuessableProof, SignInMethods, VerifiedIdentity } from './sign-in-methods.ts';
import type { SignInSteps } from './sign-in-steps.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** Grants of passwords and codes, which are limited in number at a time because they use the most CPU. */
const cpuBoundGrants = ['captcha', 'password', 'totp'];

/** Dependencies of `SignIn`. */
export interface SignInDeps {
  readonly db: Database;
  readonly parameters: Parameters;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly failures: SignInFailures;
  readonly devices: KnownDevices;
  readonly secondFactors: SecondFactors;
  readonly passkeys: PasskeySignIn;
  readonly steps: SignInSteps;
  readonly tokenIssuer: TokenIssuer;
  /** Sign-in methods besides account and password. */
  readonly methods: SignInMethods;
  /** Signs in with codes of this server. */
  readonly authorization: Authorization;
  readonly callbacks: OAuthCallbacks;
  /** Limits simultaneous sign-ins. */
  readonly bulkhead: Bulkhead;
  readonly log: LoginLog;
}

/** Account an attempt is logged for, filled in as it becomes known. */
interface SignInAttempt {
  tenantId: string;
  account: string;
  userId?: string;
  clientId: string;
}

/** The token endpoint; docs/wire-format.md describes it. A rejection never reveals which part was wrong and takes as long as a success. */
export class SignIn {
  constructor(private readonly deps: SignInDeps) {}

  /** Handles a grant; `setCookie` receives the cookie by which the account recognizes the browser. */
  async grant(tokenInput: TokenInput, origin: Origin, setCookie: (cookie: string) => void): Promise<TokenReply> {
    const { sessions, bulkhead, devices } = this.deps;
    const grantType = grantOf(tokenInput, origin);
    const input = { ...tokenInput, grant_type: grantType };
    if (grantType === 'refresh_token') {
      const moment = await sessions.markRefresh();
      return this.byRefreshToken(input, await this.clientFor(input, origin), origin, moment);
    }
    const reply = await (cpuBoundGrants.includes(grantType)
      ? bulkhead.run(() => this.withLoginLog(grantType, input, origin))
      : this.withLoginLog(grantType, input, origin));
    if (reply.access_token) setCookie(devices.cookieFor(failureKey(reply.tenant_id, reply.account), origin.header('cookie')));
    return reply;
  }

  private async withLoginLog(grantType: string, input: TokenInput, origin: Origin): Promise<TokenReply> {
    const attempt: SignInAttempt = { tenantId: tenantOf(input, origin), account: input.username ?? '', clientId: '' };
    const record = (outcome: ReturnType<typeof outcomeOf>) => this.deps.log.record({ ...attempt, grantType, outcome }, origin);
    try {
      const client = await this.clientFor(input, origin);
      attempt.clientId = client.clientId;
      await assertOpenTenant(this.deps, attempt.tenantId);
      const reply = await this.dispatch(grantType, input, client, origin, attempt);
      Object.assign(attempt, { tenantId: reply.tenant_id, account: reply.account, userId: reply.user_id || undefined });
      record('granted');
      return reply;
    } catch (error) {
      record(outcomeOf(error));
      throw error;
    }
  }

  private dispatch(grantType: string, input: TokenInput, client: Client, origin: Origin, attempt: SignInAttempt): Promise<TokenReply> {
    switch (grantType) {
      case 'captcha':
      case 'password':
        return this.byPassword(input, client, origin);
      case 'totp':
        return this.bySecondFactor(input, client, origin, attempt);
      case 'passkey':
        return input.mfa_token ? this.bySecondFactor(input, client, origin, attempt) : this.byPasskey(input, client, origin);
      default:
        return this.byMethod(grantType, input, client, origin);
    }
  }

  /** Signs in with a code of this server, which needs no second factor, or with the method of a plugin; the account it proves gets an ordinary session. */
  private async byMethod(grant: string, input: TokenInput, client: Client, origin: Origin): Promise<TokenReply> {
    const { authorization, callbacks, methods, tokenIssuer } = this.deps;
    if (grant === 'authorization_code' && isOwnCode(input.code ?? '')) {
      const { account, recordSession } = await authorization.exchangeCode(input, client);
      return tokenIssuer.begin(account, client, origin, { onSession: recordSession });
    }
    const result = await methods.authenticate(grant, { input, origin }, tenantOf(input, origin));
    const { tenantId } = result;
    if ('requested' in result) return { ...emptyTokenReply(tenantId), account: result.requested.account, user_name: result.requested.account };
    const verified = 'proof' in result ? await this.verifyProof(tenantId, result.proof, origin) : result;
    const entry = 'identity' in verified ? await callbacks.complete(tenantId, verified.identity) : verified;
    if ('reply' in entry) return entry.reply;
    return tokenIssuer.issue(entry.account, client, origin, 'identity' in verified ? verified.signInId : undefined);
  }

  private verifyProof(
    tenantId: string,
    { subject, check, wrong }: GuessableProof,
    { address }: Origin,
  ): Promise<{ readonly account: Account } | VerifiedIdentity> {
    return this.deps.failures.runAttempt(failureKey(tenantId, subject), { address }, async () => {
      const proven = await check();
      if (proven !== undefined && typeof proven !== 'string') return proven;
      const account = proven === undefined ? undefined : await findAccountById(this.deps.db, tenantId, proven);
      if (!account) throw new ApiError(wrong);
      return { account };
    });
  }

  /** Authenticates the client. A second factor continues a grant that was already allowed, for the same client. */
  private async clientFor(input: TokenInput, origin: Origin): Promise<Client> {
    const grantType = input.grant_type ?? '';
    const client = await authenticateClient(this.deps.db, origin.header('authorization'), input);
    const isSecondStep = grantType === 'totp' || (grantType === 'passkey' && Boolean(input.mfa_token));
    if (!isSecondStep && !client.grants.includes(grantType)) throw new ApiError(signInProblems.grantNotAllowed);
    return client;
  }

  private async byPassword(input: TokenInput, client: Client, origin: Origin): Promise<TokenReply> {
    const { captchas, failures, passwords, tokenIssuer } = this.deps;
    const { username = '', password = '' } = input;
    const tenantId = tenantOf(input, origin);
    if (username === '' || password === '') throw new ApiError(problems.missingParameter, { name: username === '' ? 'username' : 'password' });
    if (input.grant_type === 'captcha') await captchas.check(origin.header('captcha-key'), origin.header('captcha-code'));
    const key = failureKey(tenantId, username);
    const source = { address: origin.address, device: this.deps.devices.deviceOf(key, origin.header('cookie')) };
    const { account, registration } = await failures.runAttempt(key, source, async () => {
      const found = await this.findByName(isTenantId(tenantId) ? tenantId : 'anonymous', username.trim());
      const isCorrect = await passwords.matches(passwords.read(password), (found.account ?? found.registration)?.passwordHash);
      if (!isCorrect) throw new ApiError(authProblems.wrongCredentials);
      return found;
    });
    if (account?.initialPasswordExpired) throw new ApiError(signInProblems.initialPasswordExpired);
    if (!account) throw registration ? registrationError(registration) : new ApiError(authProblems.wrongCredentials);
    return tokenIssuer.issue(account, client, origin);
  }

  /** Always queries both, so that the response time does not reveal which exists. */
  private findByName(tenantId: string, name: string): Promise<{ account: Account | undefined; registration: RegistrationRequest | undefined }> {
    const { db } = this.deps;
    return db.read({ tenantId }, async () => ({ account: await findAccountByName(db, tenantId, name), registration: await registrationByName(db, name) }));
  }

  private async byPasskey(input: TokenInput, client: Client, origin: Origin): Promise<TokenReply> {
    return this.deps.tokenIssuer.begin(await this.deps.passkeys.identify(input, origin), client, origin);
  }

  private async bySecondFactor(input: TokenInput, client: Client, origin: Origin, attempt: SignInAttempt): Promise<TokenReply> {
    const { db, steps, secondFactors, passkeys, failures, tokenIssuer } = this.deps;
    const { grant_type, mfa_token = '', code = '' } = input;
    const step = await steps.attempt(mfa_token, client.clientId);
    const account = step && (await findAccountById(db, step.tenantId, step.userId));
    if (!account) throw new ApiError(secondFactorProblems.tokenSpent);
    Object.assign(attempt, { tenantId: account.tenantId, account: account.account, userId: account.userId });
    // Only someone who knows the password reaches this point, so strangers cannot lock anyone out here.
    await failures.runProof(reauthKey(account), async () => {
      if (grant_type === 'passkey') await passkeys.verifySecondFactor(input, account);
      else if (!(await secondFactors.consumeCode(account, code))) throw new ApiError(secondFactorProblems.wrongCode);
    });
    if (!(await steps.finish(mfa_token, step))) throw new ApiError(secondFactorProblems.tokenSpent);
    return tokenIssuer.begin(account, client, origin, { signInId: step.signInId });
  }

  private async byRefreshToken({ refresh_token = '' }: TokenInput, client: Client, origin: Origin, moment: RefreshMoment): Promise<TokenReply> {
    const { db, tokens, sessions, tokenIssuer } = this.deps;
    const claims = await tokens.readRefresh(refresh_token);
    if (!claims || claims.client_id !== client.clientId) throw new ApiError(signInProblems.refreshExpired);
    const account = await findAccountById(db, claims.tenant_id, claims.user_id);
    if (!account) throw refreshError(await sessions.endingOf(claims));
    const issued = await sessions.rotate(claims, client.refreshSeconds, moment);
    if ('ending' in issued) throw refreshError(issued.ending);
    return tokenIssuer.refresh(account, client, issued, origin.header);
  }
}

const refreshError = (ending: SessionEnding | undefined) => new ApiError(signInProblems.refreshExpired, ending ? { ending } : {});

/** Returns the grant. A username without `grant_type` implies the captcha grant if a captcha header is present, else the password grant; the client must allow it as usual. */
function grantOf({ grant_type, username }: TokenInput, origin: Origin): string {
  if (grant_type || !username) return grant_type ?? '';
  return origin.header('captcha-key') === '' ? 'password' : 'captcha';
}

const tenantOf = ({ tenantId }: TokenInput, origin: Origin) => tenantId || origin.header('tenant-id') || platformTenant;

const outcomes = new Map<Problem, LoginOutcome>([
  [authProblems.wrongCredentials, 'wrong-credentials'],
  [authProblems.wrongCaptcha, 'wrong-captcha'],
  [signInProblems.tooManyFailures, 'locked'],
  [signInProblems.tooSoon, 'locked'],
  [signInProblems.tooManyFailuresFromAddress, 'address-locked'],
  [secondFactorProblems.required, 'second-factor-required'],
  [secondFactorProblems.wrongCode, 'wrong-second-factor'],
  [secondFactorProblems.tokenSpent, 'wrong-second-factor'],
  [passkeyProblems.refused, 'wrong-passkey'],
  [passkeyProblems.expired, 'wrong-passkey'],
]);

/** Maps a failed attempt to its outcome in the login log. */
function outcomeOf(error: unknown): LoginOutcome {
  return (error instanceof ApiError ? outcomes.get(error.problem) : undefined) ?? 'refused';
}

/** Rejects a sign-in to a suspended or expired tenant, naming the platform's contact. An unknown tenant passes, because its account is not found anyway. */
export async function assertOpenTenant({ db, parameters }: { readonly db: Database; readonly parameters: Parameters }, tenantId: string): Promise<void> {
  const [tenant] = await db.asPlatform('reads the state of a tenant before sign-in', () =>
    queryRows<{ isSuspended: boolean }>(
      db,
      sql`select status <> 1 as "isSuspended" from tenant
          where tenant_id = ${tenantId} and is_deleted = 0 and (status <> 1 or expire_time <= now())`,
    ),
  );
  if (!tenant) return;
  const contact = (await parameters.text(platformContact)).trim();
  if (tenant.isSuspended) throw new ApiError(contact ? signInProblems.tenantSuspendedContact : signInProblems.tenantSuspended, { contact });
  throw new ApiError(contact ? signInProblems.tenantExpiredContact : signInProblems.tenantExpired, { contact });
}
