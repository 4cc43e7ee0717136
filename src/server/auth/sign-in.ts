import { authProblems, type TokenInput, type TokenReply } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import { problems, Refusal } from '#shared/errors';
import { secondFactorProblems } from '#shared/second-factor';
import type { SessionEnding } from '#shared/session-ended';
import type { LoginLog } from '../audit/login-log.ts';
import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import { platformTenant } from '../tenancy/identity.ts';
import { type Account, accountNamed, accountOf } from './accounts.ts';
import { toldOf, type Wish, wishNamed } from './applicants.ts';
import type { Bulkhead } from './bulkhead.ts';
import type { Captchas } from './captchas.ts';
import { type Client, provenClient } from './clients.ts';
import type { Entrance } from './entrance.ts';
import { countedAs, type SignInFailures } from './failures.ts';
import { outcomeOf } from './login-outcome.ts';
import { proofOf } from './own-proof.ts';
import type { Passwords } from './passwords.ts';
import type { SecondFactors } from './second-factors.ts';
import type { Asked, Sessions } from './sessions.ts';
import type { SignInSteps } from './sign-in-steps.ts';
import type { Tokens } from './tokens.ts';
import type { Ways } from './ways.ts';

const tenantCode = /^[\w-]{1,12}$/;
/** Passwords and codes are all there is to a sign-in with one of these: each asks for as much of the server as it may. */
const proofs = ['captcha', 'password', 'totp'];

/** What the grants are made of. */
export interface SignInParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly failures: SignInFailures;
  readonly secondFactors: SecondFactors;
  readonly steps: SignInSteps;
  readonly entrance: Entrance;
  /** The grants beside account and password. */
  readonly ways: Ways;
  /** How many sign-ins are under way at a time. */
  readonly bulkhead: Bulkhead;
  readonly log: LoginLog;
}

/** Whom an attempt is logged for, filled in as it becomes known. */
interface Attempt {
  tenantId: string;
  account: string;
  userId?: string;
  clientId: string;
}

/** The token endpoint: `wire.md` §2.2. A refusal never says which part was wrong, and takes as long as the right answer. */
export class SignIn {
  constructor(private readonly parts: SignInParts) {}

  async grant(input: TokenInput, origin: Origin): Promise<TokenReply> {
    const { sessions, bulkhead } = this.parts;
    const way = input.grant_type ?? '';
    if (way === 'refresh_token') {
      const asked = await sessions.asked();
      return this.byRefreshToken(input, await this.clientFor(input, origin), origin, asked);
    }
    return proofs.includes(way) ? bulkhead.run(() => this.logged(way, input, origin)) : this.logged(way, input, origin);
  }

  private async logged(way: string, input: TokenInput, origin: Origin): Promise<TokenReply> {
    const attempt: Attempt = { tenantId: tenantOf(input, origin), account: input.username ?? '', clientId: '' };
    const note = (outcome: ReturnType<typeof outcomeOf>) => this.parts.log.note({ ...attempt, way, outcome }, origin);
    try {
      const client = await this.clientFor(input, origin);
      attempt.clientId = client.clientId;
      const reply = await this.by(way, input, client, origin, attempt);
      Object.assign(attempt, { tenantId: reply.tenant_id, account: reply.account, userId: reply.user_id || undefined });
      note('granted');
      return reply;
    } catch (error) {
      note(outcomeOf(error));
      throw error;
    }
  }

  private by(way: string, input: TokenInput, client: Client, origin: Origin, attempt: Attempt): Promise<TokenReply> {
    switch (way) {
      case 'captcha':
      case 'password':
        return this.byPassword(input, client, origin);
      case 'totp':
        return this.bySecondFactor(input, client, origin, attempt);
      default:
        return this.byWay(way, input, client, origin);
    }
  }

  /** One of the ways beside account and password: whoever it proves begins a session as everybody does. */
  private async byWay(grant: string, input: TokenInput, client: Client, origin: Origin): Promise<TokenReply> {
    const way = this.parts.ways.get(grant);
    if (!way) throw new Refusal(signInProblems.grantNotAllowed);
    const entry = await way(input, { client, origin });
    if ('reply' in entry) return entry.reply;
    const { entrance } = this.parts;
    return entry.isWhole ? entrance.begin(entry.account, client, origin, entry.begun) : entrance.enter(entry.account, client, origin);
  }

  /** A second factor goes on with what a granted way has begun, for the same client. */
  private async clientFor(input: TokenInput, origin: Origin): Promise<Client> {
    const way = input.grant_type ?? '';
    const client = await provenClient(this.parts.db, origin.header('authorization'), input);
    if (way !== 'totp' && !client.grants.includes(way)) throw new Refusal(signInProblems.grantNotAllowed);
    return client;
  }

  private async byPassword(input: TokenInput, client: Client, origin: Origin): Promise<TokenReply> {
    const { captchas, failures, passwords, entrance } = this.parts;
    const { username = '', password = '' } = input;
    const tenantId = tenantOf(input, origin);
    if (username === '' || password === '') throw new Refusal(problems.missingParameter, { name: username === '' ? 'username' : 'password' });
    if (input.grant_type === 'captcha') await captchas.check(origin.header('captcha-key'), origin.header('captcha-code'));
    const counted = countedAs(tenantId, username);
    await failures.attempt(counted, origin.address);
    const { account, wish } = await this.named(tenantCode.test(tenantId) ? tenantId : 'anonymous', username.trim());
    const right = await passwords.matches(passwords.read(password), (account ?? wish)?.passwordHash);
    if (!right) throw new Refusal(authProblems.wrongCredentials);
    await failures.succeeded(counted, origin.address);
    if (!account) throw wish ? toldOf(wish) : new Refusal(authProblems.wrongCredentials);
    return entrance.enter(account, client, origin);
  }

  /** Both are always looked for: the time an answer takes tells nobody which there is. */
  private named(tenantId: string, name: string): Promise<{ account: Account | undefined; wish: Wish | undefined }> {
    const { db } = this.parts;
    return db.read({ tenantId }, async () => ({ account: await accountNamed(db, tenantId, name), wish: await wishNamed(db, name) }));
  }

  private async bySecondFactor({ mfa_token = '', code = '' }: TokenInput, client: Client, origin: Origin, attempt: Attempt): Promise<TokenReply> {
    const { db, steps, secondFactors, failures, entrance } = this.parts;
    const step = await steps.attempt(mfa_token, client.clientId);
    const account = step && (await accountOf(db, step.tenantId, step.userId));
    if (!account) throw new Refusal(secondFactorProblems.tokenSpent);
    Object.assign(attempt, { tenantId: account.tenantId, account: account.account, userId: account.userId });
    const counted = proofOf(account);
    await failures.attempt(counted, origin.address);
    if (!(await secondFactors.takes(account, code))) throw new Refusal(secondFactorProblems.wrongCode);
    await failures.succeeded(counted, origin.address);
    if (!(await steps.finish(mfa_token, step))) throw new Refusal(secondFactorProblems.tokenSpent);
    return entrance.begin(account, client, origin);
  }

  private async byRefreshToken({ refresh_token = '' }: TokenInput, client: Client, origin: Origin, asked: Asked): Promise<TokenReply> {
    const { db, tokens, sessions, entrance } = this.parts;
    const claims = await tokens.readRefresh(refresh_token);
    if (!claims || claims.client_id !== client.clientId) throw new Refusal(signInProblems.refreshExpired);
    const account = await accountOf(db, claims.tenant_id, claims.user_id);
    if (!account) throw ended(await sessions.endingOf(claims));
    const issued = await sessions.rotate(claims, client.refreshSeconds, asked);
    if ('ending' in issued) throw ended(issued.ending);
    return entrance.goOn(account, client, issued, origin.header);
  }
}

const ended = (ending: SessionEnding | undefined) => new Refusal(signInProblems.refreshExpired, ending ? { ending } : {});

const tenantOf = ({ tenantId }: TokenInput, origin: Origin) => tenantId || origin.header('tenant-id') || platformTenant;
