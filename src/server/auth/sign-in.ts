import { authProblems, type TokenInput, type TokenReply } from '#shared/auth';
import { problems, Refusal } from '#shared/errors';
import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import { platformTenant } from '../tenancy/identity.ts';
import { type Account, accountNamed, accountOf } from './accounts.ts';
import type { Captchas } from './captchas.ts';
import { type Client, provenClient } from './clients.ts';
import type { ExpiredRows } from './expired-rows.ts';
import { countedAs, type SignInFailures } from './failures.ts';
import type { Passwords } from './passwords.ts';
import { tokenDetails, tokenReply } from './replies.ts';
import type { Issued, Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

const tenantCode = /^[\w-]{1,12}$/;

/** What the grants are made of. */
export interface SignInParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly captchas: Captchas;
  readonly failures: SignInFailures;
  readonly expired: ExpiredRows;
}

/** The token endpoint: `wire.md` §2.2. A refusal never says which part was wrong, and takes as long as the right answer. */
export class SignIn {
  constructor(private readonly parts: SignInParts) {}

  async grant(input: TokenInput, origin: Origin): Promise<TokenReply> {
    const client = await provenClient(this.parts.db, origin.header('authorization'));
    const grant = input.grant_type ?? '';
    if (!client.grants.includes(grant)) throw new Refusal(authProblems.grantNotAllowed);
    if (grant === 'refresh_token') return this.byRefreshToken(input, client);
    if (grant === 'captcha' || grant === 'password') return this.byPassword(input, client, origin, grant === 'captcha');
    throw new Refusal(authProblems.grantNotAllowed);
  }

  private async byPassword(input: TokenInput, client: Client, origin: Origin, withCaptcha: boolean): Promise<TokenReply> {
    const { db, captchas, failures, passwords, sessions } = this.parts;
    const { username = '', password = '' } = input;
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    if (username === '' || password === '') throw new Refusal(problems.missingParameter, { name: username === '' ? 'username' : 'password' });
    if (withCaptcha) await captchas.check(origin.header('captcha-key'), origin.header('captcha-code'));
    const counted = countedAs(tenantId, username);
    await failures.attempt(counted, origin.address);
    const account = tenantId.match(tenantCode) ? await accountNamed(db, tenantId, username.trim()) : undefined;
    const right = await passwords.matches(passwords.read(password), account?.passwordHash);
    if (!right || !account) throw new Refusal(authProblems.wrongCredentials);
    await failures.succeeded(counted, origin.address);
    const { userId } = account;
    const issued = await sessions.begin(
      { tenantId, userId, clientId: client.clientId, userAgent: origin.userAgent, address: origin.address },
      client.refreshSeconds,
    );
    return this.reply(account, client, issued);
  }

  private async byRefreshToken({ refresh_token = '' }: TokenInput, client: Client): Promise<TokenReply> {
    const { db, tokens, sessions } = this.parts;
    const claims = await tokens.readRefresh(refresh_token);
    if (!claims || claims.client_id !== client.clientId) throw new Refusal(authProblems.refreshExpired);
    const account = await accountOf(db, claims.tenant_id, claims.user_id);
    const issued = account && (await sessions.rotate(claims, client.refreshSeconds));
    if (!issued) throw new Refusal(authProblems.refreshExpired);
    return this.reply(account, client, issued);
  }

  private async reply(account: Account, client: Client, { sid, generation, from }: Issued): Promise<TokenReply> {
    const { tokens, expired } = this.parts;
    expired.sweepNowAndThen();
    const claims = { sid, tenant_id: account.tenantId, user_id: account.userId, client_id: client.clientId };
    const access = await tokens.access(claims, tokenDetails(account), client.accessSeconds);
    const refresh = await tokens.refresh({ ...claims, generation }, from, client.refreshSeconds);
    return tokenReply(account, { access, refresh, seconds: client.accessSeconds });
  }
}
