import type { TokenReply } from '#shared/auth';
import { ApiError } from '#shared/errors';
import { secondFactorProblems } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import type { Origin } from '../../http/route.ts';
import { type Account, findSessionAccount } from '../accounts/accounts.ts';
import { selectRole } from '../accounts/active-role.ts';
import type { Client } from '../accounts/clients.ts';
import { tokenDetails, tokenReply } from '../sessions/replies.ts';
import type { IssuedToken, Sessions } from '../sessions/sessions.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { ExpiredRows } from './expired-rows.ts';
import type { SignInSteps } from './sign-in-steps.ts';

/** Dependencies of the token issuer. */
export interface TokenIssuerDeps {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly steps: SignInSteps;
  readonly expired: ExpiredRows;
  readonly timeZone: string;
}

/** Origin of a session that is not begun by the kernel's own grants. */
export interface SessionOrigin {
  /** Record of the sign-in method of a plugin. */
  readonly signInId?: string | undefined;
  /** Called with the id of a session that another one begins. */
  readonly onSession?: (sid: string) => Promise<void>;
}

/** Issues sessions and tokens, as the last step of every grant that has identified an account. */
export class TokenIssuer {
  constructor(private readonly deps: TokenIssuerDeps) {}

  /** Begins a session, or throws `mfa_required` if the account has a second factor. */
  async issue(account: Account, client: Client, origin: Origin, signInId?: string): Promise<TokenReply> {
    const { secondFactors } = account;
    if (secondFactors.length > 0)
      throw new ApiError(secondFactorProblems.required, { token: await this.deps.steps.begin(account, client.clientId, signInId) }, { data: secondFactors });
    return this.begin(account, client, origin, { signInId });
  }

  /** Begins a session for an account that needs no further proof. One that another session begins, whose `onSession` runs with its id, is not proven itself. */
  async begin(account: Account, client: Client, { userAgent, address, header }: Origin, { signInId, onSession }: SessionOrigin = {}): Promise<TokenReply> {
    const { tenantId, userId } = account;
    const issued = await this.deps.sessions.begin(
      { tenantId, userId, clientId: client.clientId, userAgent, address, userType: header('user-type'), isProven: onSession === undefined, signInId },
      client.refreshSeconds,
    );
    await onSession?.(issued.sid);
    return this.refresh(account, client, issued, header);
  }

  /** Issues the tokens of a session. Headers may select the active department and role. */
  async refresh(account: Account, client: Client, issued: IssuedToken, header: Origin['header']): Promise<TokenReply> {
    const { db } = this.deps;
    await selectRole(db, account, issued.sid, { deptId: header('dept-id'), roleId: header('role-id') });
    return this.reply((await findSessionAccount(db, account.tenantId, issued.sid)) ?? account, client, issued);
  }

  private async reply(account: Account, client: Client, { sid, generation, from }: IssuedToken): Promise<TokenReply> {
    const { tokens, expired, timeZone } = this.deps;
    expired.sweepIfDue();
    const claims = { sid, tenant_id: account.tenantId, user_id: account.userId, client_id: client.clientId };
    const access = await tokens.access(claims, tokenDetails(account), client.accessSeconds);
    const refresh = await tokens.refresh({ ...claims, generation }, from, client.refreshSeconds);
    return tokenReply(account, { access, refresh, seconds: client.accessSeconds }, timeZone);
  }
}
